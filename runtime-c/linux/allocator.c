//===--- allocator.c - malloc for one thread ------------------------------===//
//
// Owns: malloc and its relatives.
//
// Memory comes from the kernel in chunks, which are cut into spans of 64 KiB.
// A span starts with a header and holds blocks of one size, its class; free
// blocks of a class are chained. The header of any block is found by rounding
// its address down. A block too large for a class has a span of its own, a
// power of two long, and goes back to the kernel when it is large enough to be
// worth the call.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "system.h"

enum {
  SPAN_SIZE = 64 << 10,
  CHUNK_SIZE = 1 << 20,
  MINIMUM_ALIGNMENT = 16,
  LARGEST_CLASS_SIZE = 8 << 10,
  CLASS_COUNT = 32,
  FIRST_LARGE_SHIFT = 16,    // the smallest span of its own: 64 KiB
  LARGEST_CACHED_SHIFT = 20, // the largest that is kept: 1 MiB
  OUT_OF_MEMORY = 12,        // errno's values
  INVALID_ARGUMENT = 22
};

typedef struct FreeBlock {
  struct FreeBlock *next;
} FreeBlock;

typedef struct Span {
  size_t block_size;  // what a block can hold
  size_t class_index; // LARGE_BLOCK for a span of its own, which alone has:
  size_t cache_shift; // the power of two that it is cached by, or zero
  struct Span *next_free;
  void *map;
  size_t map_size;
  char padding[64 - 6 * sizeof(size_t)];
} Span;

enum { LARGE_BLOCK = CLASS_COUNT };

_Static_assert(sizeof(Span) == 64, "the first block is aligned");

static FreeBlock *free_blocks[CLASS_COUNT];
static Span *free_large[LARGEST_CACHED_SHIFT - FIRST_LARGE_SHIFT + 1];

// The rest of the class's newest span, not yet cut into blocks.
static struct {
  char *next;
  char *end;
} fresh_blocks[CLASS_COUNT];

static char *chunk_next, *chunk_end;

//===--- Size classes -----------------------------------------------------===//
//
// Multiples of 16 up to 128, then four to each doubling: 160, 192, 224, 256, …

static size_t floor_log2(size_t number) {
  return 8 * sizeof(long long) - 1 - (size_t)__builtin_clzll(number);
}

static size_t class_of(size_t size) {
  if (size <= 128)
    return size == 0 ? 0 : (size - 1) / 16;
  size_t shift = floor_log2(size - 1);
  return 8 + (shift - 7) * 4 + (((size - 1) >> (shift - 2)) & 3);
}

static size_t size_of_class(size_t class_index) {
  if (class_index < 8)
    return 16 * (class_index + 1);
  size_t shift = 7 + (class_index - 8) / 4;
  return ((size_t)1 << shift) + (((class_index & 3) + 1) << (shift - 2));
}

//===--- Spans ------------------------------------------------------------===//

static Span *new_span(void) {
  if (chunk_next == chunk_end) {
    // One span more, so that an aligned chunk is in there somewhere.
    char *chunk = system_map(CHUNK_SIZE + SPAN_SIZE);
    if (chunk == NULL)
      return NULL;
    chunk_next = (char *)round_up((uintptr_t)chunk, SPAN_SIZE);
    chunk_end = chunk_next + CHUNK_SIZE;
  }
  Span *span = (Span *)chunk_next;
  chunk_next += SPAN_SIZE;
  return span;
}

// No block of a class begins a span, since the header does. A block that is
// itself aligned to a span's size has its header one span before it.
static Span *span_of(const void *block) {
  return (Span *)(((uintptr_t)block - 1) & ~(uintptr_t)(SPAN_SIZE - 1));
}

//===--- Blocks of a class ------------------------------------------------===//

static bool start_span(size_t class_index) {
  Span *span = new_span();
  if (span == NULL)
    return false;
  size_t size = size_of_class(class_index);
  span->block_size = size;
  span->class_index = class_index;
  // A size that is a power of two also aligns its blocks to that power.
  size_t lowest_bit = size & -size;
  char *first = (char *)round_up((uintptr_t)span + sizeof(Span),
                                 lowest_bit == size ? size : MINIMUM_ALIGNMENT);
  fresh_blocks[class_index].next = first;
  fresh_blocks[class_index].end = (char *)span + SPAN_SIZE;
  return true;
}

