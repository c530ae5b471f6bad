//===--- cortex_m.h - vector tables of Arm's microcontrollers -------------===//
//
// Owns: their contents.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_BARE_METAL_CORTEX_M_H
#define SILC_BARE_METAL_CORTEX_M_H

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

typedef void (*Handler)(void);

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

#define DECLARE_HANDLER(name) extern void name(void);
// clang-format off
DECLARE_HANDLER(Reset_Handler)
DECLARE_HANDLER(NMI_Handler)
DECLARE_HANDLER(HardFault_Handler)
DECLARE_HANDLER(MemManage_Handler)
DECLARE_HANDLER(BusFault_Handler)
DECLARE_HANDLER(UsageFault_Handler)
DECLARE_HANDLER(SecureFault_Handler)
DECLARE_HANDLER(SVC_Handler)
DECLARE_HANDLER(DebugMon_Handler)
DECLARE_HANDLER(PendSV_Handler)
DECLARE_HANDLER(SysTick_Handler)
INTERRUPTS(DECLARE_HANDLER)
// clang-format on

extern char __stack_top[];

#define EXCEPTIONS                                                             \
  (Handler)__stack_top, Reset_Handler, NMI_Handler, HardFault_Handler,         \
      MemManage_Handler, BusFault_Handler, UsageFault_Handler,                 \
      SecureFault_Handler, 0, 0, 0, SVC_Handler, DebugMon_Handler,    \
      0, PendSV_Handler, SysTick_Handler,

#define VECTOR_TABLE                                                           \
  __attribute__((section(".vectors"), used, weak)) const Handler

#endif
#endif
