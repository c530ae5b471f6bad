//===--- realloc.c - blocks of another size -------------------------------===//
//
// Owns: realloc, for the heap of this folder.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"

C_FUNCTION void *realloc(void *memory, size_t size) {
  if (memory == NULL)
    return malloc(size);
  size_t old_size = malloc_usable_size(memory);
  if (size <= old_size)
    return memory;
  void *moved = malloc(size);
  if (moved == NULL)
    return NULL;
  memcpy(moved, memory, old_size);
  free(memory);
  return moved;
}
