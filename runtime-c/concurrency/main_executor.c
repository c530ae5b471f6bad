//===--- main_executor.c - the main thread --------------------------------===//
//
// Owns: the loop of the main thread, which executor is the main one, and tasks
// that start there.
//
// While there is one thread, all is run by it, and the main executor is the
// generic one. Otherwise the main thread runs what is enqueued for the main
// executor, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

#ifdef __linux__

void silc_startThreads(void);
void silc_waitForMainJob(void); // with the lock held
void silc_wakeMainThread(void); // with the lock held

// The lock guards it.
typedef struct MainJobs {
  Job *first, *last;
} MainJobs;
extern MainJobs silc_mainJobs;
RUNTIME_STATE MainJobs silc_mainJobs;

extern THREAD_LOCAL bool silc_isOtherThread;

RUNTIME_ENTRY Executor silc_mainExecutor(void) {
  if (LIKELY(silc_threadCount() == 1))
    return generic_executor();
  return (Executor){(uintptr_t)&silc_mainJobs, MAIN_IMPLEMENTATION};
}

RUNTIME_ENTRY bool silc_isMainThread(void) { return !silc_isOtherThread; }

RUNTIME_ENTRY void silc_putMainJob(Job *job) {
  job->next = NULL;
  if (silc_mainJobs.last != NULL)
    silc_mainJobs.last->next = job;
  else
    silc_mainJobs.first = job;
  silc_mainJobs.last = job;
  silc_wakeMainThread();
}

static Job *take_main_job(void) {
  Job *job = silc_mainJobs.first;
  if (job != NULL)
    silc_mainJobs.first = job->next;
  if (silc_mainJobs.first == NULL)
    silc_mainJobs.last = NULL;
  return job;
}

__attribute__((noreturn)) static void run_main_jobs(Executor executor) {
  silc_startThreads();
  for (;;) {
    const bool locked = silc_lockTasks();
    Job *job = take_main_job();
    if (job == NULL)
      silc_waitForMainJob();
    silc_unlockTasks(locked);
    if (job != NULL)
      swift_job_run(job, executor.identity, executor.implementation);
  }
}

#else

RUNTIME_ENTRY Executor silc_mainExecutor(void) { return generic_executor(); }

RUNTIME_ENTRY bool silc_isMainThread(void) { return true; }

#endif

__attribute__((noreturn)) static void run_all_jobs(void) {
  for (;;) {
    const bool locked = silc_lockTasks();
    Job *job = silc_takeJob();
    if (job == NULL)
      silc_waitForJob();
    silc_unlockTasks(locked);
    if (job != NULL)
      swift_job_run(job, 0, 0);
  }
}

RUNTIME_ENTRY SWIFT_CALL __attribute__((noreturn)) void
swift_task_asyncMainDrainQueue(void) {
#ifdef __linux__
  const Executor executor = silc_mainExecutor();
  if (!is_generic(executor))
    run_main_jobs(executor);
#endif
  run_all_jobs();
}

RUNTIME_ENTRY SWIFT_CALL Executor swift_task_getMainExecutor(void) {
  return silc_mainExecutor();
}

RUNTIME_ENTRY SWIFT_CALL bool
swift_task_isMainExecutor(uintptr_t identity, uintptr_t implementation) {
  (void)implementation;
  return identity == silc_mainExecutor().identity;
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_enqueueMainExecutor(Job *job) {
  const Executor executor = silc_mainExecutor();
  swift_task_enqueue(job, executor.identity, executor.implementation);
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_startOnMainActor(Task *task) {
  const Executor executor = silc_mainExecutor();
  swift_retain(&task->job.header);
  Task *outer = silc_setCurrentTask(NULL);
  swift_job_run(&task->job, executor.identity, executor.implementation);
  silc_setCurrentTask(outer);
}
