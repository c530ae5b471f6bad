//===--- executor.c - where jobs run --------------------------------------===//
//
// Owns: how a job runs with an executor, how tasks change it, and whom a job is
// given to.
// Does not own: queues (job_queue.c, default_actor.c).
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

RUNTIME_ENTRY void silc_runJob(Job *job, Tracking *tracking) {
  silc_enterExecutor(tracking, tracking->executor);
  if (is_task(job)) {
    Task *task = (Task *)job;
    Task *outer = silc_setCurrentTask(task);
    job->resume(task->resume_context);
#ifndef HAS_TAIL_CALLS
    silc_runNotedParts();
#endif
    silc_setCurrentTask(outer);
  } else {
    job->run(job);
#ifndef HAS_TAIL_CALLS
    silc_runNotedParts();
#endif
  }
  silc_leaveExecutor(tracking);
}

static void leave_if_actor(Executor executor) {
  if (is_default_actor(executor) && IS_THERE(silc_leaveActor))
    silc_leaveActor((HeapObject *)executor.identity);
}

// A job that runs on no particular executor may enter an actor and leave it
// again; others come back to where they were called.
RUNTIME_ENTRY SWIFT_CALL void swift_job_run(Job *job, uintptr_t identity,
                                            uintptr_t implementation) {
  const Executor executor = {identity, implementation};
  Tracking tracking = {.executor = executor,
                       .may_switch = is_generic(executor)};
  silc_runJob(job, &tracking);
  if (tracking.may_switch)
    leave_if_actor(tracking.executor);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_job_run_on_serial_and_task_executor(Job *job, uintptr_t identity,
                                          uintptr_t implementation,
                                          uintptr_t task_executor,
                                          uintptr_t task_implementation) {
  (void)task_executor, (void)task_implementation;
  Tracking tracking = {.executor = {identity, implementation}};
  silc_runJob(job, &tracking);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_job_run_on_task_executor(Job *job, uintptr_t task_executor,
                               uintptr_t task_implementation) {
  swift_job_run_on_serial_and_task_executor(job, 0, 0, task_executor,
                                            task_implementation);
}

//===--- Changes of executors ---------------------------------------------===//

static bool can_give_up(const Tracking *tracking) {
  const Executor executor = tracking->executor;
  return tracking->may_switch &&
         executor.implementation != IMMEDIATE_START_IMPLEMENTATION &&
         (is_generic(executor) || is_default_actor(executor));
}

static bool try_enter(Executor executor) {
  if (is_generic(executor))
    return true;
  return is_default_actor(executor) && IS_THERE(silc_tryEnterActor) &&
         silc_tryEnterActor((HeapObject *)executor.identity);
}

RUNTIME_ENTRY ASYNC_CALL void
swift_task_switch(ASYNC_CONTEXT AsyncContext *context, AsyncResumption *resume,
                  uintptr_t identity, uintptr_t implementation) {
  const Executor executor = {identity, implementation};
  Tracking *tracking = silc_tracking();
  if (tracking->executor.identity == identity)
    GO_ON(resume, context);
  if (can_give_up(tracking) && try_enter(executor)) {
    leave_if_actor(tracking->executor);
    tracking->executor = executor;
    GO_ON(resume, context);
  }
  Task *task = silc_setCurrentTask(NULL);
  task->resume_context = context;
  task->job.resume = resume;
  silc_enqueueTask(task, executor);
}

//===--- Whom jobs are given to -------------------------------------------===//

// The witness for `enqueue` of an executor that a program defines. Its table
// has a head and the table of the protocol's own base before it.
typedef SWIFT_CALL void EnqueueWitness(Job *job, SWIFT_SELF void *executor,
                                       const void *type, const void *table);
enum { ENQUEUE_WITNESS = 2 };

static void enqueue_on_custom(Job *job, Executor executor) {
  const uintptr_t address =
      executor.implementation & ~(uintptr_t)EXECUTOR_TAG_BITS;
  void *const *table = (void *const *)address;
  HeapObject *object = (HeapObject *)executor.identity;
  ((EnqueueWitness *)table[ENQUEUE_WITNESS])(job, object, object->metadata,
                                             table);
}

#ifdef __linux__
static void enqueue_on_main(Job *job) {
  const bool locked = silc_lockTasks();
  silc_putMainJob(job);
  silc_unlockTasks(locked);
}
#endif

RUNTIME_ENTRY SWIFT_CALL void swift_task_enqueue(Job *job, uintptr_t identity,
                                                 uintptr_t implementation) {
  const Executor executor = {identity, implementation};
  if (is_generic(executor))
    silc_enqueueJob(job);
#ifdef __linux__
  else if (implementation == MAIN_IMPLEMENTATION)
    enqueue_on_main(job);
#endif
  else if (!is_default_actor(executor))
    enqueue_on_custom(job, executor);
  else if (IS_THERE(silc_enqueueOnActor))
    silc_enqueueOnActor((HeapObject *)identity, job);
}

RUNTIME_ENTRY void silc_enqueueTask(Task *task, Executor executor) {
  set_job_priority(&task->job, (Priority)swift_task_currentPriority(task));
  swift_task_enqueue(&task->job, executor.identity, executor.implementation);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_enqueueTaskOnExecutor(Task *task, uintptr_t identity,
                                 uintptr_t implementation) {
  silc_enqueueTask(task, (Executor){identity, implementation});
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_enqueueGlobal(Job *job) {
  silc_enqueueJob(job);
}

//===--- Tasks that start where they are created --------------------------===//

static void run_at_once(Task *task, Executor executor) {
  swift_retain(&task->job.header);
  Task *outer = silc_setCurrentTask(NULL);
  swift_job_run(&task->job, executor.identity, executor.implementation);
  silc_setCurrentTask(outer);
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_immediate(Task *task,
                                                   uintptr_t identity,
                                                   uintptr_t implementation) {
  Executor executor = {identity, implementation};
  if (is_generic(executor))
    executor.implementation = IMMEDIATE_START_IMPLEMENTATION;
  run_at_once(task, executor);
}
