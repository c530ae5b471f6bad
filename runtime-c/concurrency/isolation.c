//===--- isolation.c - whether code runs where it should ------------------===//
//
// Owns: checks of the executor that code runs on, and deinits that have to run
// on one.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

static bool is_current(Executor executor) {
  if (silc_tracking() == NULL)
    return executor.identity == silc_mainExecutor().identity &&
           silc_isMainThread();
  return silc_currentExecutor().identity == executor.identity;
}

RUNTIME_ENTRY SWIFT_CALL bool
swift_task_isCurrentExecutor(uintptr_t identity, uintptr_t implementation) {
  return is_current((Executor){identity, implementation});
}

RUNTIME_ENTRY SWIFT_CALL bool
swift_task_isCurrentExecutorWithFlags(uintptr_t identity,
                                      uintptr_t implementation,
                                      uint64_t flags) {
  (void)flags;
  return is_current((Executor){identity, implementation});
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_checkIsolated(uintptr_t identity, uintptr_t implementation) {
  if (!is_current((Executor){identity, implementation}))
    silc_fatalError("code runs on another executor than it must");
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_reportUnexpectedExecutor(const char *file, uintptr_t file_length,
                                    bool file_is_ascii, uintptr_t line,
                                    uintptr_t identity,
                                    uintptr_t implementation) {
  (void)file_is_ascii, (void)line, (void)identity, (void)implementation;
  silc_writeError(file, file_length);
  silc_writeErrorText(": ");
  silc_fatalError("Incorrect actor executor assumption");
}

RUNTIME_ENTRY SWIFT_CALL bool
swift_executor_isComplexEquality(uintptr_t identity, uintptr_t implementation) {
  (void)identity;
  return (implementation & COMPLEX_EQUALITY_BIT) != 0;
}

// The executor that is active, without default actors.
RUNTIME_ENTRY SWIFT_CALL Executor _swift_getActiveExecutor(void) {
  const Executor executor = silc_currentExecutor();
  return is_default_actor(executor) ? generic_executor() : executor;
}

RUNTIME_ENTRY SWIFT_CALL Executor _swift_getCurrentTaskExecutor(void) {
  return generic_executor();
}

RUNTIME_ENTRY SWIFT_CALL Executor _swift_getPreferredTaskExecutor(void) {
  return generic_executor();
}

RUNTIME_ENTRY SWIFT_CALL Executor swift_task_getPreferredTaskExecutor(void) {
  return generic_executor();
}

//===--- Deinits ----------------------------------------------------------===//

typedef SWIFT_CALL void DeinitWork(void *object);

typedef struct DeinitJob {
  Job job;
  void *object;
  DeinitWork *work;
} DeinitJob;

static ASYNC_CALL void run_deinit_job(Job *job) {
  DeinitJob *deinit = (DeinitJob *)job;
  void *object = deinit->object;
  DeinitWork *work = deinit->work;
  silc_deallocate(deinit);
  work(object);
}

static void run_deinit_on(Executor executor, void *object, DeinitWork *work) {
  Tracking tracking = {.executor = executor};
  silc_enterExecutor(&tracking, executor);
  work(object);
  silc_leaveExecutor(&tracking);
  silc_leaveActor((HeapObject *)executor.identity);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_deinitOnExecutor(void *object, DeinitWork *work, uintptr_t identity,
                            uintptr_t implementation, size_t flags) {
  (void)flags;
  const Executor executor = {identity, implementation};
  if (is_current(executor)) {
    work(object);
    return;
  }
  // Nobody else can want an actor that is about to go.
  if (is_default_actor(executor) && (uintptr_t)object == identity &&
      IS_THERE(silc_tryEnterActor) && silc_tryEnterActor(object)) {
    run_deinit_on(executor, object, work);
    return;
  }
  Task *task = swift_task_getCurrent();
  DeinitJob *job = silc_allocate(sizeof(DeinitJob), _Alignof(max_align_t) - 1);
  *job = (DeinitJob){.object = object, .work = work};
  job->job.flags = JOB_IS_ISOLATED_DEINIT;
  set_job_priority(&job->job,
                   task != NULL
                       ? (Priority)swift_task_currentPriority(task)
                       : (Priority)swift_task_getCurrentThreadPriority());
  job->job.run = run_deinit_job;
  swift_task_enqueue(&job->job, identity, implementation);
}
