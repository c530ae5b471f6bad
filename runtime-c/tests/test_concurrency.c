//===--- test_concurrency.c -----------------------------------------------===//
//
// The task runtime, driven as compiled code drives it, on one thread.
//
//===----------------------------------------------------------------------===//

#include "test.h"
#include "../concurrency/concurrency.h"

//===--- Tasks of the tests -----------------------------------------------===//

typedef struct Handler Handler;

SWIFT_CALL Handler *
swift_task_addCancellationHandler(void SWIFT_CALL (*function)(SWIFT_SELF void *),
                                  void *context);
SWIFT_CALL void swift_task_removeCancellationHandler(Handler *handler);
SWIFT_CALL void swift_task_enqueueGlobalWithDelay(unsigned long long nanoseconds,
                                                  Job *job);
SWIFT_CALL void swift_task_localValuePush(const void *key, void *value,
                                          const ResultType *type);
SWIFT_CALL void swift_task_localValuePop(void);
SWIFT_CALL void *swift_task_localValueGet(const void *key);
SWIFT_CALL void swift_defaultActor_initialize(HeapObject *object);
SWIFT_CALL void swift_defaultActor_deallocate(HeapObject *object);
SWIFT_CALL size_t _swift_async_stream_lock_size(void);
SWIFT_CALL void swift_taskGroup_initializeWithOptions(size_t flags,
                                                      TaskGroup *group,
                                                      const void *metadata,
                                                      const Option *options);
SWIFT_CALL void swift_taskGroup_destroy(TaskGroup *group);
SWIFT_CALL bool swift_taskGroup_isEmpty(TaskGroup *group);
ASYNC_CALL void swift_taskGroup_wait_next_throwing(
    void *result, ASYNC_CONTEXT AsyncContext *caller, TaskGroup *group,
    AsyncThrowingResumption *resume, WaitContext *context);

// The observations of the tests, in order.
static char seen[256];

static void see(char letter) {
  const size_t length = strlen(seen);
  if (length + 1 < sizeof(seen))
    seen[length] = letter, seen[length + 1] = 0;
}

// An optional number: the value, then whether there is none.
typedef struct Number {
  int value;
  bool is_none;
} Number;

static void *copy_number(void *to, void *from, const void *metadata) {
  (void)metadata;
  ((Number *)to)->value = ((Number *)from)->value;
  return to;
}

static void store_number_tag(void *value, uint32_t number, uint32_t empty_cases,
                             const void *metadata) {
  (void)empty_cases, (void)metadata;
  ((Number *)value)->is_none = number != 0;
}

static int destroyed_numbers;

static void destroy_number(void *value, const void *metadata) {
  (void)value, (void)metadata;
  destroyed_numbers++;
}

static const ResultType number_type = {sizeof(Number), _Alignof(Number) - 1,
                                       copy_number, store_number_tag,
                                       destroy_number};

// The closure of a task of the tests: the letter that it is seen by, which is
// its result as well.
typedef struct Closure {
  HeapObject header;
  char letter;
} Closure;

static SWIFT_CALL void destroy_closure(SWIFT_SELF void *object) {
  swift_deallocClassInstance(object, sizeof(Closure), 15);
}

static const ClassMetadata closure_class = {NULL, destroy_closure, NULL};

static HeapObject *new_closure(char letter) {
  Closure *closure =
      (Closure *)swift_allocObject(&closure_class, sizeof(Closure), 15);
  closure->letter = letter;
  return &closure->header;
}

static ASYNC_CALL void run_closure(void *result,
                                   ASYNC_CONTEXT AsyncContext *context,
                                   SWIFT_SELF void *closure_context) {
  const char letter = ((Closure *)closure_context)->letter;
  see(letter);
  if (swift_task_isCancelled(swift_task_getCurrent()))
    see('!');
  ((Number *)result)->value = letter;
  GO_ON_THROWING(context->throwing_resume_parent, context->parent, NULL);
}

// Makes a task that runs `code` with a closure of this letter.
static Task *new_task(AsyncOperation *code, char letter, size_t flags,
                      TaskGroup *group) {
  static AsyncFunctionPointer function;
  function.offset_of_code = (int32_t)((char *)code - (char *)&function);
  function.context_size = sizeof(AsyncContext);
  Option of_group = {.flags = OPTION_GROUP, .group = group};
  Option option = {.flags = OPTION_RESULT_TYPE,
                   .next = group != NULL ? &of_group : NULL,
                   .result_type = number_type};
  return swift_task_create(flags, &option, NULL, &function, new_closure(letter))
      .task;
}

static Task *start(AsyncOperation *code, char letter, Priority priority) {
  return new_task(code, letter, (size_t)priority | CREATE_ENQUEUE, NULL);
}

