//===--- exception_table.c - the vector table ------------------------------===//
//
// Owns: the vector table of programs that have no handler of an interrupt. silc
// selects the table of a program for the linker.
//
//===----------------------------------------------------------------------===//

#include "cortex_m.h"

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

VECTOR_TABLE silc_exceptionTable[] = {EXCEPTIONS};

#endif
