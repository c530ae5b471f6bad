//===--- atomics.c - atomic operations of the smallest processors ---------===//
//
// Owns: the functions that LLVM calls where a processor has no instruction for
// an atomic operation: on 64 bits for those of 32, on anything for those
// without atomics. With one processor and no operating system, nothing
// interrupts while interrupts are masked. A program may define any of the
// functions.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>

#include "builtins.h"

#if (defined(__arm__) && (__ARM_ARCH_PROFILE == 'M' || __ARM_ARCH < 6)) ||     \
    (defined(__riscv) && __riscv_xlen == 32 && !defined(__linux__))

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

typedef uint32_t Interrupts;

static inline Interrupts mask_interrupts(void) {
  Interrupts before;
  __asm__ volatile("mrs %0, primask\n  cpsid i" : "=r"(before) : : "memory");
  return before;
}

static inline void restore_interrupts(Interrupts before) {
  __asm__ volatile("msr primask, %0" : : "r"(before) : "memory");
}

#elif defined(__arm__)

typedef uint32_t Interrupts;

static inline Interrupts mask_interrupts(void) {
  Interrupts before, masked;
  __asm__ volatile("mrs %0, cpsr\n  orr %1, %0, #0x80\n  msr cpsr_c, %1"
                   : "=&r"(before), "=r"(masked)
                   :
                   : "memory");
  return before;
}

static inline void restore_interrupts(Interrupts before) {
  __asm__ volatile("msr cpsr_c, %0" : : "r"(before) : "memory");
}

#else

typedef uint32_t Interrupts;

static inline Interrupts mask_interrupts(void) {
  Interrupts before;
  __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
  return before;
}

static inline void restore_interrupts(Interrupts before) {
  __asm__ volatile("csrs mstatus, %0" : : "r"(before & 8) : "memory");
}

#endif


#define ATOMIC(name, size) silc_atomic_##name##_##size
#define SYMBOL(name, size) __asm__("__atomic_" #name "_" #size)

#define DECLARE(Integer, size)                                                 \
  BUILTIN Integer ATOMIC(load, size)(const volatile Integer *, int)            \
      SYMBOL(load, size);                                                      \
  BUILTIN void ATOMIC(store, size)(volatile Integer *, Integer, int)           \
      SYMBOL(store, size);                                                     \
  BUILTIN Integer ATOMIC(exchange, size)(volatile Integer *, Integer, int)     \
      SYMBOL(exchange, size);                                                  \
  BUILTIN bool ATOMIC(compare_exchange, size)(volatile Integer *, Integer *,   \
                                              Integer, int, int)               \
      SYMBOL(compare_exchange, size);

#define DEFINE(Integer, size)                                                  \
  DECLARE(Integer, size)                                                       \
  Integer ATOMIC(load, size)(const volatile Integer *place, int order) {       \
    (void)order;                                                               \
    Interrupts before = mask_interrupts();                                     \
    Integer value = *place;                                                    \
    restore_interrupts(before);                                                \
    return value;                                                              \
  }                                                                            \
  void ATOMIC(store, size)(volatile Integer *place, Integer value,             \
                           int order) {                                        \
    (void)order;                                                               \
    Interrupts before = mask_interrupts();                                     \
    *place = value;                                                            \
    restore_interrupts(before);                                                \
  }                                                                            \
  Integer ATOMIC(exchange, size)(volatile Integer *place, Integer value,       \
                                 int order) {                                  \
    (void)order;                                                               \
    Interrupts before = mask_interrupts();                                     \
    Integer old = *place;                                                      \
    *place = value;                                                            \
    restore_interrupts(before);                                                \
    return old;                                                                \
  }                                                                            \
  bool ATOMIC(compare_exchange, size)(volatile Integer *place,                 \
                                      Integer *expected, Integer value,        \
                                      int success, int failure) {              \
    (void)success, (void)failure;                                              \
    Interrupts before = mask_interrupts();                                     \
    Integer old = *place;                                                      \
    bool is_expected = old == *expected;                                       \
    if (is_expected)                                                           \
      *place = value;                                                          \
    restore_interrupts(before);                                                \
    *expected = old;                                                           \
    return is_expected;                                                        \
  }                                                                            \
  DEFINE_CHANGE(Integer, size, fetch_add, old + value)                         \
  DEFINE_CHANGE(Integer, size, fetch_sub, old - value)                         \
  DEFINE_CHANGE(Integer, size, fetch_and, old & value)                         \
  DEFINE_CHANGE(Integer, size, fetch_or, old | value)                          \
  DEFINE_CHANGE(Integer, size, fetch_xor, old ^ value)                         \
  DEFINE_CHANGE(Integer, size, fetch_nand, ~(old & value))

#define DEFINE_CHANGE(Integer, size, name, changed)                            \
  BUILTIN Integer ATOMIC(name, size)(volatile Integer *, Integer, int)         \
      SYMBOL(name, size);                                                      \
  Integer ATOMIC(name, size)(volatile Integer *place, Integer value,           \
                             int order) {                                      \
    (void)order;                                                               \
    Interrupts before = mask_interrupts();                                     \
    Integer old = *place;                                                      \
    *place = (Integer)(changed);                                               \
    restore_interrupts(before);                                                \
    return old;                                                                \
  }

DEFINE(uint8_t, 1)
DEFINE(uint16_t, 2)
DEFINE(uint32_t, 4)
DEFINE(uint64_t, 8)

#endif
