//===--- library.c - the beginning of a library ---------------------------===//
//
// Owns: _initialize, which the host of a library calls before all else.
//
//===----------------------------------------------------------------------===//

// The linker's: calls all initialisers.
extern void __wasm_call_ctors(void);

__attribute__((weak)) void _initialize(void) { __wasm_call_ctors(); }
