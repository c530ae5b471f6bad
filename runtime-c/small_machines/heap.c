//===--- heap.c - one row of memory ---------------------------------------===//
//
// Owns: posix_memalign, free, malloc_usable_size. malloc and its kin stand on
// these (malloc.c), so that a program may bring its own two.
//
// The heap is one row of blocks, each after a header with its length and that
// of the block before it. Free blocks are in lists by the power of two of their
// size. A block that is freed is joined with free neighbours at once, so that
// no two free blocks are beside each other.
//
// Interrupt handlers must not allocate while the program does.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"

// The number of lists: the last one has all blocks of its size and larger
// ones. Boards whose memory is small have few such blocks.
#ifdef __wasm__
enum { LIST_COUNT = 24 };
#else
enum { LIST_COUNT = 12 };
#endif

enum {
  ALIGNMENT = 2 * sizeof(size_t),
  OUT_OF_MEMORY = 12, // errno's values
  INVALID_ARGUMENT = 22
};

// Sizes count the header. The lowest bit of `size` is set if the block is used.
typedef struct Block {
  size_t previous_size; // zero for the first
  size_t size;
  struct Block *next_free, *previous_free; // where it is free
} Block;

enum { HEADER_SIZE = 2 * sizeof(size_t), MINIMUM_SIZE = sizeof(Block) };

// Where the heap begins and, at first, ends.
#ifdef __wasm__
extern char __heap_base[], __heap_end[]; // the linker's
#define HEAP_START __heap_base
#else
extern char __heap_start[], __heap_end[]; // the linker script's
#define HEAP_START __heap_start
#endif

static Block *free_lists[LIST_COUNT];
static Block *last; // the end of the heap: a used block without contents

static size_t size_of(const Block *block) { return block->size & ~(size_t)1; }
static bool is_used(const Block *block) { return (block->size & 1) != 0; }

static Block *at(Block *block, size_t offset) {
  return (Block *)((char *)block + offset);
}

static Block *block_of(void *memory) {
  return (Block *)((char *)memory - HEADER_SIZE);
}

static int log2_of(size_t size) {
  return sizeof(size_t) == 8 ? 63 - __builtin_clzll(size)
                             : 31 - __builtin_clz((unsigned)size);
}

static Block **list_for(size_t size) {
  const int list = log2_of(size) - log2_of(MINIMUM_SIZE);
  return &free_lists[list < LIST_COUNT ? list : LIST_COUNT - 1];
}

static void add_free(Block *block, size_t size) {
  Block **list = list_for(size);
  block->size = size;
  at(block, size)->previous_size = size;
  block->previous_free = NULL;
  block->next_free = *list;
  if (*list != NULL)
    (*list)->previous_free = block;
  *list = block;
}

static void remove_free(Block *block) {
  if (block->previous_free != NULL)
    block->previous_free->next_free = block->next_free;
  else
    *list_for(block->size) = block->next_free;
  if (block->next_free != NULL)
    block->next_free->previous_free = block->previous_free;
}

// The place where the contents of the block would begin, so aligned that the
// space before them is nothing or a block.
static char *contents_in(Block *block, size_t alignment) {
  uintptr_t first = (uintptr_t)block + HEADER_SIZE;
  uintptr_t aligned = (first + alignment - 1) & ~(uintptr_t)(alignment - 1);
  while (aligned != first && aligned - first < MINIMUM_SIZE)
    aligned += alignment;
  return (char *)aligned;
}

static bool fits(Block *block, size_t alignment, size_t size) {
  size_t before = (size_t)(contents_in(block, alignment) - HEADER_SIZE -
                           (char *)block);
  return block->size >= before && block->size - before >= size;
}

static Block *find(size_t alignment, size_t size) {
  for (Block **list = list_for(size); list != free_lists + LIST_COUNT; ++list)
    for (Block *block = *list; block != NULL; block = block->next_free)
      if (fits(block, alignment, size))
        return block;
  return NULL;
}

static void set_up(void) {
  uintptr_t first = ((uintptr_t)HEAP_START + ALIGNMENT - 1) &
                    ~(uintptr_t)(ALIGNMENT - 1);
  uintptr_t end = (uintptr_t)__heap_end & ~(uintptr_t)(ALIGNMENT - 1);
  static Block no_heap;
  last = &no_heap;
  if (end < first + MINIMUM_SIZE + HEADER_SIZE)
    return;
  Block *block = (Block *)first;
  block->previous_size = 0;
  last = (Block *)(end - HEADER_SIZE);
  last->size = 1;
  add_free(block, (size_t)((char *)last - (char *)block));
}

#ifdef __wasm__

// Asks for memory after the heap, at least so much. Other code that asked
// meanwhile has the memory between.
static bool grow(size_t size) {
  enum { PAGE_SIZE = 1 << 16, LEAST = 16 * PAGE_SIZE };
  size = size < LEAST ? LEAST : (size + PAGE_SIZE - 1) & ~(size_t)(PAGE_SIZE - 1);
  size_t pages_before = __builtin_wasm_memory_grow(0, size / PAGE_SIZE);
  if (pages_before == SIZE_MAX)
    return false;
  char *start = (char *)(pages_before * PAGE_SIZE);
  Block *block = last;
  if ((char *)last + HEADER_SIZE != start) {
    block = (Block *)start;
    block->previous_size = 0;
  }
  last = (Block *)(start + size - HEADER_SIZE);
  last->size = 1;
  block->size = (size_t)((char *)last - (char *)block) | 1;
  free((char *)block + HEADER_SIZE);
  return true;
}

#else

static bool grow(size_t size) {
  (void)size;
  return false;
}

#endif

// Cuts the rest off a free block that is in no list, and uses the block.
static void *use(Block *block, size_t alignment, size_t size) {
  Block *used = block_of(contents_in(block, alignment));
  size_t before = (size_t)((char *)used - (char *)block);
  size_t after = block->size - before - size;
  if (before != 0)
    add_free(block, before);
  if (after >= MINIMUM_SIZE)
    add_free(at(used, size), after);
  else
    size += after;
  used->size = size | 1;
  at(used, size)->previous_size = size;
  return (char *)used + HEADER_SIZE;
}

C_FUNCTION int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
    return INVALID_ARGUMENT;
  if (last == NULL)
    set_up();
  if (alignment < ALIGNMENT)
    alignment = ALIGNMENT;
  if (size > PTRDIFF_MAX / 2)
    return OUT_OF_MEMORY;
  size = (size + HEADER_SIZE + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (size < MINIMUM_SIZE)
    size = MINIMUM_SIZE;
  Block *block = find(alignment, size);
  if (block == NULL && grow(size + alignment + MINIMUM_SIZE))
    block = find(alignment, size);
  if (block == NULL)
    return OUT_OF_MEMORY;
  remove_free(block);
  *memory = use(block, alignment, size);
  return 0;
}

C_FUNCTION void free(void *memory) {
  if (memory == NULL)
    return;
  Block *block = block_of(memory);
  size_t size = size_of(block);
  Block *next = at(block, size);
  if (!is_used(next)) {
    remove_free(next);
    size += next->size;
  }
  if (block->previous_size != 0) {
    Block *previous = at(block, -block->previous_size);
    if (!is_used(previous)) {
      remove_free(previous);
      size += previous->size;
      block = previous;
    }
  }
  add_free(block, size);
}

C_FUNCTION size_t malloc_usable_size(void *memory) {
  return memory != NULL ? size_of(block_of(memory)) - HEADER_SIZE : 0;
}
