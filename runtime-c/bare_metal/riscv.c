//===--- riscv.c - start-up of RISC-V -------------------------------------===//
//
// Owns: _start, in machine mode, and the handler of traps, which a program may
// define itself as `trap_handler`.
//
//===----------------------------------------------------------------------===//

#ifdef __riscv

#include "../freestanding/c_library.h"

extern __attribute__((noreturn)) void silc_trapped(void);

// Which may not return: it keeps no registers.
C_FUNCTION void trap_handler(void) { silc_trapped(); }

__asm__(".section .text.start, \"ax\", %progbits\n"
        ".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n"
        "  la gp, __global_pointer$\n"
        ".option pop\n"
        "  la sp, __stack_top\n"
        "  la t0, silc_trapEntry\n"
        "  csrw mtvec, t0\n"
        // The floating-point unit, where there is one, is off at first.
        "  li t0, 0x6000\n"
        "  csrs mstatus, t0\n"
        "  j silc_start\n"
        ".balign 4\n"
        "silc_trapEntry:\n"
        "  j trap_handler\n"
        ".text\n");

#endif
