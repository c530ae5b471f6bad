//===--- aarch64.c - start-up of 64-bit Arm -------------------------------===//
//
// Owns: _start, the exception vectors, and a map of memory in which the
// program's own may be read at any address: without one, all memory is a
// device's.
//
//===----------------------------------------------------------------------===//

#ifdef __aarch64__

#include "../freestanding/c_library.h"

extern __attribute__((noreturn)) void silc_start(void);
extern __attribute__((noreturn)) void silc_trapped(void);
extern char __ram_start[], __ram_end[];

// Every exception is the end; a program with interrupts brings its own table.
__asm__(".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "  adrp x0, __stack_top\n"
        "  add x0, x0, :lo12:__stack_top\n"
        "  mov sp, x0\n"
        // Floating point is for level 1 as well.
        "  mov x0, #(3 << 20)\n"
        "  msr cpacr_el1, x0\n"
        "  adrp x0, silc_exceptions\n"
        "  add x0, x0, :lo12:silc_exceptions\n"
        "  msr vbar_el1, x0\n"
        "  isb\n"
        "  b silc_mapMemory\n"
        ".balign 2048\n"
        "silc_exceptions:\n"
        ".rept 16\n"
        "  b silc_trapped\n"
        ".balign 128\n"
        ".endr\n");

enum { ENTRY_COUNT = 512, GIGABYTE_SHIFT = 30 };

// Outside of the memory that silc_start fills with zeroes.
static _Alignas(4096) __attribute__((section(".noinit")))
uint64_t memory_map[ENTRY_COUNT];

// Where every address means itself, a gigabyte an entry: memory where the
// program's is, devices elsewhere.
__attribute__((used, noreturn)) void silc_mapMemory(void) {
  enum { IS_BLOCK = 1, DEVICE = 0 << 2, MEMORY = 1 << 2, SHARED = 3 << 8,
         ACCESSED = 1 << 10 };
  const uint64_t never_executed = UINT64_C(3) << 53;
  uint64_t first = (uint64_t)__ram_start >> GIGABYTE_SHIFT;
  uint64_t last = ((uint64_t)__ram_end - 1) >> GIGABYTE_SHIFT;
  for (uint64_t index = 0; index < ENTRY_COUNT; ++index)
    memory_map[index] =
        index << GIGABYTE_SHIFT | IS_BLOCK | ACCESSED |
        (index >= first && index <= last ? MEMORY | SHARED
                                         : DEVICE | never_executed);
  // Attribute 0 is a device's, attribute 1 cached memory's.
  const uint64_t attributes = 0xFF00;
  // 39 bits of addresses, translated by the first table alone; its own memory
  // is cached.
  const uint64_t control = 25 | 1 << 8 | 1 << 10 | 3 << 12 | 1 << 23 |
                           UINT64_C(2) << 32;
  uint64_t system;
  __asm__ volatile("dsb sy\n"
                   "  msr mair_el1, %1\n"
                   "  msr tcr_el1, %2\n"
                   "  msr ttbr0_el1, %3\n"
                   "  isb\n"
                   "  tlbi vmalle1\n"
                   "  dsb sy\n"
                   "  isb\n"
                   "  mrs %0, sctlr_el1"
                   : "=r"(system)
                   : "r"(attributes), "r"(control), "r"(memory_map)
                   : "memory");
  enum { TRANSLATE = 1 << 0, ALIGNMENT_CHECK = 1 << 1, CACHE = 1 << 2,
         INSTRUCTION_CACHE = 1 << 12 };
  system |= TRANSLATE | CACHE | INSTRUCTION_CACHE;
  system &= ~(uint64_t)ALIGNMENT_CHECK;
  __asm__ volatile("msr sctlr_el1, %0\n  isb" : : "r"(system) : "memory");
  silc_start();
}

#endif
