//===--- malloc.c - C's allocation functions ------------------------------===//
//
// Owns: malloc, calloc, aligned_alloc, on posix_memalign, which may be the
// program's own.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"

C_FUNCTION void *aligned_alloc(size_t alignment, size_t size) {
  void *memory;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

C_FUNCTION void *malloc(size_t size) {
  return aligned_alloc(_Alignof(max_align_t), size);
}

C_FUNCTION void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    return NULL;
  void *memory = malloc(total);
  return memory != NULL ? memset(memory, 0, total) : NULL;
}
