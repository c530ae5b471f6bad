//===--- wait.c - what a processor does without a job ---------------------===//
//
// Owns: silc_waitUntil, which a board may define itself to sleep up to a time.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"

#ifndef __wasm__

extern void silc_waitUntil(uint64_t nanoseconds);

// Called with interrupts masked. The instruction ends when one comes, which is
// taken as soon as they are allowed again. No timer interrupts here: until a
// time comes, whoever calls looks again.
C_FUNCTION void silc_waitUntil(uint64_t nanoseconds) {
  if (nanoseconds != UINT64_MAX)
    return;
#if defined(__arm__) && (__ARM_ARCH_PROFILE == 'M' || __ARM_ARCH >= 7)
  __asm__ volatile("wfi" : : : "memory");
#elif defined(__aarch64__) || defined(__riscv)
  __asm__ volatile("wfi" : : : "memory");
#elif defined(__x86_64__) || defined(__i386__)
  __asm__ volatile("sti\n  hlt\n  cli" : : : "memory");
#endif
}

#endif
