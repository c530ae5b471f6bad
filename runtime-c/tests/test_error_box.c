//===--- test_error_box.c -------------------------------------------------===//

#include "test.h"

typedef struct TypeMetadata TypeMetadata;

typedef struct BoxAndValue {
  HeapObject *box;
  void *value;
} BoxAndValue;

typedef struct ErrorValue {
  void *value;
  const void *type;
  const void *conformance;
} ErrorValue;

SWIFT_CALL BoxAndValue swift_allocError(const void *, const void *, void *,
                                        bool);
void swift_deallocError(HeapObject *, const void *);
void swift_getErrorValue(HeapObject *, void **, ErrorValue *);
void swift_errorRelease(HeapObject *);
HeapObject *swift_errorRetain(HeapObject *);

// A type of 64 bytes at multiples of 32, whose witnesses count their calls.
enum { VALUE_SIZE = 64, ALIGNMENT = 32 };

static int destroyed, copied, taken;

static void destroy(void *value, const TypeMetadata *type) {
  (void)value, (void)type;
  ++destroyed;
}

static void *copy(void *to, void *from, const TypeMetadata *type) {
  (void)type;
  ++copied;
  return memcpy(to, from, VALUE_SIZE);
}

static void *take(void *to, void *from, const TypeMetadata *type) {
  (void)type;
  ++taken;
  return memcpy(to, from, VALUE_SIZE);
}

static const struct {
  void *functions[8];
  size_t size, stride;
  uint32_t flags, extra_inhabitant_count;
} witnesses = {{NULL, (void *)destroy, (void *)copy, NULL, (void *)take},
               VALUE_SIZE,
               VALUE_SIZE,
               ALIGNMENT - 1,
               0};

static const struct {
  const void *witnesses;
  uintptr_t kind;
} metadata = {&witnesses, 0x200};

static const void *const type = &metadata.kind;
static int conformance;

static void boxes_hold_values(void) {
  char value[VALUE_SIZE] = "an error";
  BoxAndValue allocated = swift_allocError(type, &conformance, value, false);
  CHECK(copied == 1 && taken == 0);
  CHECK((uintptr_t)allocated.value % ALIGNMENT == 0);
  ErrorValue found;
  void *scratch = NULL;
  swift_getErrorValue(allocated.box, &scratch, &found);
  CHECK(found.value == allocated.value && found.type == type);
  CHECK(found.conformance == &conformance);
  CHECK(strcmp(found.value, "an error") == 0);
  swift_errorRelease(swift_errorRetain(allocated.box));
  CHECK(destroyed == 0);
  swift_errorRelease(allocated.box);
  CHECK(destroyed == 1);
}

static void values_may_be_taken_or_come_later(void) {
  char value[VALUE_SIZE] = "taken";
  destroyed = taken = 0;
  BoxAndValue first = swift_allocError(type, &conformance, value, true);
  CHECK(taken == 1);
  swift_errorRelease(first.box);
  CHECK(destroyed == 1);
  BoxAndValue second = swift_allocError(type, &conformance, NULL, false);
  swift_deallocError(second.box, type);
  CHECK(destroyed == 1);
}

RUN_TESTS(TEST(boxes_hold_values), TEST(values_may_be_taken_or_come_later))
