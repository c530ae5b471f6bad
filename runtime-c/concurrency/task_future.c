//===--- task_future.c - the results of tasks -----------------------------===//
//
// Owns: how a task completes, and how others wait for its result.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

//===--- Completion -------------------------------------------------------===//

static void copy_result(const Task *task, void *to) {
  copy_value(&task->result_type, to, task->result);
}

// Wakes the tasks that waited, the last that came first.
static void wake_waiters(Task *task, Task *waiter) {
  while (waiter != NULL) {
    Task *next = (Task *)waiter->job.next;
    WaitContext *context = (WaitContext *)waiter->resume_context;
    if (task->error != NULL)
      context->error = swift_retain(task->error);
    else
      copy_result(task, context->result);
    silc_enqueueTask(waiter, generic_executor());
    waiter = next;
  }
}

static void complete_future(Task *task) {
  const bool locked = silc_lockTasks();
  Task *waiters = task->waiters;
  task->waiters = NULL;
  task->status = task->error != NULL ? FUTURE_FAILED : FUTURE_SUCCEEDED;
  silc_unlockTasks(locked);
  wake_waiters(task, waiters);
}

// The first context of each task goes on here when its code has ended.
RUNTIME_ENTRY ASYNC_CALL void
silc_completeTask(ASYNC_CONTEXT AsyncContext *context, SWIFT_SELF void *error) {
  (void)context;
  Task *task = silc_setCurrentTask(NULL);
  if (!has_job_flag(task, JOB_KEEPS_CLOSURE))
    swift_release(task->operation_context);
  task->error = error;
  silc_destroyLocals(task);
  silc_freeTaskMemory(task);
  if (task->group != NULL)
    silc_offerToGroup(task->group, task);
  complete_future(task);
  swift_release(&task->job.header);
}

RUNTIME_ENTRY void silc_destroyFuture(Task *task) {
  if (task->status == FUTURE_SUCCEEDED)
    destroy_value(&task->result_type, task->result);
  else if (task->status == FUTURE_FAILED)
    swift_release(task->error);
}

//===--- Waiting ----------------------------------------------------------===//

static ASYNC_CALL void resume_waiter(ASYNC_CONTEXT AsyncContext *context) {
  GO_ON(context->resume_parent, context->parent);
}

static ASYNC_CALL void
resume_throwing_waiter(ASYNC_CONTEXT AsyncContext *context) {
  void *error = ((WaitContext *)context)->error;
  GO_ON_THROWING(context->throwing_resume_parent, context->parent, error);
}

// Whether the current task has to wait for `task`. It is suspended then.
static bool must_wait(Task *task, WaitContext *context,
                      AsyncResumption *resume) {
  Task *waiter = swift_task_getCurrent();
  swift_task_escalate(task, (uint8_t)swift_task_currentPriority(waiter));
  const bool locked = silc_lockTasks();
  const bool must_wait = task->status == FUTURE_RUNS;
  if (must_wait) {
    waiter->job.resume = resume;
    waiter->resume_context = &context->head;
    waiter->job.next = (Job *)task->waiters;
    task->waiters = waiter;
    silc_setCurrentTask(NULL);
  }
  silc_unlockTasks(locked);
  return must_wait;
}

static void prepare_wait(WaitContext *context, AsyncContext *caller,
                         void *result) {
  context->head.parent = caller;
  context->result = result;
  context->error = NULL;
}

RUNTIME_ENTRY ASYNC_CALL void
swift_task_future_wait(void *result, ASYNC_CONTEXT AsyncContext *caller,
                       Task *task, AsyncResumption *resume,
                       WaitContext *context) {
  prepare_wait(context, caller, result);
  context->head.resume_parent = resume;
  if (must_wait(task, context, resume_waiter))
    SUSPEND();
  if (task->status == FUTURE_FAILED)
    silc_fatalError("a task failed that cannot throw");
  copy_result(task, result);
  GO_ON(resume, caller);
}

RUNTIME_ENTRY ASYNC_CALL void
swift_task_future_wait_throwing(void *result,
                                ASYNC_CONTEXT AsyncContext *caller, Task *task,
                                AsyncThrowingResumption *resume,
                                WaitContext *context) {
  prepare_wait(context, caller, result);
  context->head.throwing_resume_parent = resume;
  if (must_wait(task, context, resume_throwing_waiter))
    SUSPEND();
  void *error = NULL;
  if (task->status == FUTURE_FAILED)
    error = swift_retain(task->error);
  else
    copy_result(task, result);
  GO_ON_THROWING(resume, caller, error);
}
