//===--- arm.c - the C library of Arm's run-time ABI ----------------------===//
//
// Owns: the names of the run-time ABI for the Arm architecture for functions
// on memory, and access to the thread pointer.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

#ifdef __arm__

// For every alignment that callers promise.
#define MEMORY_FUNCTIONS(alignment)                                            \
  C_FUNCTION void __aeabi_memcpy##alignment(void *destination,                 \
                                            const void *source,                \
                                            size_t length) {                   \
    memcpy(destination, source, length);                                       \
  }                                                                            \
  C_FUNCTION void __aeabi_memmove##alignment(void *destination,                \
                                             const void *source,               \
                                             size_t length) {                  \
    memmove(destination, source, length);                                      \
  }                                                                            \
  C_FUNCTION void __aeabi_memset##alignment(void *memory, size_t length,       \
                                            int byte) {                        \
    memset(memory, byte, length);                                              \
  }                                                                            \
  C_FUNCTION void __aeabi_memclr##alignment(void *memory, size_t length) {     \
    memset(memory, 0, length);                                                 \
  }

MEMORY_FUNCTIONS()
MEMORY_FUNCTIONS(4)
MEMORY_FUNCTIONS(8)

#ifdef __linux__

// Its callers keep values in all registers but r0.
__asm__(".weak __aeabi_read_tp\n"
        ".type __aeabi_read_tp, %function\n"
        "__aeabi_read_tp:\n"
        "  mrc p15, 0, r0, c13, c0, 3\n"
        "  bx lr\n");

#endif

#endif
