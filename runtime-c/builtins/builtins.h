//===--- builtins.h - functions that LLVM calls on its own ----------------===//
//
// Owns: the shared parts of the files of this folder. Their functions have the
// names and the ABI of compiler-rt and libgcc, and are weak: either of those
// wins.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_BUILTINS_H
#define SILC_BUILTINS_H

#include <stdint.h>

#define BUILTIN __attribute__((weak))

// The run-time ABI for the Arm architecture has names of its own, and passes
// floating-point numbers in integer registers on processors that have others.
#ifdef __arm__
#define NAMED(usual, arm) arm
#define FLOAT_BUILTIN __attribute__((weak, pcs("aapcs")))
#else
#define NAMED(usual, arm) usual
#define FLOAT_BUILTIN BUILTIN
#endif

#ifdef __SIZEOF_INT128__

typedef __int128 Int128;
typedef unsigned __int128 UInt128;

static inline UInt128 magnitude_of(Int128 number) {
  return number < 0 ? -(UInt128)number : (UInt128)number;
}

typedef struct Division {
  UInt128 quotient;
  UInt128 remainder;
} Division;

// Division by zero is undefined, as it is for LLVM's instruction.
Division silc_divideUInt128(UInt128 dividend, UInt128 divisor);

#endif

#endif
