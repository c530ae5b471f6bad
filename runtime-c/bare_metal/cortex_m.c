//===--- cortex_m.c - start-up of Arm's microcontrollers ------------------===//
//
// Owns: the vector table, with a handler for each exception that a program may
// define itself by CMSIS's name, and Reset_Handler.
//
//===----------------------------------------------------------------------===//

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

#include "../freestanding/c_library.h"

typedef void (*Handler)(void);

extern char __stack_top[];
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
#define INTERRUPTS(each)                                                       \
  each(IRQ0_Handler) each(IRQ1_Handler) each(IRQ2_Handler) each(IRQ3_Handler)  \
  each(IRQ4_Handler) each(IRQ5_Handler) each(IRQ6_Handler) each(IRQ7_Handler)  \
  each(IRQ8_Handler) each(IRQ9_Handler) each(IRQ10_Handler)                    \
  each(IRQ11_Handler) each(IRQ12_Handler) each(IRQ13_Handler)                  \
  each(IRQ14_Handler) each(IRQ15_Handler) each(IRQ16_Handler)                  \
  each(IRQ17_Handler) each(IRQ18_Handler) each(IRQ19_Handler)                  \
  each(IRQ20_Handler) each(IRQ21_Handler) each(IRQ22_Handler)                  \
  each(IRQ23_Handler) each(IRQ24_Handler) each(IRQ25_Handler)                  \
  each(IRQ26_Handler) each(IRQ27_Handler) each(IRQ28_Handler)                  \
  each(IRQ29_Handler) each(IRQ30_Handler) each(IRQ31_Handler)

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

#define ENTRY(name) name,

__attribute__((section(".vectors"), used, weak)) const Handler
    silc_vectorTable[] = {(Handler)__stack_top,
                          Reset_Handler,
                          NMI_Handler,
                          HardFault_Handler,
                          MemManage_Handler,
                          BusFault_Handler,
                          UsageFault_Handler,
                          SecureFault_Handler,
                          NULL,
                          NULL,
                          NULL,
                          SVC_Handler,
                          DebugMon_Handler,
                          NULL,
                          PendSV_Handler,
                          SysTick_Handler,
                          INTERRUPTS(ENTRY)};

#endif