static void run_all_jobs(void) {
  seen[0] = 0;
  for (Job *job; (job = silc_takeJob()) != NULL;)
    swift_job_run(job, 0, 0);
}

static void release(Task *task) { swift_release(&task->job.header); }

//===--- Tasks ------------------------------------------------------------===//

static void a_task_keeps_its_result_until_it_is_released(void) {
  destroyed_numbers = 0;
  Task *task = start(run_closure, 'a', PRIORITY_DEFAULT);
  CHECK(task->status == FUTURE_RUNS);
  run_all_jobs();
  CHECK(strcmp(seen, "a") == 0);
  CHECK(task->status == FUTURE_SUCCEEDED);
  CHECK(((Number *)task->result)->value == 'a');
  CHECK(destroyed_numbers == 0);
  release(task);
  CHECK(destroyed_numbers == 1);
}

static void jobs_run_by_priority_and_then_as_they_came(void) {
  Task *tasks[] = {start(run_closure, 'a', PRIORITY_BACKGROUND),
                   start(run_closure, 'b', PRIORITY_DEFAULT),
                   start(run_closure, 'c', PRIORITY_USER_INITIATED),
                   start(run_closure, 'd', PRIORITY_DEFAULT),
                   start(run_closure, 'e', PRIORITY_UTILITY)};
  run_all_jobs();
  CHECK(strcmp(seen, "cbdea") == 0);
  for (size_t index = 0; index < 5; index++)
    release(tasks[index]);
}

static void delayed_jobs_run_when_they_are_due(void) {
  Task *late = new_task(run_closure, 'a', PRIORITY_DEFAULT, NULL);
  Task *soon = new_task(run_closure, 'b', PRIORITY_DEFAULT, NULL);
  swift_retain(&late->job.header);
  swift_retain(&soon->job.header);
  swift_task_enqueueGlobalWithDelay(40000000, &late->job);
  swift_task_enqueueGlobalWithDelay(1000, &soon->job);
  CHECK(silc_nextDeadline() != UINT64_MAX);
  silc_waitForJob();
  run_all_jobs();
  CHECK(strcmp(seen, "b") == 0);
  silc_waitForJob();
  run_all_jobs();
  CHECK(strcmp(seen, "a") == 0);
  CHECK(silc_nextDeadline() == UINT64_MAX);
  release(late);
  release(soon);
}

//===--- Waiting ----------------------------------------------------------===//

// The context of a task that waits, in its own memory.
typedef struct Waiting {
  AsyncContext head;
  Number number;
  WaitContext wait;
} Waiting;

static Task *awaited;

static ASYNC_CALL void resume_waiting(ASYNC_CONTEXT AsyncContext *context,
                                      SWIFT_SELF void *error) {
  Waiting *waiting = (Waiting *)context;
  AsyncContext *caller = context->parent;
  see((char)waiting->number.value);
  see(error != NULL ? 'E' : '.');
  swift_task_dealloc(waiting);
  GO_ON_THROWING(caller->throwing_resume_parent, caller->parent, NULL);
}

static ASYNC_CALL void wait_for_task(void *result,
                                     ASYNC_CONTEXT AsyncContext *context,
                                     SWIFT_SELF void *closure_context) {
  (void)result, (void)closure_context;
  Waiting *waiting = swift_task_alloc(sizeof(Waiting));
  waiting->head.parent = context;
  return swift_task_future_wait_throwing(&waiting->number, &waiting->head,
                                         awaited, resume_waiting,
                                         &waiting->wait);
}

static void a_task_waits_for_another(void) {
  Task *waiter = start(wait_for_task, 'w', PRIORITY_USER_INITIATED);
  awaited = start(run_closure, 'a', PRIORITY_BACKGROUND);
  run_all_jobs();
  CHECK(strcmp(seen, "aa.") == 0);
  CHECK(waiter->status == FUTURE_SUCCEEDED);
  // A waiting task raises the task that it waits for.
  CHECK(awaited->priority == PRIORITY_USER_INITIATED);
  release(waiter);
  // A result that is there already.
  waiter = start(wait_for_task, 'w', PRIORITY_DEFAULT);
  run_all_jobs();
  CHECK(strcmp(seen, "a.") == 0);
  release(waiter);
  release(awaited);
}

//===--- Cancellation -----------------------------------------------------===//

static SWIFT_CALL void see_cancellation(SWIFT_SELF void *context) {
  see(*(char *)context);
}

