//===--- task_group.c - groups of child tasks -----------------------------===//
//
// Owns: task groups, those that collect results and those that discard them:
// their children, who waits for them, what is ready.
//
// A group lives in memory that its creator's frame has. The lock guards all of
// it but what is fixed from the start.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

enum { GROUP_WORDS = 32, GROUP_DISCARDS = 1 << 8 };

struct TaskGroup {
  Record record;
  ResultType result_type; // of each child
  bool discards;
  bool is_cancelled;
  size_t pending; // children that nobody has the result of
  Task *first_child, *last_child; // those that run
  // Those whose results are ready, by job.next; each is retained.
  Task *first_ready, *last_ready;
  Task *waiter;
  void *error; // the first of a discarding group
};

_Static_assert(sizeof(TaskGroup) <= GROUP_WORDS * sizeof(void *),
               "IRGen gives a group 32 words");

//===--- The group and its children ---------------------------------------===//

RUNTIME_ENTRY SWIFT_CALL void
swift_taskGroup_initializeWithOptions(size_t flags, TaskGroup *group,
                                      const void *metadata,
                                      const Option *options) {
  (void)metadata;
  Task *task = swift_task_getCurrent();
  *group = (TaskGroup){.record = {NULL, RECORD_GROUP}};
  group->discards = (flags & GROUP_DISCARDS) != 0;
  for (; options != NULL; options = options->next)
    if ((options->flags & 0xFF) == OPTION_RESULT_TYPE)
      group->result_type = options->result_type;
  const bool locked = silc_lockTasks();
  group->is_cancelled = task->is_cancelled;
  group->record.outer = task->records;
  task->records = &group->record;
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY SWIFT_CALL void swift_taskGroup_destroy(TaskGroup *group) {
  silc_removeRecord(swift_task_getCurrent(), &group->record);
  if (group->error != NULL)
    swift_release(group->error);
}

RUNTIME_ENTRY Task *silc_firstChild(TaskGroup *group) {
  return group->first_child;
}

RUNTIME_ENTRY TaskGroup *silc_groupOfRecord(Record *record) {
  return (TaskGroup *)record;
}

// Gives false where it was cancelled already.
RUNTIME_ENTRY bool silc_markGroupCancelled(TaskGroup *group) {
  const bool was_cancelled = group->is_cancelled;
  group->is_cancelled = true;
  return !was_cancelled;
}

RUNTIME_ENTRY void silc_addPending(TaskGroup *group) {
  const bool locked = silc_lockTasks();
  group->pending++;
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY void silc_attachChild(TaskGroup *group, Task *child) {
  const bool locked = silc_lockTasks();
  child->previous_sibling = group->last_child;
  if (group->last_child != NULL)
    group->last_child->next_sibling = child;
  else
    group->first_child = child;
  group->last_child = child;
  child->is_cancelled = group->is_cancelled || child->parent->is_cancelled;
  if (child->parent->priority > child->priority)
    child->priority = child->parent->priority;
  silc_unlockTasks(locked);
}

static void detach_child(TaskGroup *group, Task *child) {
  Task *previous = child->previous_sibling, *next = child->next_sibling;
  *(previous != NULL ? &previous->next_sibling : &group->first_child) = next;
  *(next != NULL ? &next->previous_sibling : &group->last_child) = previous;
}

//===--- Results ----------------------------------------------------------===//

// An optional's case without a value, of the only one that has none.
static void store_none(const TaskGroup *group, void *result) {
  group->result_type.store_enum_tag(result, 1, 1, NULL);
}

// Gives a waiter the result of a child that has completed.
static void fill_with_child(WaitContext *context, const Task *child) {
  if (child->error != NULL) {
    context->error = swift_retain(child->error);
    return;
  }
  copy_value(&child->result_type, context->result, child->result);
  child->result_type.store_enum_tag(context->result, 0, 1, NULL);
}

static void append_ready(TaskGroup *group, Task *child) {
  swift_retain(&child->job.header);
  child->job.next = NULL;
  if (group->last_ready != NULL)
    group->last_ready->job.next = &child->job;
  else
    group->first_ready = child;
  group->last_ready = child;
}

static Task *take_ready(TaskGroup *group) {
  Task *child = group->first_ready;
  if (child == NULL)
    return NULL;
  group->first_ready = (Task *)child->job.next;
  if (group->first_ready == NULL)
    group->last_ready = NULL;
  return child;
}

static Task *take_waiter(TaskGroup *group) {
  Task *waiter = group->waiter;
  group->waiter = NULL;
  return waiter;
}

// A child of a collecting group has completed.
static void offer_result(TaskGroup *group, Task *child) {
  const bool locked = silc_lockTasks();
  detach_child(group, child);
  Task *waiter = take_waiter(group);
  if (waiter != NULL)
    group->pending--;
  else
    append_ready(group, child);
  silc_unlockTasks(locked);
  if (waiter == NULL)
    return;
  fill_with_child((WaitContext *)waiter->resume_context, child);
  silc_enqueueTask(waiter, generic_executor());
}

// A child of a discarding group has completed. The first one that fails
// cancels the others.
static void offer_end(TaskGroup *group, Task *child) {
  bool locked = silc_lockTasks();
  detach_child(group, child);
  const bool is_first_error = child->error != NULL && group->error == NULL;
  if (is_first_error)
    group->error = swift_retain(child->error);
  silc_unlockTasks(locked);
  // The group is there until this child no longer counts.
  if (child->error != NULL)
    silc_cancelGroup(group);
  locked = silc_lockTasks();
  group->pending--;
  Task *waiter = group->pending == 0 ? take_waiter(group) : NULL;
  void *error = NULL;
  if (waiter != NULL) {
    error = group->error;
    group->error = NULL;
  }
  silc_unlockTasks(locked);
  if (waiter == NULL)
    return;
  WaitContext *context = (WaitContext *)waiter->resume_context;
  context->error = error;
  if (error == NULL)
    store_none(group, context->result);
  silc_enqueueTask(waiter, generic_executor());
}

// Tells the group of a child that has completed. The group may be gone when
// this returns.
RUNTIME_ENTRY void silc_offerToGroup(TaskGroup *group, Task *child) {
  if (group->discards)
    offer_end(group, child);
  else
    offer_result(group, child);
}

//===--- Waiting ----------------------------------------------------------===//

static ASYNC_CALL void resume_waiter(ASYNC_CONTEXT AsyncContext *context) {
  void *error = ((WaitContext *)context)->error;
  GO_ON_THROWING(context->throwing_resume_parent, context->parent, error);
}

static void suspend(TaskGroup *group, WaitContext *context) {
  Task *task = silc_setCurrentTask(NULL);
  task->job.resume = resume_waiter;
  task->resume_context = &context->head;
  group->waiter = task;
}

static void prepare_wait(WaitContext *context, AsyncContext *caller,
                         AsyncThrowingResumption *resume, void *result) {
  context->head.parent = caller;
  context->head.throwing_resume_parent = resume;
  context->result = result;
  context->error = NULL;
}

// The next result that is ready, or none where no children are left.
RUNTIME_ENTRY ASYNC_CALL void
swift_taskGroup_wait_next_throwing(void *result,
                                   ASYNC_CONTEXT AsyncContext *caller,
                                   TaskGroup *group,
                                   AsyncThrowingResumption *resume,
                                   WaitContext *context) {
  prepare_wait(context, caller, resume, result);
  const bool locked = silc_lockTasks();
  Task *child = take_ready(group);
  const bool must_wait = child == NULL && group->pending != 0;
  if (must_wait)
    suspend(group, context);
  else if (child != NULL)
    group->pending--;
  silc_unlockTasks(locked);
  if (must_wait)
    SUSPEND();
  if (child != NULL) {
    fill_with_child(context, child);
    swift_release(&child->job.header);
  } else {
    store_none(group, result);
  }
  GO_ON_THROWING(resume, caller, context->error);
}

// Results that were not requested.
static void release_ready(TaskGroup *group) {
  for (;;) {
    const bool locked = silc_lockTasks();
    Task *child = take_ready(group);
    if (child != NULL)
      group->pending--;
    silc_unlockTasks(locked);
    if (child == NULL)
      return;
    swift_release(&child->job.header);
  }
}

// Waits until a discarding group has no children. What its body threw comes
// before what a child threw, unless the child did so first.
RUNTIME_ENTRY ASYNC_CALL void
swift_taskGroup_waitAll(void *result, ASYNC_CONTEXT AsyncContext *caller,
                        TaskGroup *group, void *body_error,
                        AsyncThrowingResumption *resume, WaitContext *context) {
  prepare_wait(context, caller, resume, result);
  release_ready(group);
  const bool locked = silc_lockTasks();
  const bool must_wait = group->pending != 0;
  if (must_wait) {
    if (body_error != NULL && group->error == NULL)
      group->error = swift_retain(body_error);
    suspend(group, context);
  }
  silc_unlockTasks(locked);
  if (must_wait)
    SUSPEND();
  if (body_error != NULL) {
    context->error = swift_retain(body_error);
  } else {
    context->error = group->error;
    group->error = NULL;
  }
  if (context->error == NULL)
    store_none(group, result);
  GO_ON_THROWING(resume, caller, context->error);
}

//===--- Questions --------------------------------------------------------===//

RUNTIME_ENTRY SWIFT_CALL bool swift_taskGroup_addPending(TaskGroup *group,
                                                         bool unconditionally) {
  const bool locked = silc_lockTasks();
  const bool is_cancelled = group->is_cancelled;
  if (unconditionally || !is_cancelled)
    group->pending++;
  silc_unlockTasks(locked);
  return !is_cancelled;
}

RUNTIME_ENTRY SWIFT_CALL bool swift_taskGroup_isEmpty(TaskGroup *group) {
  const bool locked = silc_lockTasks();
  const bool is_empty = group->pending == 0;
  silc_unlockTasks(locked);
  return is_empty;
}

RUNTIME_ENTRY SWIFT_CALL bool swift_taskGroup_isCancelled(TaskGroup *group) {
  const bool locked = silc_lockTasks();
  const bool is_cancelled = group->is_cancelled;
  silc_unlockTasks(locked);
  return is_cancelled;
}

RUNTIME_ENTRY SWIFT_CALL void swift_taskGroup_cancelAll(TaskGroup *group) {
  silc_cancelGroup(group);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_cancel_group_child_tasks(TaskGroup *group) {
  silc_cancelGroup(group);
}
