//===--- test_weak_unowned.c ----------------------------------------------===//

#include "test.h"
#include <pthread.h>

typedef struct WeakReference {
  void *table;
} WeakReference;

WeakReference *swift_weakInit(WeakReference *, HeapObject *);
WeakReference *swift_weakAssign(WeakReference *, HeapObject *);
HeapObject *swift_weakLoadStrong(WeakReference *);
HeapObject *swift_weakTakeStrong(WeakReference *);
void swift_weakDestroy(WeakReference *);
WeakReference *swift_weakCopyInit(WeakReference *, WeakReference *);
WeakReference *swift_weakTakeInit(WeakReference *, WeakReference *);
WeakReference *swift_weakCopyAssign(WeakReference *, WeakReference *);
WeakReference *swift_weakTakeAssign(WeakReference *, WeakReference *);
HeapObject *swift_unownedRetain(HeapObject *);
void swift_unownedRelease(HeapObject *);
HeapObject *swift_unownedRetainStrong(HeapObject *);
void swift_unownedRetainStrongAndRelease(HeapObject *);
void swift_unownedCheck(HeapObject *);

static void weak_does_not_keep_alive(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  WeakReference weak;
  swift_weakInit(&weak, object);
  CHECK(swift_retainCount(object) == 1);
  CHECK(swift_weakLoadStrong(&weak) == object);
  CHECK(swift_retainCount(object) == 2);
  swift_release(object);
  swift_release(object);
  CHECK(deinits == 1);
  CHECK(swift_weakLoadStrong(&weak) == NULL);
  swift_weakDestroy(&weak);
  CHECK(silc_sideTableCount == 0);
}

static void weak_of_null(void) {
  WeakReference weak, copy;
  swift_weakInit(&weak, NULL);
  swift_weakCopyInit(&copy, &weak);
  CHECK(swift_weakLoadStrong(&copy) == NULL);
  swift_weakDestroy(&copy);
  CHECK(swift_weakTakeStrong(&weak) == NULL);
}

static void weak_variables_are_copied_and_moved(void) {
  int deinits = 0;
  HeapObject *first = new_counted(&deinits), *second = new_counted(&deinits);
  WeakReference a, b, c;
  swift_weakInit(&a, first);
  swift_weakCopyInit(&b, &a);
  swift_weakTakeInit(&c, &b);
  swift_weakAssign(&a, second);
  CHECK(swift_weakLoadStrong(&c) == first);
  CHECK(swift_weakLoadStrong(&a) == second);
  swift_release(first);
  swift_release(second);
  swift_weakCopyAssign(&c, &a);
  CHECK(swift_weakLoadStrong(&c) == second);
  swift_release(second);
  swift_weakInit(&b, first);
  swift_weakTakeAssign(&c, &b);
  CHECK(swift_weakTakeStrong(&c) == first);
  swift_release(first);
  swift_weakDestroy(&a);
  CHECK(silc_sideTableCount == 0);
  swift_release(first);
  swift_release(second);
  CHECK(deinits == 2);
}

static WeakReference seen_in_deinit;
static bool saw_object;

static SWIFT_CALL void look_at_weak(SWIFT_SELF void *object) {
  saw_object = swift_weakLoadStrong(&seen_in_deinit) != NULL;
  WeakReference formed;
  swift_weakInit(&formed, object);
  saw_object |= swift_weakLoadStrong(&formed) != NULL;
  swift_weakDestroy(&formed);
  swift_deallocClassInstance(object, sizeof(HeapObject), 15);
}

static void weak_is_null_in_deinit(void) {
  static const ClassMetadata looking_class = {NULL, look_at_weak, NULL};
  HeapObject *object =
      swift_allocObject(&looking_class, sizeof(HeapObject), 15);
  swift_weakInit(&seen_in_deinit, object);
  saw_object = true;
  swift_release(object);
  CHECK(!saw_object);
  swift_weakDestroy(&seen_in_deinit);
}

