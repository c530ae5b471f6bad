// The variables that c_globals.sil reads.

int counter = 42;
int renamed __asm__("$s4main7renamedSivp") = 43;
