//===--- clock.c - the time on boards -------------------------------------===//
//
// Owns: silc_monotonicNanoseconds, by the counter that each architecture has.
// A board with another one defines the function itself.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "semihosting.h"

// How long a tick of the counter is, in 256ths of nanoseconds. That of qemu's
// boards, unless the program says otherwise.
#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'
enum { PER_TICK = 40 * 256 }; // 25 MHz
#else
enum { PER_TICK = 100 * 256 }; // 10 MHz
#endif
extern uint32_t silc_tickDuration(void);
C_FUNCTION uint32_t silc_tickDuration(void) { return PER_TICK; }

extern uint64_t silc_monotonicNanoseconds(void);

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

// The system timer counts 24 bits down. Whoever waits asks often enough to see
// each time that it begins again.
typedef struct Ticks {
  uint64_t all;
  uint32_t last;
} Ticks;
HIDDEN extern Ticks silc_ticks;
C_FUNCTION Ticks silc_ticks;

static uint64_t ticks(void) {
  enum { ENABLED = 1, OF_PROCESSOR = 4, MAXIMUM = 0xFFFFFF };
  volatile uint32_t *const timer = (uint32_t *)0xE000E010;
  if ((timer[0] & ENABLED) == 0) {
    timer[1] = MAXIMUM;
    timer[2] = 0;
    timer[0] = ENABLED | OF_PROCESSOR;
    silc_ticks.last = MAXIMUM;
  }
  const uint32_t now = timer[2];
  silc_ticks.all += (silc_ticks.last - now) & MAXIMUM;
  silc_ticks.last = now;
  return silc_ticks.all;
}

#elif defined(__riscv) && __riscv_xlen == 32

static uint64_t ticks(void) {
  uint32_t high, low, again;
  do {
    __asm__ volatile("rdtimeh %0\n  rdtime %1\n  rdtimeh %2"
                     : "=r"(high), "=r"(low), "=r"(again));
  } while (high != again);
  return (uint64_t)high << 32 | low;
}

#elif defined(__riscv)

static uint64_t ticks(void) {
  uint64_t ticks;
  __asm__ volatile("rdtime %0" : "=r"(ticks));
  return ticks;
}

#endif

#if defined(__aarch64__)

// The counter reports its own frequency.
C_FUNCTION uint64_t silc_monotonicNanoseconds(void) {
  enum { PER_SECOND = 1000000000 };
  uint64_t count, frequency;
  __asm__ volatile("isb\n  mrs %0, cntvct_el0\n  mrs %1, cntfrq_el0"
                   : "=r"(count), "=r"(frequency));
  if (frequency == 0)
    frequency = PER_SECOND;
  return count / frequency * PER_SECOND +
         count % frequency * PER_SECOND / frequency;
}

#elif defined(__arm__) && __ARM_ARCH_PROFILE != 'M'

// Not each of these processors has a counter: the debugger's is asked.
C_FUNCTION uint64_t silc_monotonicNanoseconds(void) {
  enum { PER_HUNDREDTH = 10000000 };
  return (uint64_t)semihosting(SEMIHOSTING_clock, NULL) * PER_HUNDREDTH;
}

#else

C_FUNCTION uint64_t silc_monotonicNanoseconds(void) {
  return ticks() * silc_tickDuration() >> 8;
}

#endif
