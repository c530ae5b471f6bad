//===--- job_queue.c - the generic executor -------------------------------===//
//
// Owns: the queue of jobs that run wherever a thread is free.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

// Jobs of one range of priorities, as they came.
typedef struct Bucket {
  Job *first, *last;
} Bucket;

enum { BUCKET_COUNT = 5 };

// The lock guards it.
extern Bucket silc_jobs[BUCKET_COUNT];
RUNTIME_STATE Bucket silc_jobs[BUCKET_COUNT];

static Bucket *bucket_of(Priority priority) {
  if (priority > PRIORITY_USER_INITIATED)
    return &silc_jobs[0];
  if (priority > PRIORITY_DEFAULT)
    return &silc_jobs[1];
  if (priority > PRIORITY_UTILITY)
    return &silc_jobs[2];
  if (priority > PRIORITY_BACKGROUND)
    return &silc_jobs[3];
  return &silc_jobs[4];
}

RUNTIME_ENTRY void silc_putJob(Job *job) {
  Bucket *bucket = bucket_of(job_priority(job));
  job->next = NULL;
  if (bucket->last != NULL)
    bucket->last->next = job;
  else
    bucket->first = job;
  bucket->last = job;
  silc_wakeThread();
}

static Job *first_job(void) {
  for (int number = 0; number < BUCKET_COUNT; number++) {
    Bucket *bucket = &silc_jobs[number];
    Job *job = bucket->first;
    if (job == NULL)
      continue;
    bucket->first = job->next;
    if (bucket->first == NULL)
      bucket->last = NULL;
    return job;
  }
  return NULL;
}

RUNTIME_ENTRY void silc_enqueueJob(Job *job) {
  const bool locked = silc_lockTasks();
  silc_putJob(job);
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY Job *silc_takeJob(void) {
  if (IS_THERE(silc_takeDueJobs))
    silc_takeDueJobs();
  return first_job();
}

RUNTIME_ENTRY void silc_waitForJob(void) {
  silc_waitUntil(IS_THERE(silc_nextDeadline) ? silc_nextDeadline()
                                             : UINT64_MAX);
}

static bool has_delayed_jobs(void) {
  return IS_THERE(silc_nextDeadline) && silc_nextDeadline() != UINT64_MAX;
}

// Runs jobs until a condition holds, or until there are none left.
RUNTIME_ENTRY SWIFT_CALL void
swift_task_donateThreadToGlobalExecutorUntil(bool (*condition)(void *),
                                             void *context) {
  while (!condition(context)) {
    const bool locked = silc_lockTasks();
    Job *job = silc_takeJob();
    const bool must_wait = job == NULL && has_delayed_jobs();
    if (must_wait)
      silc_waitForJob();
    silc_unlockTasks(locked);
    if (job != NULL)
      swift_job_run(job, 0, 0);
    else if (!must_wait)
      return;
  }
}
