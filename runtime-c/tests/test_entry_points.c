//===--- test_entry_points.c - once, casts, accesses, allocation, errors --===//

#include "test.h"
#include <pthread.h>

void swift_once(_Atomic(intptr_t) *, void (*)(void *), void *);
HeapObject *swift_dynamicCastClass(HeapObject *, const ClassMetadata *);
HeapObject *swift_dynamicCastClassUnconditional(HeapObject *,
                                                const ClassMetadata *,
                                                const char *, unsigned,
                                                unsigned);
void swift_beginAccess(const void *, void *, uintptr_t, const void *);
void swift_endAccess(void *);
void *swift_slowAlloc(size_t, size_t);
void swift_slowDealloc(void *, size_t, size_t);
void swift_clearSensitive(void *, size_t);
int memset_s(void *, size_t, int, size_t);
void swift_deallocPartialClassInstance(HeapObject *, const ClassMetadata *,
                                       size_t, size_t);
SWIFT_CALL void swift_errorInMain(void *);
SWIFT_CALL void swift_unexpectedError(void *, const char *, uintptr_t, bool,
                                      uintptr_t);
void swift_deletedMethodError(void);
void _swift_embedded_invoke_heap_object_destroy(void *);

//===--- Once -------------------------------------------------------------===//

static _Atomic(int) initializations;

static void initialize_slowly(void *context) {
  usleep(2000);
  initializations += *(int *)context;
}

static _Atomic(intptr_t) predicate;

static void *initialize_once(void *context) {
  swift_once(&predicate, initialize_slowly, context);
  return (void *)(intptr_t)initializations;
}

static void once_runs_once_and_others_wait(void) {
  int one = 1;
  pthread_t threads[4];
  for (int index = 0; index < 4; ++index)
    pthread_create(&threads[index], NULL, initialize_once, &one);
  for (int index = 0; index < 4; ++index) {
    void *seen = NULL;
    pthread_join(threads[index], &seen);
    CHECK((intptr_t)seen == 1);
  }
  CHECK(predicate == -1);
}

static _Atomic(intptr_t) recursive_predicate;

static void initialize_recursively(void *context) {
  swift_once(&recursive_predicate, initialize_recursively, context);
}

static void recurse(void) { initialize_recursively(NULL); }

//===--- Casts ------------------------------------------------------------===//

static const ClassMetadata subclass = {&counted_class, destroy_counted, NULL};

static void casts_look_up_the_superclasses(void) {
  HeapObject base = {&counted_class, 1}, derived = {&subclass, 1};
  CHECK(swift_dynamicCastClass(&derived, &subclass) == &derived);
  CHECK(swift_dynamicCastClass(&derived, &counted_class) == &derived);
  CHECK(swift_dynamicCastClass(&base, &subclass) == NULL);
  CHECK(swift_dynamicCastClass(NULL, &subclass) == NULL);
  CHECK(swift_dynamicCastClassUnconditional(&derived, &counted_class, "f", 1,
                                            1) == &derived);
}

static void cast_wrongly(void) {
  HeapObject base = {&counted_class, 1};
  swift_dynamicCastClassUnconditional(&base, &subclass, "f", 1, 1);
}

//===--- Exclusive access -------------------------------------------------===//

enum { READ = 0, MODIFY = 1, TRACKING = 0x20 };

typedef struct Buffer {
  void *words[3];
} Buffer;

static void accesses_that_may_overlap(void) {
  int first = 0, second = 0;
  Buffer a, b, c;
  swift_beginAccess(&first, &a, READ | TRACKING, NULL);
  swift_beginAccess(&first, &b, READ | TRACKING, NULL);
  swift_beginAccess(&second, &c, MODIFY | TRACKING, NULL);
  swift_endAccess(&a); // not the innermost
  swift_endAccess(&b);
  swift_beginAccess(&first, &a, MODIFY | TRACKING, NULL);
  swift_endAccess(&c);
  swift_endAccess(&a);
  swift_beginAccess(&first, &a, MODIFY, NULL); // an instantaneous one
  swift_beginAccess(&first, &b, MODIFY | TRACKING, NULL);
  swift_endAccess(&b);
  swift_endAccess(&a);
}

