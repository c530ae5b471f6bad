//===--- clock.c - time ---------------------------------------------------===//
//
// Owns: what time it is, by the system, and how long a thread sleeps; Swift's
// entry points above both.
// Does not own: the same on boards, which bare_metal/ has, and waiting under
// Linux (threads.c).
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

enum { PER_SECOND = 1000000000 };

#if defined(__linux__) || defined(__APPLE__)

typedef struct Time {
  long seconds, nanoseconds;
} Time;

int clock_gettime(int clock, Time *time) __attribute__((visibility("default")));
int nanosleep(const Time *time, Time *rest)
    __attribute__((visibility("default")));

#ifdef __APPLE__
enum { MONOTONIC = 6 };
#else
enum { MONOTONIC = 1 };
#endif

RUNTIME_ENTRY uint64_t silc_monotonicNanoseconds(void) {
  Time time = {0, 0};
  clock_gettime(MONOTONIC, &time);
  return (uint64_t)time.seconds * PER_SECOND + (uint64_t)time.nanoseconds;
}

__attribute__((unused)) static void sleep_for(uint64_t nanoseconds) {
  const Time time = {(long)(nanoseconds / PER_SECOND),
                     (long)(nanoseconds % PER_SECOND)};
  nanosleep(&time, NULL);
}

#elif defined(_WIN32)

int QueryPerformanceCounter(uint64_t *count)
    __attribute__((visibility("default")));
int QueryPerformanceFrequency(uint64_t *frequency)
    __attribute__((visibility("default")));
void Sleep(uint32_t milliseconds) __attribute__((visibility("default")));

RUNTIME_ENTRY uint64_t silc_monotonicNanoseconds(void) {
  uint64_t count, frequency;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&frequency);
  return count / frequency * PER_SECOND +
         count % frequency * PER_SECOND / frequency;
}

static void sleep_for(uint64_t nanoseconds) {
  enum { PER_MILLISECOND = 1000000 };
  Sleep((uint32_t)((nanoseconds + PER_MILLISECOND - 1) / PER_MILLISECOND));
}

#elif defined(__wasi__)

#include "../webassembly/wasi.h"

RUNTIME_ENTRY uint64_t silc_monotonicNanoseconds(void) {
  uint64_t nanoseconds = 0;
  wasi_clock_time_get(WASI_MONOTONIC_CLOCK, 1, &nanoseconds);
  return nanoseconds;
}

static void sleep_for(uint64_t nanoseconds) {
  const WasiSubscription subscription = {.clock = WASI_MONOTONIC_CLOCK,
                                         .nanoseconds = nanoseconds};
  uint64_t event[WASI_EVENT_WORDS];
  size_t happened;
  wasi_poll_oneoff(&subscription, event, 1, &happened);
}

#elif defined(__wasm__)

// The host gives the time, and waits.
void silc_sleep(uint64_t nanoseconds);

static void sleep_for(uint64_t nanoseconds) { silc_sleep(nanoseconds); }

#else

#define BOARD_HAS_CLOCK

#endif

#ifdef __linux__
#define WAITS_ELSEWHERE
#endif

#if !defined(BOARD_HAS_CLOCK) && !defined(WAITS_ELSEWHERE)

RUNTIME_ENTRY void silc_waitUntil(uint64_t nanoseconds) {
  if (nanoseconds == UINT64_MAX)
    silc_fatalError("no task can run any more: each of them waits");
  const uint64_t now = silc_monotonicNanoseconds();
  if (nanoseconds > now)
    sleep_for(nanoseconds - now);
}

#endif

RUNTIME_ENTRY SWIFT_CALL void swift_get_time(long long *seconds,
                                             long long *nanoseconds,
                                             int clock) {
  (void)clock; // The monotonic clock stands for each of them.
  const uint64_t now = silc_monotonicNanoseconds();
  *seconds = (long long)(now / PER_SECOND);
  *nanoseconds = (long long)(now % PER_SECOND);
}

RUNTIME_ENTRY SWIFT_CALL void swift_get_clock_res(long long *seconds,
                                                  long long *nanoseconds,
                                                  int clock) {
  (void)clock;
  *seconds = 0;
  *nanoseconds = 1;
}

RUNTIME_ENTRY SWIFT_CALL void swift_sleep(long long seconds,
                                          long long nanoseconds) {
  const uint64_t end = silc_monotonicNanoseconds() +
                       (uint64_t)seconds * PER_SECOND + (uint64_t)nanoseconds;
#ifdef BOARD_HAS_CLOCK
  while (silc_monotonicNanoseconds() < end)
    ;
#else
  for (uint64_t now; (now = silc_monotonicNanoseconds()) < end;)
    sleep_for(end - now);
#endif
}
