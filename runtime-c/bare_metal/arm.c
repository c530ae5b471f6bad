//===--- arm.c - start-up of Arm's application and real-time processors ---===//
//
// Owns: _start and the exception vectors of 32-bit Arm's A and R profiles, and
// of their predecessors. They stand at the beginning of the program, where the
// processor looks for them unless it can be told. A processor without a system
// control coprocessor, as some of version 4, needs a _start of its own.
//
//===----------------------------------------------------------------------===//

#if defined(__arm__) && __ARM_ARCH_PROFILE != 'M'

#include "../freestanding/c_library.h"

extern __attribute__((noreturn)) void silc_start(void);
extern __attribute__((noreturn)) void silc_trapped(void);

// Every exception is the end; a program with interrupts brings its own table.
__asm__(".pushsection .vectors,\"ax\",%progbits\n"
        ".weak silc_exceptions\n"
        ".balign 32\n"
        "silc_exceptions:\n"
        "  b _start\n"
        ".rept 7\n"
        "  b silc_exception\n"
        ".endr\n"
        ".popsection\n");

#if __ARM_ARCH >= 7
#define INSTRUCTION_BARRIER "  isb\n"
#else
#define INSTRUCTION_BARRIER "  mov r1, #0\n  mcr p15, 0, r1, c7, c5, 4\n"
#endif

__asm__(".fpu vfpv2\n"
        ".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "  ldr sp, =__stack_top\n"
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
        "  b silc_start\n"
        // Each kind of exception has a stack pointer of its own.
        "silc_exception:\n"
        "  ldr sp, =__stack_top\n"
        "  b silc_trapped\n"
        ".ltorg\n");

#endif
