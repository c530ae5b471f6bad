//===--- semihosting.h - calls of the debugger or the emulator ------------===//
//
// Owns: the instruction by which each architecture asks the debugger for
// something, and the operations that this C library uses (Arm's and RISC-V's
// semihosting specifications).
//
//===----------------------------------------------------------------------===//

#ifndef SILC_BARE_METAL_SEMIHOSTING_H
#define SILC_BARE_METAL_SEMIHOSTING_H

#include <stdint.h>

enum {
  SEMIHOSTING_open = 0x01,
  SEMIHOSTING_write = 0x05,
  SEMIHOSTING_clock = 0x10, // hundredths of seconds
  SEMIHOSTING_exit = 0x18,
  SEMIHOSTING_exit_extended = 0x20
};

#if defined(__arm__)

// Cores without ARM instructions take a breakpoint.
#if __ARM_ARCH_PROFILE == 'M'
#define SEMIHOSTING_INSTRUCTION "bkpt #0xAB"
#else
#define SEMIHOSTING_INSTRUCTION "svc #0x123456"
#endif

static inline intptr_t semihosting(int operation, const void *argument) {
  register intptr_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile(SEMIHOSTING_INSTRUCTION
                   : "+r"(r0)
                   : "r"(r1)
                   : "lr", "memory");
  return r0;
}

#elif defined(__aarch64__)

static inline intptr_t semihosting(int operation, const void *argument) {
  register intptr_t x0 __asm__("x0") = operation;
  register const void *x1 __asm__("x1") = argument;
  __asm__ volatile("hlt #0xF000" : "+r"(x0) : "r"(x1) : "memory");
  return x0;
}

#elif defined(__riscv)

// A breakpoint between two instructions without effect, all of one page.
static inline intptr_t semihosting(int operation, const void *argument) {
  register intptr_t a0 __asm__("a0") = operation;
  register const void *a1 __asm__("a1") = argument;
  __asm__ volatile(".option push\n"
                   ".option norvc\n"
                   ".balign 16\n"
                   "slli x0, x0, 0x1F\n"
                   "ebreak\n"
                   "srai x0, x0, 7\n"
                   ".option pop\n"
                   : "+r"(a0)
                   : "r"(a1)
                   : "memory");
  return a0;
}

#endif

#endif