static void many_objects_have_side_tables(void) {
  enum { COUNT = 5000 };
  static HeapObject *objects[COUNT];
  static WeakReference weak[COUNT];
  int deinits = 0;
  for (int index = 0; index < COUNT; ++index)
    swift_weakInit(&weak[index], objects[index] = new_counted(&deinits));
  CHECK(silc_sideTableCount == COUNT);
  for (int index = 0; index < COUNT; index += 2)
    swift_release(objects[index]);
  bool all_as_expected = true;
  for (int index = 0; index < COUNT; ++index) {
    HeapObject *object = swift_weakLoadStrong(&weak[index]);
    all_as_expected &= object == (index % 2 == 0 ? NULL : objects[index]);
    swift_release(object);
    swift_weakDestroy(&weak[index]);
  }
  CHECK(all_as_expected);
  CHECK(silc_sideTableCount == 0);
  for (int index = 1; index < COUNT; index += 2)
    swift_release(objects[index]);
  CHECK(deinits == COUNT);
}

static void unowned_keeps_memory_only(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  swift_unownedRetain(object);
  swift_unownedCheck(object);
  CHECK(swift_unownedRetainStrong(object) == object);
  swift_release(object);
  swift_release(object);
  CHECK(deinits == 1);
  CHECK(swift_isDeallocating(object)); // the memory is still there to ask
  swift_unownedRetain(object);
  swift_unownedRelease(object);
  swift_unownedRelease(object);
  CHECK(silc_sideTableCount == 0);
}

static void unowned_turns_strong(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  swift_unownedRetain(object);
  swift_unownedRetainStrongAndRelease(object);
  CHECK(swift_retainCount(object) == 2);
  CHECK(silc_sideTableCount == 0);
  swift_release_n(object, 2);
  CHECK(deinits == 1);
}

static void weak_and_unowned_together(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  WeakReference weak;
  swift_weakInit(&weak, object);
  swift_unownedRetain(object);
  swift_release(object);
  CHECK(swift_weakLoadStrong(&weak) == NULL);
  swift_unownedRelease(object);
  CHECK(silc_sideTableCount == 0);
  CHECK(swift_weakLoadStrong(&weak) == NULL);
  swift_weakDestroy(&weak);
}

static void read_dead_unowned(void) {
  int deinits = 0;
  HeapObject *object = new_counted(&deinits);
  swift_unownedRetain(object);
  swift_release(object);
  swift_unownedRetainStrong(object);
}

static void release_unowned_too_often(void) {
  int deinits = 0;
  swift_unownedRelease(new_counted(&deinits));
}

static void misuse_of_unowned_is_fatal(void) {
  CHECK(is_fatal(read_dead_unowned, "Attempted to read an unowned reference"));
  CHECK(is_fatal(release_unowned_too_often, "over-released"));
}

static WeakReference shared_weak;

static void *load_often(void *unused) {
  for (int turn = 0; turn < 20000; ++turn)
    swift_release(swift_weakLoadStrong(&shared_weak));
  return unused;
}

static void weak_loads_race_with_the_last_release(void) {
  for (int round = 0; round < 20; ++round) {
    int deinits = 0;
    HeapObject *object = new_counted(&deinits);
    swift_weakInit(&shared_weak, object);
    pthread_t threads[2];
    for (int index = 0; index < 2; ++index)
      pthread_create(&threads[index], NULL, load_often, NULL);
    usleep(200);
    swift_release(object);
    for (int index = 0; index < 2; ++index)
      pthread_join(threads[index], NULL);
    CHECK(deinits == 1);
    CHECK(swift_weakTakeStrong(&shared_weak) == NULL);
  }
}

RUN_TESTS(TEST(weak_does_not_keep_alive), TEST(weak_of_null),
          TEST(weak_variables_are_copied_and_moved),
          TEST(weak_is_null_in_deinit), TEST(many_objects_have_side_tables),
          TEST(unowned_keeps_memory_only), TEST(unowned_turns_strong),
          TEST(weak_and_unowned_together), TEST(misuse_of_unowned_is_fatal),
          TEST(weak_loads_race_with_the_last_release))
