//===--- continuation.c - tasks that somebody else resumes ----------------===//
//
// Owns: continuations, and jobs that resume one (Task.yield is made of them).
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

// Flags of a continuation that compiled code makes.
enum {
  HAS_EXECUTOR = 1 << 1, // and the context says which
  IS_AWAITED = 1 << 2,   // from the start
  SWITCHES_ALWAYS = 1 << 3
};

typedef enum ContinuationState {
  NOT_AWAITED,
  AWAITED,
  RESUMED // before anybody awaited it
} ContinuationState;

// IRGen knows the layout (irgen/src/instructions/concurrency/continuations.rs).
typedef struct ContinuationContext {
  AsyncContext head;
  size_t flags;
  size_t state; // guarded by the lock
  void *error;
  void *result;
  Executor executor;
} ContinuationContext;

RUNTIME_ENTRY SWIFT_CALL Task *
swift_continuation_init(ContinuationContext *context, size_t flags) {
  context->flags = flags;
  context->state = NOT_AWAITED;
  context->error = NULL;
  if ((flags & HAS_EXECUTOR) == 0)
    context->executor = generic_executor();
  Task *task = swift_task_getCurrent();
  if ((flags & IS_AWAITED) != 0) {
    context->state = AWAITED;
    silc_setCurrentTask(NULL);
  }
  task->resume_context = &context->head;
  task->job.resume = context->head.resume_parent;
  return task;
}

RUNTIME_ENTRY ASYNC_CALL void
swift_continuation_await(ContinuationContext *context) {
  const bool locked = silc_lockTasks();
  const bool must_wait = context->state == NOT_AWAITED;
  if (must_wait) {
    context->state = AWAITED;
    silc_setCurrentTask(NULL);
  }
  silc_unlockTasks(locked);
  if (must_wait)
    return;
  AsyncResumption *const resume = context->head.resume_parent;
  if ((context->flags & SWITCHES_ALWAYS) != 0) {
    const Executor executor = context->executor;
#ifdef HAS_TAIL_CALLS
    return swift_task_switch(&context->head, resume, executor.identity,
                             executor.implementation);
#else
    swift_task_switch(&context->head, resume, executor.identity,
                      executor.implementation);
    return;
#endif
  }
  GO_ON(resume, &context->head);
}

static void resume(Task *task, void *error) {
  ContinuationContext *context = (ContinuationContext *)task->resume_context;
  if (error != NULL)
    context->error = error;
  const bool locked = silc_lockTasks();
  const bool is_awaited = context->state == AWAITED;
  if (!is_awaited)
    context->state = RESUMED;
  const Executor executor = context->executor;
  silc_unlockTasks(locked);
  if (is_awaited)
    silc_enqueueTask(task, executor);
}

RUNTIME_ENTRY SWIFT_CALL void swift_continuation_resume(Task *task) {
  resume(task, NULL);
}

RUNTIME_ENTRY SWIFT_CALL void swift_continuation_throwingResume(Task *task) {
  resume(task, NULL);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_continuation_throwingResumeWithError(Task *task, void *error) {
  resume(task, error);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_continuation_logFailedCheck(const char *message) {
  silc_writeErrorText(message);
}

RUNTIME_ENTRY SWIFT_CALL Task *swift_task_suspend(void) {
  return silc_setCurrentTask(NULL);
}

//===--- Jobs that resume -------------------------------------------------===//

typedef struct ResumingJob {
  Job job;
  Task *task;
} ResumingJob;

static ASYNC_CALL void run_resuming_job(Job *job) {
  Task *task = ((ResumingJob *)job)->task;
  silc_deallocate(job);
  swift_continuation_resume(task);
}

RUNTIME_ENTRY SWIFT_CALL Job *
swift_task_createNullaryContinuationJob(size_t priority, Task *task) {
  ResumingJob *job =
      silc_allocate(sizeof(ResumingJob), _Alignof(max_align_t) - 1);
  *job = (ResumingJob){.task = task};
  job->job.flags = JOB_RESUMES_CONTINUATION;
  set_job_priority(&job->job, (Priority)priority);
  job->job.run = run_resuming_job;
  return &job->job;
}
