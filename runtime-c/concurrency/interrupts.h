//===--- interrupts.h - interrupts of processors without a system ---------===//
//
// Owns: masking interrupts for a few instructions.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_INTERRUPTS_H
#define SILC_INTERRUPTS_H

#include "../runtime.h"

// Gives whether they were allowed before.
ALWAYS_INLINE bool mask_interrupts(void) {
#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'
  uint32_t masked;
  __asm__ volatile("mrs %0, primask\n  cpsid i" : "=r"(masked) : : "memory");
  return masked == 0;
#elif defined(__arm__) && __ARM_ARCH >= 6
  enum { IRQ_DISABLED = 1 << 7 };
  uint32_t state;
  __asm__ volatile("mrs %0, cpsr\n  cpsid i" : "=r"(state) : : "memory");
  return (state & IRQ_DISABLED) == 0;
#elif defined(__arm__)
  enum { IRQ_DISABLED = 1 << 7 };
  uint32_t state;
  __asm__ volatile("mrs %0, cpsr" : "=r"(state) : : "memory");
  __asm__ volatile("msr cpsr_c, %0" : : "r"(state | IRQ_DISABLED) : "memory");
  return (state & IRQ_DISABLED) == 0;
#elif defined(__aarch64__)
  enum { IRQ_MASKED = 1 << 7 };
  uint64_t state;
  __asm__ volatile("mrs %0, daif\n  msr daifset, #2"
                   : "=r"(state)
                   :
                   : "memory");
  return (state & IRQ_MASKED) == 0;
#elif defined(__riscv)
  enum { MACHINE_INTERRUPTS_ENABLED = 8 };
  uintptr_t state;
  __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(state) : : "memory");
  return (state & MACHINE_INTERRUPTS_ENABLED) != 0;
#elif defined(__x86_64__) || defined(__i386__)
  enum { INTERRUPTS_ENABLED = 1 << 9 };
  uintptr_t state;
#ifdef __x86_64__
  __asm__ volatile("pushfq\n  popq %0\n  cli" : "=r"(state) : : "memory");
#else
  __asm__ volatile("pushfl\n  popl %0\n  cli" : "=r"(state) : : "memory");
#endif
  return (state & INTERRUPTS_ENABLED) != 0;
#else
#error "how are interrupts masked here?"
#endif
}

ALWAYS_INLINE void allow_interrupts(void) {
#if defined(__arm__) && (__ARM_ARCH_PROFILE == 'M' || __ARM_ARCH >= 6)
  __asm__ volatile("cpsie i" : : : "memory");
#elif defined(__arm__)
  enum { IRQ_DISABLED = 1 << 7 };
  uint32_t state;
  __asm__ volatile("mrs %0, cpsr" : "=r"(state) : : "memory");
  __asm__ volatile("msr cpsr_c, %0" : : "r"(state & ~IRQ_DISABLED) : "memory");
#elif defined(__aarch64__)
  __asm__ volatile("msr daifclr, #2" : : : "memory");
#elif defined(__riscv)
  __asm__ volatile("csrsi mstatus, 8" : : : "memory");
#else
  __asm__ volatile("sti" : : : "memory");
#endif
}

#endif
