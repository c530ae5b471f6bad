//===--- arm_coprocessor.c - the setup of Arm's system control coprocessor ===//
//
// Owns: silc_prepareProcessor, which _start calls where a program has it. The
// linker asks for it for processors from version 6 on, which all have the
// coprocessor, and for boards that are known to have one. Those of version 4
// without a unit for memory do not: to them its instructions are undefined.
//
//===----------------------------------------------------------------------===//

#if defined(__arm__) && __ARM_ARCH_PROFILE != 'M'

#include "../freestanding/c_library.h"

#if __ARM_ARCH >= 7
#define INSTRUCTION_BARRIER "  isb\n"
#else
#define INSTRUCTION_BARRIER "  mov r1, #0\n  mcr p15, 0, r1, c7, c5, 4\n"
#endif

__asm__(".fpu vfpv2\n"
        ".weak silc_prepareProcessor\n"
        ".type silc_prepareProcessor, %function\n"
        "silc_prepareProcessor:\n"
        // Where the security extension is, so is the address of the table.
        "  mrc p15, 0, r0, c0, c1, 1\n"
        "  tst r0, #0xF0\n"
        "  ldrne r1, =silc_exceptions\n"
        "  mcrne p15, 0, r1, c12, c0, 0\n"
        // Floating point is off at first. Its bits stay zero where it is not.
        "  mrc p15, 0, r0, c1, c0, 2\n"
        "  orr r0, r0, #(0xF << 20)\n"
        "  mcr p15, 0, r0, c1, c0, 2\n"
        INSTRUCTION_BARRIER
        "  mrc p15, 0, r0, c1, c0, 2\n"
        "  tst r0, #(0xF << 20)\n"
        "  movne r0, #(1 << 30)\n"
        "  fmxrne fpexc, r0\n"
        "  bx lr\n"
        ".ltorg\n");

#endif
