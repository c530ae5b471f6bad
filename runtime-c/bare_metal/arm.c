//===--- arm.c - start-up of Arm's application and real-time processors ---===//
//
// Owns: _start and the exception vectors of 32-bit Arm's A and R profiles, and
// of their predecessors. They stand at the beginning of the program, where the
// processor looks for them unless arm_coprocessor.c sets another place.
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

// A call of a function that a program does not have continues after it.
__asm__(".weak silc_prepareProcessor\n"
        ".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "  ldr sp, =__stack_top\n"
        "  bl silc_prepareProcessor\n"
        "  b silc_start\n"
        // Each kind of exception has a stack pointer of its own.
        "silc_exception:\n"
        "  ldr sp, =__stack_top\n"
        "  b silc_trapped\n"
        ".ltorg\n");

#endif