static void handlers_are_called_once(void) {
  static char inner = 'i', outer = 'o', late = 'l';
  Task *task = new_task(run_closure, 'a', PRIORITY_DEFAULT, NULL);
  Task *before = silc_setCurrentTask(task);
  seen[0] = 0;
  Handler *first = swift_task_addCancellationHandler(see_cancellation, &outer);
  Handler *second = swift_task_addCancellationHandler(see_cancellation, &inner);
  swift_task_cancel(task);
  swift_task_cancel(task);
  CHECK(strcmp(seen, "io") == 0);
  CHECK(swift_task_isCancelled(task));
  // One that comes too late is called at once.
  CHECK(swift_task_addCancellationHandler(see_cancellation, &late) == NULL);
  CHECK(strcmp(seen, "iol") == 0);
  swift_task_removeCancellationHandler(second);
  swift_task_removeCancellationHandler(first);
  CHECK(task->records == NULL);
  silc_setCurrentTask(before);
  swift_retain(&task->job.header);
  silc_enqueueTask(task, generic_executor());
  run_all_jobs();
  CHECK(strcmp(seen, "a!") == 0);
  release(task);
}

//===--- Groups -----------------------------------------------------------===//

typedef struct GroupMemory {
  _Alignas(16) void *words[32];
} GroupMemory;

static ASYNC_CALL void resume_group(ASYNC_CONTEXT AsyncContext *context,
                                    SWIFT_SELF void *error);

// The context of the task with the group.
typedef struct Gathering {
  AsyncContext head;
  Number number;
  WaitContext wait;
  GroupMemory group;
} Gathering;

static ASYNC_CALL void run_group(void *result,
                                 ASYNC_CONTEXT AsyncContext *context,
                                 SWIFT_SELF void *closure_context) {
  (void)result;
  Gathering *gathering = swift_task_alloc(sizeof(Gathering));
  TaskGroup *group = (TaskGroup *)&gathering->group;
  gathering->head.parent = context;
  const Option type = {.flags = OPTION_RESULT_TYPE, .result_type = number_type};
  swift_taskGroup_initializeWithOptions(0, group, NULL, &type);
  const size_t flags = CREATE_CHILD | CREATE_ENQUEUE | CREATE_ADD_PENDING;
  for (char letter = 'x'; letter <= 'z'; letter++)
    release(new_task(run_closure, letter, flags, group));
  CHECK(!swift_taskGroup_isEmpty(group));
  if (((Closure *)closure_context)->letter == 'c')
    swift_task_cancel(swift_task_getCurrent());
  return swift_taskGroup_wait_next_throwing(&gathering->number,
                                            &gathering->head, group,
                                            resume_group, &gathering->wait);
}

static ASYNC_CALL void resume_group(ASYNC_CONTEXT AsyncContext *context,
                                    SWIFT_SELF void *error) {
  Gathering *gathering = (Gathering *)context;
  TaskGroup *group = (TaskGroup *)&gathering->group;
  CHECK(error == NULL);
  if (!gathering->number.is_none) {
    see((char)(gathering->number.value - 'a' + 'A'));
    return swift_taskGroup_wait_next_throwing(&gathering->number, context,
                                              group, resume_group,
                                              &gathering->wait);
  }
  CHECK(swift_taskGroup_isEmpty(group));
  swift_taskGroup_destroy(group);
  AsyncContext *caller = context->parent;
  swift_task_dealloc(gathering);
  GO_ON_THROWING(caller->throwing_resume_parent, caller->parent, NULL);
}

static void a_group_gives_all_results_of_its_children(void) {
  destroyed_numbers = 0;
  Task *task = start(run_group, 'g', PRIORITY_DEFAULT);
  run_all_jobs();
  CHECK(strcmp(seen, "xyzXYZ") == 0);
  CHECK(task->status == FUTURE_SUCCEEDED && task->records == NULL);
  release(task);
  CHECK(destroyed_numbers == 4);
}

static void the_children_of_a_cancelled_task_are_cancelled(void) {
  Task *task = start(run_group, 'c', PRIORITY_DEFAULT);
  run_all_jobs();
  CHECK(strcmp(seen, "x!y!z!XYZ") == 0);
  release(task);
}

//===--- Actors -----------------------------------------------------------===//

typedef struct ActorObject {
  HeapObject header;
  void *words[12];
} ActorObject;

static SWIFT_CALL void destroy_actor(SWIFT_SELF void *object) {
  see('D');
  swift_defaultActor_deallocate(object);
}

static const ClassMetadata actor_class = {NULL, destroy_actor, NULL};

static HeapObject *new_actor(void) {
  HeapObject *actor = swift_allocObject(&actor_class, sizeof(ActorObject), 15);
  swift_defaultActor_initialize(actor);
  return actor;
}

