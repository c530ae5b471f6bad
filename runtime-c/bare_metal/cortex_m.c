//===--- cortex_m.c - start-up of Arm's microcontrollers ------------------===//
//
// Owns: Reset_Handler, and a handler for each exception and interrupt, which a
// program may define itself by CMSIS's name.
//
//===----------------------------------------------------------------------===//

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

#include "../freestanding/c_library.h"
#include "cortex_m.h"

extern __attribute__((noreturn)) void silc_start(void);
extern __attribute__((noreturn)) void silc_trapped(void);

// The floating-point unit is off at first. It is switched on before any
// function that could use it.
C_FUNCTION __attribute__((noreturn)) void Reset_Handler(void) {
#if __ARM_ARCH >= 7
  enum { BOTH_HALVES_FOR_ALL = 0xF << 20 };
  volatile uint32_t *const coprocessor_access = (uint32_t *)0xE000ED88;
  *coprocessor_access |= BOTH_HALVES_FOR_ALL;
  __asm__ volatile("dsb\n  isb" : : : "memory");
#endif
  silc_start();
}

static void unexpected(void) { silc_trapped(); }

#define HANDLER(name) extern void name(void) __attribute__((weak, alias("unexpected")));
// clang-format off
HANDLER(NMI_Handler)
HANDLER(HardFault_Handler)
HANDLER(MemManage_Handler)
HANDLER(BusFault_Handler)
HANDLER(UsageFault_Handler)
HANDLER(SecureFault_Handler)
HANDLER(SVC_Handler)
HANDLER(DebugMon_Handler)
HANDLER(PendSV_Handler)
HANDLER(SysTick_Handler)
INTERRUPTS(HANDLER)
// clang-format on

#endif
