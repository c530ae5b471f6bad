//===--- heap_object.c - the life of an object's memory -------------------===//
//
// Owns: initialising and deallocating objects on the heap, on the stack and in
// static memory.
// Does not own: counting references (reference_count.c).
//
//===----------------------------------------------------------------------===//

#include "runtime.h"

ALWAYS_INLINE HeapObject *initialize(HeapObject *object,
                                     const ClassMetadata *metadata,
                                     intptr_t refcount) {
  object->metadata = metadata;
  atomic_store_explicit(&object->refcount, refcount, memory_order_relaxed);
  return object;
}

RUNTIME_ENTRY HeapObject *swift_allocObject(const ClassMetadata *metadata,
                                            size_t size,
                                            size_t alignment_mask) {
  return initialize(silc_allocateObject(size, alignment_mask), metadata, 1);
}

RUNTIME_ENTRY HeapObject *swift_initStackObject(const ClassMetadata *metadata,
                                                HeapObject *object) {
  return initialize(object, metadata, 1 | DO_NOT_FREE_BIT);
}

RUNTIME_ENTRY HeapObject *swift_initStaticObject(const ClassMetadata *metadata,
                                                 HeapObject *object) {
  return initialize(object, metadata, IMMORTAL_REFCOUNT | DO_NOT_FREE_BIT);
}

// For boxes and closure contexts: they are never on the stack under this
// function, and nothing refers to them weakly.
RUNTIME_ENTRY void swift_deallocObject(HeapObject *object, size_t size,
                                       size_t alignment_mask) {
  (void)size, (void)alignment_mask;
  silc_deallocateObject(object);
}

ALWAYS_INLINE bool may_have_side_table(void) {
#ifdef SILC_SIDE_TABLES_ARE_OPTIONAL
  if (silc_sideTableObjectDies == NULL)
    return false;
#endif
  return UNLIKELY(atomic_load_explicit(&silc_sideTableCount,
                                       memory_order_relaxed) != 0);
}

RUNTIME_ENTRY void swift_deallocClassInstance(HeapObject *object, size_t size,
                                              size_t alignment_mask) {
  (void)size, (void)alignment_mask;
  if (may_have_side_table() &&
      silc_sideTableObjectDies(object) == MEMORY_IS_KEPT)
    return;
  intptr_t refcount =
      atomic_load_explicit(&object->refcount, memory_order_relaxed);
  if ((refcount & DO_NOT_FREE_BIT) == 0)
    silc_deallocateObject(object);
}

// The initialiser of `metadata`'s class failed: the properties that its
// subclasses had initialised already are destroyed, then the memory is freed.
RUNTIME_ENTRY void
swift_deallocPartialClassInstance(HeapObject *object,
                                  const ClassMetadata *metadata, size_t size,
                                  size_t alignment_mask) {
  const ClassMetadata *dynamic = object->metadata;
  for (; dynamic != NULL && dynamic != metadata; dynamic = dynamic->superclass)
    if (dynamic->ivar_destroyer != NULL)
      dynamic->ivar_destroyer(object);
  swift_deallocClassInstance(object, size, alignment_mask);
}
