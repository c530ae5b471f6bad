//===--- threads.c - threads under Linux ----------------------------------===//
//
// Owns: the lock, how threads wait for jobs, and the threads that run them
// beside the main one.
//
// All jobs run on the main thread unless SILC_THREADS in the environment says
// on how many others, or the program defines silc_threadCount. Those are
// started when the first part of `main` has run. POSIX's threads are used where
// the program is linked with them.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

#ifdef __linux__

#define IMPORTED __attribute__((weak, visibility("default")))

// Large enough for each C library's. All of them take zeroes for a new one.
typedef struct Mutex {
  _Alignas(16) char content[64];
} Mutex;
typedef struct Condition {
  _Alignas(16) char content[64];
} Condition;
typedef struct Time {
  long seconds, nanoseconds;
} Time;

int pthread_mutex_lock(Mutex *mutex) IMPORTED;
int pthread_mutex_unlock(Mutex *mutex) IMPORTED;
int pthread_cond_init(Condition *condition, const void *attributes) IMPORTED;
int pthread_cond_wait(Condition *condition, Mutex *mutex) IMPORTED;
int pthread_cond_timedwait(Condition *condition, Mutex *mutex,
                           const Time *time) IMPORTED;
int pthread_cond_signal(Condition *condition) IMPORTED;
int pthread_condattr_init(void *attributes) IMPORTED;
int pthread_condattr_setclock(void *attributes, int clock) IMPORTED;
int pthread_create(uintptr_t *thread, const void *attributes,
                   void *(*run)(void *), void *argument) IMPORTED;
int pthread_detach(uintptr_t thread) IMPORTED;
long sysconf(int name) IMPORTED;
int nanosleep(const Time *time, Time *rest)
    __attribute__((visibility("default")));

enum { PER_SECOND = 1000000000, CLOCK_IS_MONOTONIC = 1, PROCESSORS = 84 };

extern Mutex silc_tasksMutex;
RUNTIME_STATE Mutex silc_tasksMutex;
extern Condition silc_jobsCondition, silc_mainJobsCondition;
RUNTIME_STATE Condition silc_jobsCondition, silc_mainJobsCondition;
extern bool silc_hasConditions;
RUNTIME_STATE bool silc_hasConditions;

extern THREAD_LOCAL bool silc_isOtherThread;
RUNTIME_STATE THREAD_LOCAL bool silc_isOtherThread;

//===--- The lock ---------------------------------------------------------===//

RUNTIME_ENTRY bool silc_lockTasks(void) {
  if (is_single_threaded() || !IS_LINKED(pthread_mutex_lock))
    return false;
  pthread_mutex_lock(&silc_tasksMutex);
  return true;
}

RUNTIME_ENTRY void silc_unlockTasks(bool was_locked) {
  if (was_locked)
    pthread_mutex_unlock(&silc_tasksMutex);
}

//===--- Waiting ----------------------------------------------------------===//

static void initialize_condition(Condition *condition) {
  _Alignas(16) char attributes[64];
  pthread_condattr_init(attributes);
  pthread_condattr_setclock(attributes, CLOCK_IS_MONOTONIC);
  pthread_cond_init(condition, attributes);
}

static void require_conditions(void) {
  if (silc_hasConditions)
    return;
  initialize_condition(&silc_jobsCondition);
  initialize_condition(&silc_mainJobsCondition);
  silc_hasConditions = true;
}

static Time time_of(uint64_t nanoseconds) {
  return (Time){(long)(nanoseconds / PER_SECOND),
                (long)(nanoseconds % PER_SECOND)};
}

// Without another thread nothing can happen before the time.
static void sleep_until(uint64_t nanoseconds) {
  if (nanoseconds == UINT64_MAX)
    silc_fatalError("no task can run any more: each of them waits");
  const uint64_t now = silc_monotonicNanoseconds();
  if (nanoseconds <= now)
    return;
  const Time time = time_of(nanoseconds - now);
  nanosleep(&time, NULL);
}

RUNTIME_ENTRY void silc_waitUntil(uint64_t nanoseconds) {
  if (is_single_threaded() || !IS_LINKED(pthread_mutex_lock)) {
    sleep_until(nanoseconds);
    return;
  }
  require_conditions();
  if (nanoseconds == UINT64_MAX) {
    pthread_cond_wait(&silc_jobsCondition, &silc_tasksMutex);
    return;
  }
  const Time time = time_of(nanoseconds);
  pthread_cond_timedwait(&silc_jobsCondition, &silc_tasksMutex, &time);
}

RUNTIME_ENTRY void silc_wakeThread(void) {
  if (silc_hasConditions)
    pthread_cond_signal(&silc_jobsCondition);
}

extern void silc_waitForMainJob(void);
RUNTIME_ENTRY void silc_waitForMainJob(void) {
  require_conditions();
  pthread_cond_wait(&silc_mainJobsCondition, &silc_tasksMutex);
}

extern void silc_wakeMainThread(void);
RUNTIME_ENTRY void silc_wakeMainThread(void) {
  if (silc_hasConditions)
    pthread_cond_signal(&silc_mainJobsCondition);
}

//===--- The other threads ------------------------------------------------===//

static int processor_count(void) {
  const long count = IS_LINKED(sysconf) ? sysconf(PROCESSORS) : 1;
  return count < 1 ? 1 : (int)count;
}

// A number, or `all` for one thread for each processor.
static int asked_thread_count(void) {
  enum { MAXIMUM = 1024 };
  const char *text = getenv("SILC_THREADS");
  if (text == NULL)
    return 1;
  if (strcmp(text, "all") == 0)
    return processor_count();
  int count = 0;
  for (; *text >= '0' && *text <= '9' && count <= MAXIMUM; text++)
    count = count * 10 + (*text - '0');
  return count < 1 ? 1 : count > MAXIMUM ? MAXIMUM : count;
}

// Zero until it is known.
extern int silc_knownThreadCount;
RUNTIME_STATE int silc_knownThreadCount;

RUNTIME_ENTRY int silc_threadCount(void) {
  if (silc_knownThreadCount == 0)
    silc_knownThreadCount =
        IS_LINKED(pthread_create) ? asked_thread_count() : 1;
  return silc_knownThreadCount;
}

static void *run_jobs(void *argument) {
  silc_isOtherThread = true;
  for (;;) {
    const bool locked = silc_lockTasks();
    Job *job = silc_takeJob();
    if (job == NULL)
      silc_waitForJob();
    silc_unlockTasks(locked);
    if (job != NULL)
      swift_job_run(job, 0, 0);
  }
  return argument;
}

extern void silc_startThreads(void);
RUNTIME_ENTRY void silc_startThreads(void) {
  require_conditions();
  for (int number = 0; number < silc_threadCount(); number++) {
    uintptr_t thread;
    if (pthread_create(&thread, NULL, run_jobs, NULL) != 0)
      silc_fatalError("a thread could not be started");
    pthread_detach(thread);
  }
}

#endif