static void *allocate_fresh(size_t class_index) {
  size_t size = size_of_class(class_index);
  if ((size_t)(fresh_blocks[class_index].end - fresh_blocks[class_index].next) <
          size &&
      !start_span(class_index))
    return NULL;
  char *block = fresh_blocks[class_index].next;
  fresh_blocks[class_index].next = block + size;
  return block;
}

static inline void *allocate_small(size_t size) {
  size_t class_index = class_of(size);
  FreeBlock *block = free_blocks[class_index];
  if (__builtin_expect(block == NULL, 0))
    return allocate_fresh(class_index);
  free_blocks[class_index] = block->next;
  return block;
}

//===--- Large blocks -----------------------------------------------------===//

// A block of `size` bytes at a multiple of `alignment`, in a map of its own.
static void *map_large(size_t size, size_t alignment, size_t cache_shift) {
  size_t map_size = size + alignment + 2 * SPAN_SIZE;
  char *map = system_map(map_size);
  if (map == NULL)
    return NULL;
  uintptr_t first_span = round_up((uintptr_t)map, SPAN_SIZE);
  char *block = (char *)round_up(first_span + sizeof(Span), alignment);
  Span *span = span_of(block);
  span->block_size = (size_t)(map + map_size - block);
  span->class_index = LARGE_BLOCK;
  span->cache_shift = cache_shift;
  span->map = map;
  span->map_size = map_size;
  return block;
}

static void *allocate_large(size_t size) {
  if (size > PTRDIFF_MAX / 2)
    return NULL;
  size_t shift = floor_log2(size - 1) + 1;
  if (shift < FIRST_LARGE_SHIFT)
    shift = FIRST_LARGE_SHIFT;
  if (shift > LARGEST_CACHED_SHIFT)
    return map_large(size, sizeof(Span), 0);
  Span *span = free_large[shift - FIRST_LARGE_SHIFT];
  if (span == NULL)
    return map_large((size_t)1 << shift, sizeof(Span), shift);
  free_large[shift - FIRST_LARGE_SHIFT] = span->next_free;
  return span + 1;
}

static void free_large_block(Span *span) {
  if (span->cache_shift == 0) {
    system_unmap(span->map, span->map_size);
    return;
  }
  Span **cache = &free_large[span->cache_shift - FIRST_LARGE_SHIFT];
  span->next_free = *cache;
  *cache = span;
}

//===--- C's functions ----------------------------------------------------===//

C_FUNCTION void *malloc(size_t size) {
  if (__builtin_expect(size <= LARGEST_CLASS_SIZE, 1))
    return allocate_small(size);
  return allocate_large(size);
}

C_FUNCTION void free(void *memory) {
  if (memory == NULL)
    return;
  Span *span = span_of(memory);
  if (span->class_index == LARGE_BLOCK) {
    free_large_block(span);
    return;
  }
  FreeBlock *block = memory;
  block->next = free_blocks[span->class_index];
  free_blocks[span->class_index] = block;
}

C_FUNCTION void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    return NULL;
  void *memory = malloc(total);
  return memory != NULL ? memset(memory, 0, total) : NULL;
}

C_FUNCTION void *realloc(void *memory, size_t size) {
  if (memory == NULL)
    return malloc(size);
  size_t old_size = span_of(memory)->block_size;
  if (size <= old_size && size >= old_size / 2)
    return memory;
  void *moved = malloc(size);
  if (moved == NULL)
    return NULL;
  memcpy(moved, memory, size < old_size ? size : old_size);
  free(memory);
  return moved;
}

C_FUNCTION size_t malloc_usable_size(void *memory) {
  return memory != NULL ? span_of(memory)->block_size : 0;
}

C_FUNCTION void *aligned_alloc(size_t alignment, size_t size) {
  if (alignment <= MINIMUM_ALIGNMENT)
    return malloc(size);
  if (size < alignment)
    size = alignment;
  // A class whose size is a power of two aligns its blocks to it.
  if (size <= LARGEST_CLASS_SIZE)
    return allocate_small((size_t)2 << floor_log2(size - 1));
  if (size > PTRDIFF_MAX / 4 || alignment > PTRDIFF_MAX / 4)
    return NULL;
  return map_large(size, alignment < sizeof(Span) ? sizeof(Span) : alignment,
                   0);
}

C_FUNCTION int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
    return INVALID_ARGUMENT;
  void *block = aligned_alloc(alignment, size);
  if (block == NULL)
    return OUT_OF_MEMORY;
  *memory = block;
  return 0;
}
