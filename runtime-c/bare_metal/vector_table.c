//===--- vector_table.c - the vector table ---------------------------------===//
//
// Owns: the vector table of programs with handlers of interrupts.
//
//===----------------------------------------------------------------------===//

#include "cortex_m.h"

#if defined(__arm__) && __ARM_ARCH_PROFILE == 'M'

#define ENTRY(name) name,

VECTOR_TABLE silc_vectorTable[] = {EXCEPTIONS INTERRUPTS(ENTRY)};

#endif
