//===--- test_reference_count.c -------------------------------------------===//

#include "test.h"
#include <pthread.h>

HeapObject *swift_nonatomic_retain(HeapObject *);
void swift_nonatomic_release(HeapObject *);
HeapObject *swift_bridgeObjectRetain(HeapObject *);
void swift_bridgeObjectRelease(HeapObject *);
bool swift_isUniquelyReferenced_native(HeapObject *);
bool swift_isEscapingClosureAtFileLocation(HeapObject *, const char *, int32_t,
                                           int32_t, int32_t, uint32_t);

static void last_release_destroys(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  CHECK(swift_retainCount(object) == 1);
  CHECK(swift_isUniquelyReferenced_native(object));
  CHECK(swift_retain(object) == object);
  CHECK(!swift_isUniquelyReferenced_native(object));
  swift_retain_n(object, 3);
  CHECK(swift_retainCount(object) == 5);
  swift_release_n(object, 4);
  CHECK(deinits == 0);
  swift_release(object);
  CHECK(deinits == 1);
}

static void release_of_several_destroys(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  swift_retain_n(object, 2);
  swift_release_n(object, 3);
  CHECK(deinits == 1);
}

static void nonatomic_counts_the_same(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  swift_nonatomic_retain(object);
  swift_release(object);
  swift_retain(object);
  swift_nonatomic_release(object);
  CHECK(deinits == 0);
  swift_nonatomic_release(object);
  CHECK(deinits == 1);
}

static void null_is_not_counted(void) {
  CHECK(swift_retain(NULL) == NULL);
  swift_release(NULL);
  swift_release_n(NULL, 2);
  CHECK(swift_tryRetain(NULL) == NULL);
  CHECK(swift_retainCount(NULL) == 0);
  CHECK(!swift_isUniquelyReferenced_native(NULL));
}

static void tagged_pointers_are_not_counted(void) {
  HeapObject *tagged = (HeapObject *)((uintptr_t)1 << 63 | 0x10);
  CHECK(swift_retain(tagged) == tagged);
  swift_release(tagged);
  CHECK(!swift_isUniquelyReferenced_native(tagged));
}

static void stack_object_is_destroyed_but_not_freed(void) {
  int deinits = 0;
  Counted object = {.deinit_count = &deinits};
  HeapObject *reference = swift_initStackObject(&counted_class, &object.header);
  CHECK(reference == &object.header);
  swift_retain(reference);
  swift_release(reference);
  CHECK(deinits == 0);
  swift_release(reference);
  CHECK(deinits == 1);
}

static void static_object_is_immortal(void) {
  static Counted object;
  HeapObject *reference =
      swift_initStaticObject(&counted_class, &object.header);
  intptr_t before = object.header.refcount;
  swift_retain(reference);
  swift_release_n(reference, 5);
  CHECK(object.header.refcount == before);
  CHECK(swift_tryRetain(reference) == reference);
  CHECK(!swift_isDeallocating(reference));
}

static void bridge_object_bits_are_ignored(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  HeapObject *bridge = (HeapObject *)((uintptr_t)object | (uintptr_t)1 << 62);
  CHECK(swift_bridgeObjectRetain(bridge) == bridge);
  CHECK(swift_retainCount(object) == 2);
  swift_bridgeObjectRelease(bridge);
  swift_bridgeObjectRelease(bridge);
  CHECK(deinits == 1);
}

static void register_keeping_functions_count_the_same(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  HeapObject *bridge = (HeapObject *)((uintptr_t)object | (uintptr_t)1 << 62);
  silc_retain(object);
  silc_bridgeObjectRetain(bridge);
  CHECK(swift_retainCount(object) == 3);
  silc_bridgeObjectRelease(bridge);
  silc_release(object);
  CHECK(deinits == 0);
  silc_release(object);
  CHECK(deinits == 1);
}

static void register_keeping_functions_ignore_what_is_not_counted(void) {
  static Counted immortal;
  HeapObject *reference =
      swift_initStaticObject(&counted_class, &immortal.header);
  intptr_t before = immortal.header.refcount;
  silc_retain(reference);
  silc_release(reference);
  CHECK(immortal.header.refcount == before);
  silc_retain(NULL);
  silc_release(NULL);
}

static void register_keeping_release_destroys_on_the_stack(void) {
  int deinits = 0;
  Counted object = {.deinit_count = &deinits};
  HeapObject *reference = swift_initStackObject(&counted_class, &object.header);
  silc_retain(reference);
  silc_release(reference);
  CHECK(deinits == 0);
  silc_release(reference);
  CHECK(deinits == 1);
}

static void escape_closure(void) {
  int deinits = 0;
  HeapObject *context = new_counted(&deinits);
  swift_retain(context);
  swift_isEscapingClosureAtFileLocation(context, "f", 1, 1, 1, 0);
}

static void escaping_closure_is_fatal(void) {
  CHECK(is_fatal(escape_closure, "Fatal error: non-escaping closure escaped"));
}

enum { THREADS = 4, TURNS = 20000 };

static void *count_up_and_down(void *object) {
  for (int turn = 0; turn < TURNS; ++turn) {
    swift_retain(object);
    silc_retain(object);
    swift_release(object);
    silc_release(object);
  }
  swift_release(object);
  return NULL;
}

static void threads_count_together(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  swift_retain_n(object, THREADS);
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; ++index)
    pthread_create(&threads[index], NULL, count_up_and_down, object);
  for (int index = 0; index < THREADS; ++index)
    pthread_join(threads[index], NULL);
  CHECK(swift_retainCount(object) == 1);
  swift_release(object);
  CHECK(deinits == 1);
}

RUN_TESTS(TEST(last_release_destroys), TEST(release_of_several_destroys),
          TEST(nonatomic_counts_the_same), TEST(null_is_not_counted),
          TEST(tagged_pointers_are_not_counted),
          TEST(stack_object_is_destroyed_but_not_freed),
          TEST(static_object_is_immortal), TEST(bridge_object_bits_are_ignored),
          TEST(register_keeping_functions_count_the_same),
          TEST(register_keeping_functions_ignore_what_is_not_counted),
          TEST(register_keeping_release_destroys_on_the_stack),
          TEST(escaping_closure_is_fatal), TEST(threads_count_together))