static void enqueue_on(HeapObject *actor, Task *task) {
  swift_retain(&task->job.header);
  silc_enqueueTask(task, (Executor){(uintptr_t)actor, 0});
}

static void an_actor_runs_its_jobs_by_priority(void) {
  HeapObject *actor = new_actor();
  Task *tasks[] = {new_task(run_closure, 'a', PRIORITY_UTILITY, NULL),
                   new_task(run_closure, 'b', PRIORITY_UTILITY, NULL),
                   new_task(run_closure, 'c', PRIORITY_USER_INITIATED, NULL)};
  for (size_t index = 0; index < 3; index++)
    enqueue_on(actor, tasks[index]);
  run_all_jobs();
  CHECK(strcmp(seen, "cab") == 0);
  for (size_t index = 0; index < 3; index++)
    release(tasks[index]);
  // It can be entered now, by one at a time.
  CHECK(silc_tryEnterActor(actor));
  CHECK(!silc_tryEnterActor(actor));
  silc_leaveActor(actor);
  seen[0] = 0;
  swift_release(actor);
  CHECK(strcmp(seen, "D") == 0);
}

static void an_actor_ends_after_the_job_that_let_go_of_it(void) {
  HeapObject *actor = new_actor();
  seen[0] = 0;
  CHECK(silc_tryEnterActor(actor));
  swift_release(actor);
  CHECK(strcmp(seen, "D") == 0);
  // Its memory is there until it is left.
  silc_leaveActor(actor);
}

//===--- Memory, task-local values, locks of streams ----------------------===//

static void memory_of_a_task_is_a_stack(void) {
  Task *task = new_task(run_closure, 'a', PRIORITY_DEFAULT, NULL);
  Task *before = silc_setCurrentTask(task);
  char *small = swift_task_alloc(24);
  char *large = swift_task_alloc(10000); // more than a slab has
  char *last = swift_task_alloc(8);
  CHECK((uintptr_t)small % 16 == 0 && (uintptr_t)last % 16 == 0);
  memset(small, 1, 24);
  memset(large, 2, 10000);
  memset(last, 3, 8);
  CHECK(small[23] == 1 && large[9999] == 2);
  swift_task_dealloc(last);
  swift_task_dealloc(large);
  CHECK(swift_task_alloc(24) != small);
  silc_setCurrentTask(before);
  swift_retain(&task->job.header);
  silc_enqueueTask(task, generic_executor());
  run_all_jobs();
  release(task);
}

static void task_local_values_are_copied_into_new_tasks(void) {
  static const char key, other_key;
  destroyed_numbers = 0;
  Number one = {.value = 1}, two = {.value = 2};
  CHECK(swift_task_localValueGet(&key) == NULL);
  swift_task_localValuePush(&key, &one, &number_type);
  swift_task_localValuePush(&key, &two, &number_type);
  CHECK(((Number *)swift_task_localValueGet(&key))->value == 2);
  CHECK(swift_task_localValueGet(&other_key) == NULL);
  Task *task = new_task(run_closure, 'a', CREATE_COPY_LOCALS, NULL);
  swift_task_localValuePop();
  CHECK(((Number *)swift_task_localValueGet(&key))->value == 1);
  swift_task_localValuePop();
  CHECK(swift_task_localValueGet(&key) == NULL);
  Task *before = silc_setCurrentTask(task);
  CHECK(((Number *)swift_task_localValueGet(&key))->value == 2);
  silc_setCurrentTask(before);
  swift_retain(&task->job.header);
  silc_enqueueTask(task, generic_executor());
  run_all_jobs();
  // The two that were pushed, their copies, and that of the task.
  CHECK(destroyed_numbers == 5);
  release(task);
}

static void the_lock_of_a_stream_has_its_size_in_words(void) {
  CHECK(_swift_async_stream_lock_size() * sizeof(void *) >= 40);
  CHECK(_swift_async_stream_lock_size() <= 8);
}

RUN_TESTS(TEST(a_task_keeps_its_result_until_it_is_released),
          TEST(jobs_run_by_priority_and_then_as_they_came),
          TEST(delayed_jobs_run_when_they_are_due),
          TEST(a_task_waits_for_another), TEST(handlers_are_called_once),
          TEST(a_group_gives_all_results_of_its_children),
          TEST(the_children_of_a_cancelled_task_are_cancelled),
          TEST(an_actor_runs_its_jobs_by_priority),
          TEST(an_actor_ends_after_the_job_that_let_go_of_it),
          TEST(memory_of_a_task_is_a_stack),
          TEST(task_local_values_are_copied_into_new_tasks),
          TEST(the_lock_of_a_stream_has_its_size_in_words))
