//===--- object_pool_is_safe.c - the switch of the pool -------------------===//
//
// Owns: silc_objectPoolIsSafe. Nothing calls for this member of the archive
// but the linker's -u option, which silc uses where it has compiled all of a
// program. See object_pool.c.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_BITCODE
extern const char silc_objectPoolIsSafe;
__attribute__((visibility("default"))) const char silc_objectPoolIsSafe = 1;
#endif
