//===--- timers.c - jobs that wait for their time -------------------------===//
//
// Owns: the list of jobs that are to run later, in the order of their times.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

// The lock guards both.
extern Job *silc_firstDelayed, *silc_lastDelayed;
RUNTIME_STATE Job *silc_firstDelayed, *silc_lastDelayed;

// The time of a job that waits is in two words that nobody else uses.
static uint64_t *deadline_of(Job *job) {
#if UINTPTR_MAX > UINT32_MAX
  return (uint64_t *)&job->reserved;
#else
  _Static_assert(offsetof(Job, voucher) % _Alignof(uint64_t) == 0,
                 "the words of the time are aligned");
  return (uint64_t *)&job->voucher;
#endif
}

static void put_delayed(Job *job, uint64_t deadline) {
  *deadline_of(job) = deadline;
  Job **place = &silc_firstDelayed;
  if (silc_lastDelayed != NULL && *deadline_of(silc_lastDelayed) <= deadline)
    place = &silc_lastDelayed->next;
  while (*place != NULL && *deadline_of(*place) <= deadline)
    place = &(*place)->next;
  job->next = *place;
  *place = job;
  if (job->next == NULL)
    silc_lastDelayed = job;
}

RUNTIME_ENTRY void silc_takeDueJobs(void) {
  if (silc_firstDelayed == NULL)
    return;
  const uint64_t now = silc_monotonicNanoseconds();
  while (silc_firstDelayed != NULL && *deadline_of(silc_firstDelayed) <= now) {
    Job *job = silc_firstDelayed;
    silc_firstDelayed = job->next;
    if (silc_firstDelayed == NULL)
      silc_lastDelayed = NULL;
    silc_putJob(job);
  }
}

RUNTIME_ENTRY uint64_t silc_nextDeadline(void) {
  return silc_firstDelayed != NULL ? *deadline_of(silc_firstDelayed)
                                   : UINT64_MAX;
}

static void enqueue_later(Job *job, uint64_t delay) {
  const uint64_t now = silc_monotonicNanoseconds();
  const uint64_t deadline = delay > UINT64_MAX - 1 - now ? UINT64_MAX - 1
                                                         : now + delay;
  const bool locked = silc_lockTasks();
  put_delayed(job, deadline);
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_enqueueGlobalWithDelay(unsigned long long nanoseconds, Job *job) {
  enqueue_later(job, nanoseconds);
}

// A time on a clock, as seconds and nanoseconds; the tolerance is not used.
RUNTIME_ENTRY SWIFT_CALL void swift_task_enqueueGlobalWithDeadline(
    long long seconds, long long nanoseconds, long long tolerance_seconds,
    long long tolerance_nanoseconds, int clock, Job *job) {
  (void)tolerance_seconds, (void)tolerance_nanoseconds, (void)clock;
  enum { PER_SECOND = 1000000000 };
  const long long now = (long long)silc_monotonicNanoseconds();
  const long long then = seconds * PER_SECOND + nanoseconds;
  enqueue_later(job, then > now ? (uint64_t)(then - now) : 0);
}