static void overlap_modifications(void) {
  int variable = 0;
  Buffer a, b;
  swift_beginAccess(&variable, &a, MODIFY | TRACKING, NULL);
  swift_beginAccess(&variable, &b, MODIFY | TRACKING, NULL);
}

static void overlap_read_and_modification(void) {
  int variable = 0;
  Buffer a, b;
  swift_beginAccess(&variable, &a, READ | TRACKING, NULL);
  swift_beginAccess(&variable, &b, MODIFY, NULL);
}

static void conflicts_are_fatal(void) {
  CHECK(is_fatal(overlap_modifications,
                 "but modification requires exclusive access"));
  CHECK(is_fatal(overlap_modifications,
                 "Previous access (a modification) started at 0x"));
  CHECK(is_fatal(overlap_read_and_modification, "Previous access (a read)"));
  CHECK(is_fatal(overlap_read_and_modification, "Fatal access conflict"));
}

//===--- Allocation -------------------------------------------------------===//

static void allocations_are_aligned(void) {
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2)
    for (size_t size = 0; size < 100; size += 7) {
      char *memory = swift_slowAlloc(size, alignment - 1);
      CHECK((uintptr_t)memory % alignment == 0);
      memset(memory, 1, size);
      swift_slowDealloc(memory, size, alignment - 1);
    }
  void *memory = swift_slowAlloc(10, SIZE_MAX);
  CHECK((uintptr_t)memory % _Alignof(max_align_t) == 0);
  swift_slowDealloc(memory, 10, SIZE_MAX);
}

static void secrets_are_cleared(void) {
  char secret[] = "secret";
  swift_clearSensitive(secret, sizeof(secret));
  CHECK(memcmp(secret, "\0\0\0\0\0\0", 7) == 0);
  CHECK(memset_s(secret, 4, 1, 3) == 0 && secret[2] == 1 && secret[3] == 0);
  CHECK(memset_s(secret, 4, 2, 6) != 0 && secret[3] == 2 && secret[4] == 0);
}

static int ivar_destroyers_called;

static SWIFT_CALL void destroy_ivars(SWIFT_SELF void *object) {
  (void)object;
  ++ivar_destroyers_called;
}

static void partial_instances_are_destroyed_from_below(void) {
  static const ClassMetadata base = {NULL, destroy_counted, destroy_ivars};
  static const ClassMetadata middle = {&base, destroy_counted, destroy_ivars};
  static const ClassMetadata leaf = {&middle, destroy_counted, NULL};
  HeapObject *object = swift_allocObject(&leaf, sizeof(Counted), 15);
  swift_deallocPartialClassInstance(object, &base, sizeof(Counted), 15);
  CHECK(ivar_destroyers_called == 1);
}

static void destroyer_gets_self(void) {
  int deinits = 0;
  _swift_embedded_invoke_heap_object_destroy(new_counted(&deinits));
  CHECK(deinits == 1);
}

//===--- Errors -----------------------------------------------------------===//

static void throw_in_main(void) { swift_errorInMain(NULL); }
static void throw_in_try(void) {
  swift_unexpectedError(NULL, "a.swift", 7, true, 12);
}
static void allocate_everything(void) { swift_slowAlloc(SIZE_MAX / 4, 15); }

static void errors_are_fatal(void) {
  CHECK(is_fatal(throw_in_main, "Fatal error: Error raised at top level"));
  CHECK(is_fatal(throw_in_try, "a.swift:12: Fatal error: 'try!'"));
  CHECK(is_fatal(swift_deletedMethodError, "Fatal error: "));
  CHECK(is_fatal(allocate_everything, "Could not allocate memory"));
  CHECK(is_fatal(cast_wrongly, "Fatal error: failed cast"));
  CHECK(is_fatal(recurse, "uses the global itself"));
}

// Fatal errors first: without threads, a recursive initialiser is found out.
RUN_TESTS(TEST(errors_are_fatal), TEST(once_runs_once_and_others_wait),
          TEST(casts_look_up_the_superclasses), TEST(accesses_that_may_overlap),
          TEST(conflicts_are_fatal), TEST(allocations_are_aligned),
          TEST(secrets_are_cleared),
          TEST(partial_instances_are_destroyed_from_below),
          TEST(destroyer_gets_self))
