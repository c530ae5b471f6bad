//===--- allocation.c - memory for objects and raw buffers ----------------===//
//
// Owns: silc_allocate, and Swift's raw allocation entry points above it.
// Does not own: the allocator itself, which is the C library's.
//
// malloc is at least as fast as posix_memalign everywhere, and aligns to
// max_align_t. Only a greater alignment needs the slower function; both give
// memory that free takes back.
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

// A program without an operating system may define posix_memalign and free for
// itself, which is all that Embedded Swift asks of it.
#if defined(__linux__) || defined(__APPLE__) || defined(__wasi__)
#define HAS_MALLOC
#endif

COLD __attribute__((noreturn)) static void out_of_memory(void) {
  silc_fatalError("Could not allocate memory.");
}

RUNTIME_ENTRY void *silc_allocate(size_t size, size_t alignment_mask) {
  // The alignment that Swift expects where it requests none.
  enum { UNASKED_ALIGNMENT = 16, MALLOC_ALIGNMENT = _Alignof(max_align_t) };
  void *memory = NULL;
  size_t alignment = alignment_mask + 1;
  if (MALLOC_ALIGNMENT < UNASKED_ALIGNMENT && alignment == 0)
    alignment = UNASKED_ALIGNMENT;
#ifdef HAS_MALLOC
  if (LIKELY(alignment <= MALLOC_ALIGNMENT))
    memory = malloc(size);
  else if (posix_memalign(&memory, alignment, size) != 0)
    memory = NULL;
#else
  if (alignment < MALLOC_ALIGNMENT)
    alignment = MALLOC_ALIGNMENT;
  if (posix_memalign(&memory, alignment, size) != 0)
    memory = NULL;
#endif
  if (UNLIKELY(memory == NULL))
    out_of_memory();
  return memory;
}

RUNTIME_ENTRY void silc_deallocate(void *memory) { free(memory); }

// Zero if the C library does not provide it. Managed buffers, of which async
// streams have one, take their capacity from it.
RUNTIME_ENTRY size_t silc_usableSize(const void *memory) {
#if defined(__APPLE__)
  return malloc_size(memory);
#else
  return IS_LINKED(malloc_usable_size) ? malloc_usable_size((void *)memory) : 0;
#endif
}

RUNTIME_ENTRY void *swift_slowAlloc(size_t size, size_t alignment_mask) {
  // malloc(0) may return null, which here means that there is no memory left.
  return silc_allocate(size != 0 ? size : 1, alignment_mask);
}

RUNTIME_ENTRY void swift_slowDealloc(void *memory, size_t size,
                                     size_t alignment_mask) {
  (void)size, (void)alignment_mask;
  silc_deallocate(memory);
}

// Overwrites memory that held a secret. The barrier keeps the stores, which
// nobody reads.
RUNTIME_ENTRY void swift_clearSensitive(void *memory, size_t length) {
  memset(memory, 0, length);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

// C's own function of the kind, which few C libraries have (C11, annex K).
RUNTIME_ENTRY int memset_s(void *memory, size_t room, int byte, size_t length) {
  enum { INVALID_ARGUMENT = 22 };
  bool is_too_long = length > room;
  memset(memory, byte, is_too_long ? room : length);
  __asm__ volatile("" : : "r"(memory) : "memory");
  return is_too_long ? INVALID_ARGUMENT : 0;
}
