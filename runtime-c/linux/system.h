//===--- system.h - Linux system calls, per architecture ------------------===//
//
// Owns: the one place that knows how each architecture enters the kernel, and
// the numbers of the calls that this C library makes. A new Linux target adds
// its part here and in start.c.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_FREESTANDING_SYSTEM_H
#define SILC_FREESTANDING_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)

enum {
  SYSTEM_write = 1,
  SYSTEM_map = 9,
  SYSTEM_munmap = 11,
  SYSTEM_ioctl = 16,
  SYSTEM_nanosleep = 35,
  SYSTEM_getpid = 39,
  SYSTEM_gettid = 186,
  SYSTEM_clock_gettime = 228,
  SYSTEM_tgkill = 234,
  SYSTEM_exit_group = 231,
  SYSTEM_getrandom = 318
};

static inline intptr_t system_call(intptr_t number, intptr_t a, intptr_t b,
                                   intptr_t c, intptr_t d, intptr_t e,
                                   intptr_t f) {
  register intptr_t r10 __asm__("r10") = d;
  register intptr_t r8 __asm__("r8") = e;
  register intptr_t r9 __asm__("r9") = f;
  intptr_t result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#elif defined(__aarch64__)

enum {
  SYSTEM_ioctl = 29,
  SYSTEM_write = 64,
  SYSTEM_exit_group = 94,
  SYSTEM_nanosleep = 101,
  SYSTEM_clock_gettime = 113,
  SYSTEM_tgkill = 131,
  SYSTEM_getpid = 172,
  SYSTEM_gettid = 178,
  SYSTEM_munmap = 215,
  SYSTEM_map = 222,
  SYSTEM_getrandom = 278
};

static inline intptr_t system_call(intptr_t number, intptr_t a, intptr_t b,
                                   intptr_t c, intptr_t d, intptr_t e,
                                   intptr_t f) {
  register intptr_t x8 __asm__("x8") = number;
  register intptr_t x0 __asm__("x0") = a;
  register intptr_t x1 __asm__("x1") = b;
  register intptr_t x2 __asm__("x2") = c;
  register intptr_t x3 __asm__("x3") = d;
  register intptr_t x4 __asm__("x4") = e;
  register intptr_t x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

#elif defined(__arm__)

enum {
  SYSTEM_write = 4,
  SYSTEM_getpid = 20,
  SYSTEM_ioctl = 54,
  SYSTEM_munmap = 91,
  SYSTEM_nanosleep = 162,
  SYSTEM_map = 192, // mmap2, whose offset is in pages
  SYSTEM_gettid = 224,
  SYSTEM_exit_group = 248,
  SYSTEM_clock_gettime = 263,
  SYSTEM_tgkill = 268,
  SYSTEM_getrandom = 384
};

static inline intptr_t system_call(intptr_t number, intptr_t a, intptr_t b,
                                   intptr_t c, intptr_t d, intptr_t e,
                                   intptr_t f) {
  register intptr_t r7 __asm__("r7") = number;
  register intptr_t r0 __asm__("r0") = a;
  register intptr_t r1 __asm__("r1") = b;
  register intptr_t r2 __asm__("r2") = c;
  register intptr_t r3 __asm__("r3") = d;
  register intptr_t r4 __asm__("r4") = e;
  register intptr_t r5 __asm__("r5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(r0)
                   : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5)
                   : "memory");
  return r0;
}

#else
#error "the freestanding C library has no system calls for this architecture"
#endif

// The next multiple of a power of two.
static inline uintptr_t round_up(uintptr_t number, size_t alignment) {
  return (number + alignment - 1) & ~(uintptr_t)(alignment - 1);
}

// Zeroed memory from the kernel, or null.
static inline void *system_map(size_t size) {
  enum { READ_WRITE = 1 | 2, PRIVATE_ANONYMOUS = 0x02 | 0x20 };
  // The last page of addresses is for errors.
  enum { LEAST_ERROR = -4095 };
  intptr_t address = system_call(SYSTEM_map, 0, (intptr_t)size, READ_WRITE,
                                 PRIVATE_ANONYMOUS, -1, 0);
  return (uintptr_t)address >= (uintptr_t)(intptr_t)LEAST_ERROR
             ? NULL
             : (void *)address;
}

static inline void system_unmap(void *memory, size_t size) {
  system_call(SYSTEM_munmap, (intptr_t)memory, (intptr_t)size, 0, 0, 0, 0);
}

#endif
