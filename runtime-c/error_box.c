//===--- error_box.c - errors of any type as one reference ----------------===//
//
// Owns: the box that `any Error` refers to: an object with the value, its type
// and the type's conformance to Error.
//
// Types are known by Swift's own metadata here: the word before a type's
// metadata points to its value witnesses (docs/ABI/TypeMetadata.rst).
//
//===----------------------------------------------------------------------===//

#include "runtime.h"

typedef struct TypeMetadata {
  uintptr_t kind;
} TypeMetadata;

typedef struct ValueWitnesses {
  void *initialize_buffer_with_copy;
  void (*destroy)(void *value, const TypeMetadata *type);
  void *(*initialize_with_copy)(void *to, void *from, const TypeMetadata *);
  void *assign_with_copy;
  void *(*initialize_with_take)(void *to, void *from, const TypeMetadata *);
  void *assign_with_take;
  void *get_enum_tag, *store_enum_tag;
  size_t size;
  size_t stride;
  uint32_t flags; // the lowest byte is the mask of the alignment
  uint32_t extra_inhabitant_count;
} ValueWitnesses;

typedef struct ErrorBox {
  HeapObject header;
  const TypeMetadata *type;
  const void *conformance;
  // The value follows, at the next multiple of its alignment.
} ErrorBox;

// Two results in registers.
typedef struct BoxAndValue {
  ErrorBox *box;
  void *value;
} BoxAndValue;

typedef struct ErrorValue {
  void *value;
  const TypeMetadata *type;
  const void *conformance;
} ErrorValue;

ALWAYS_INLINE const ValueWitnesses *witnesses_of(const TypeMetadata *type) {
  return ((const ValueWitnesses *const *)type)[-1];
}

ALWAYS_INLINE size_t alignment_mask_of(const TypeMetadata *type) {
  return witnesses_of(type)->flags & 0xFF;
}

static size_t value_offset(const TypeMetadata *type) {
  size_t mask = alignment_mask_of(type);
  return (sizeof(ErrorBox) + mask) & ~mask;
}

static size_t box_size(const TypeMetadata *type) {
  return value_offset(type) + witnesses_of(type)->size;
}

static size_t box_alignment_mask(const TypeMetadata *type) {
  return alignment_mask_of(type) | (_Alignof(ErrorBox) - 1);
}

static void *value_in(const ErrorBox *box) {
  return (char *)box + value_offset(box->type);
}

static SWIFT_CALL void destroy_box(SWIFT_SELF void *object) {
  ErrorBox *box = object;
  witnesses_of(box->type)->destroy(value_in(box), box->type);
  swift_deallocClassInstance(&box->header, box_size(box->type),
                             box_alignment_mask(box->type));
}

// A box for an error of this type. The value is initialised from the initial
// one, by copy or by take, or, where that is null, left to the caller.
RUNTIME_ENTRY SWIFT_CALL BoxAndValue swift_allocError(const TypeMetadata *type,
                                                      const void *conformance,
                                                      void *initial_value,
                                                      bool is_take) {
  static const ClassMetadata metadata = {NULL, destroy_box, NULL};
  ErrorBox *box = (ErrorBox *)swift_allocObject(&metadata, box_size(type),
                                                box_alignment_mask(type));
  box->type = type;
  box->conformance = conformance;
  void *value = value_in(box);
  if (initial_value != NULL && is_take)
    witnesses_of(type)->initialize_with_take(value, initial_value, type);
  else if (initial_value != NULL)
    witnesses_of(type)->initialize_with_copy(value, initial_value, type);
  return (BoxAndValue){box, value};
}

// For a box whose value was never initialised.
RUNTIME_ENTRY void swift_deallocError(ErrorBox *box, const TypeMetadata *type) {
  swift_deallocClassInstance(&box->header, box_size(type),
                             box_alignment_mask(type));
}

RUNTIME_ENTRY void swift_getErrorValue(const ErrorBox *box, void **scratch,
                                       ErrorValue *result) {
  (void)scratch;
  *result = (ErrorValue){value_in(box), box->type, box->conformance};
}

RUNTIME_ENTRY HeapObject *swift_errorRetain(HeapObject *error) {
  return swift_retain(error);
}

RUNTIME_ENTRY void swift_errorRelease(HeapObject *error) {
  swift_release(error);
}
