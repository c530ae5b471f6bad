//===--- object_pool.c - memory for small objects -------------------------===//
//
// Owns: silc_allocateObject, silc_deallocateObject and silc_allocatedSize,
// which swift_allocObject and its counterparts use.
// Does not own: raw memory (allocation.c), which is the C library's always.
//
// Most objects are small, and many die soon after they were made. The pool
// gives their memory out from chains of free blocks, a chain for each size, in
// a few instructions that LLVM may inline.
//
// - The pool is one range of addresses, reserved when the first object is made,
//   of which only the used part gets memory. So one comparison shows whether a
//   block is the pool's. It is cut into spans of blocks of one size; the
//   range's first bytes have the size of each span.
// - Only a process with one thread takes blocks. From the second thread on,
//   objects come from malloc; blocks that die then return under a lock.
// - Everything else comes from malloc too: large objects, objects with a great
//   alignment, and all if the range cannot be reserved, if there is no mmap
//   (the freestanding C library, whose malloc is as fast), if the environment
//   has SILC_MALLOC=system, for memory checkers, or if the program is not
//   linked for it.
// - There is one where addresses are long enough and the system gives ranges of
//   them: on 64-bit Linux. Elsewhere the functions are malloc and free.
//
// A block of the pool must come back through silc_deallocateObject, and not
// through free. Objects of another compiler call free: Embedded Swift inlines
// its runtime. So there is a pool only in a program that declares that none of
// its objects does, by defining silc_objectPoolIsSafe (object_pool_is_safe.c).
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

#if UINTPTR_MAX > UINT32_MAX && defined(__linux__)

enum {
  GRANULE = 16,
  CLASS_COUNT = 32,
  LARGEST_SIZE = GRANULE * CLASS_COUNT,
  SPAN_SHIFT = 15,
  SPAN_SIZE = 1 << SPAN_SHIFT,
  REFILL_SIZE = 2048 // bytes that are chained at a time
};

#define RANGE_SIZE ((uintptr_t)1 << 34)

typedef struct FreeBlock {
  struct FreeBlock *next;
} FreeBlock;

typedef enum PoolState { NOT_TRIED, RESERVED, UNAVAILABLE } PoolState;

typedef struct ObjectPool {
  FreeBlock *free_blocks[CLASS_COUNT];
  // The rest of each class's newest span, not yet chained.
  char *fresh[CLASS_COUNT];
  char *fresh_end[CLASS_COUNT];
  char *range;     // the range's begin, which is also the table of classes
  char *next_span; // up to here, spans have a class
  PoolState state;
  atomic_flag lock; // taken where there are several threads
} ObjectPool;

RUNTIME_STATE ObjectPool silc_objectPool = {0};

//===--- Spans ------------------------------------------------------------===//

// Defined where every object file of the program is this runtime's client.
extern const char silc_objectPoolIsSafe
    __attribute__((weak, visibility("default")));

static bool is_wanted(void) {
  if (!IS_LINKED(silc_objectPoolIsSafe))
    return false;
  const char *wish = getenv("SILC_MALLOC");
  return wish == NULL || strcmp(wish, "system") != 0;
}

static void reserve_range(ObjectPool *pool) {
  enum { READ_WRITE = 1 | 2, PRIVATE_ANONYMOUS_UNRESERVED = 0x4022 };
  pool->state = UNAVAILABLE;
  if (!IS_LINKED(mmap) || !is_wanted())
    return;
  void *map =
      mmap(NULL, RANGE_SIZE, READ_WRITE, PRIVATE_ANONYMOUS_UNRESERVED, -1, 0);
  if ((intptr_t)map == -1)
    return;
  pool->range = map;
  pool->next_span = pool->range + (RANGE_SIZE >> SPAN_SHIFT);
  pool->state = RESERVED;
}

static bool start_span(ObjectPool *pool, size_t class_index) {
  if (pool->state == NOT_TRIED)
    reserve_range(pool);
  if (pool->state == UNAVAILABLE ||
      pool->next_span + SPAN_SIZE > pool->range + RANGE_SIZE)
    return false;
  char *span = pool->next_span;
  pool->next_span = span + SPAN_SIZE;
  pool->range[(span - pool->range) >> SPAN_SHIFT] = (char)class_index;
  pool->fresh[class_index] = span;
  pool->fresh_end[class_index] = span + SPAN_SIZE;
  return true;
}

// Chains some fresh blocks and returns one more, or null.
static void *refill(ObjectPool *pool, size_t class_index) {
  size_t size = (class_index + 1) * GRANULE;
  char *first = pool->fresh[class_index];
  if ((size_t)(pool->fresh_end[class_index] - first) < size) {
    if (!start_span(pool, class_index))
      return NULL;
    first = pool->fresh[class_index];
  }
  size_t room = (size_t)(pool->fresh_end[class_index] - first);
  size_t count = (room < REFILL_SIZE ? room : REFILL_SIZE) / size;
  char *last = first + (count - 1) * size;
  FreeBlock *chain = NULL;
  for (char *block = last; block != first; block -= size) {
    ((FreeBlock *)block)->next = chain;
    chain = (FreeBlock *)block;
  }
  pool->free_blocks[class_index] = chain;
  pool->fresh[class_index] = last + size;
  return first;
}

//===--- Allocation -------------------------------------------------------===//

// Where no block of the size is free, or none may be taken.
RUNTIME_ENTRY __attribute__((noinline)) void *
silc_allocateObjectSlowly(size_t size, size_t alignment_mask) {
  if (is_single_threaded() && size - 1 < LARGEST_SIZE &&
      alignment_mask < GRANULE) {
    void *block = refill(&silc_objectPool, (size - 1) / GRANULE);
    if (block != NULL)
      return block;
  }
  return silc_allocate(size, alignment_mask);
}

RUNTIME_ENTRY void *silc_allocateObject(size_t size, size_t alignment_mask) {
  if (LIKELY(size - 1 < LARGEST_SIZE && alignment_mask < GRANULE &&
             is_single_threaded())) {
    FreeBlock **chain = &silc_objectPool.free_blocks[(size - 1) / GRANULE];
    FreeBlock *block = *chain;
    if (LIKELY(block != NULL)) {
      *chain = block->next;
      return block;
    }
  }
  return silc_allocateObjectSlowly(size, alignment_mask);
}

//===--- Deallocation -----------------------------------------------------===//

ALWAYS_INLINE size_t class_of(const ObjectPool *pool, const void *memory) {
  uintptr_t offset = (uintptr_t)memory - (uintptr_t)pool->range;
  return (size_t)pool->range[offset >> SPAN_SHIFT];
}

ALWAYS_INLINE void give_back(ObjectPool *pool, void *memory) {
  size_t class_index = class_of(pool, memory);
  FreeBlock *block = memory;
  block->next = pool->free_blocks[class_index];
  pool->free_blocks[class_index] = block;
}

COLD static void give_back_locked(ObjectPool *pool, void *memory) {
  while (atomic_flag_test_and_set_explicit(&pool->lock, memory_order_acquire))
    yield_to_others();
  give_back(pool, memory);
  atomic_flag_clear_explicit(&pool->lock, memory_order_release);
}

ALWAYS_INLINE bool is_in_pool(const ObjectPool *pool, const void *memory) {
  return (uintptr_t)memory - (uintptr_t)pool->range < RANGE_SIZE &&
         pool->range != NULL;
}

// Out of line: it is called once for each object, from the class's deinit.
RUNTIME_ENTRY __attribute__((noinline)) void
silc_deallocateObject(void *memory) {
  ObjectPool *pool = &silc_objectPool;
  if (UNLIKELY(!is_in_pool(pool, memory)))
    silc_deallocate(memory);
  else if (LIKELY(is_single_threaded()))
    give_back(pool, memory);
  else
    give_back_locked(pool, memory);
}

//===--- Sizes ------------------------------------------------------------===//

RUNTIME_ENTRY size_t silc_allocatedSize(const void *memory) {
  const ObjectPool *pool = &silc_objectPool;
  if (memory != NULL && is_in_pool(pool, memory))
    return (class_of(pool, memory) + 1) * GRANULE;
  return silc_usableSize(memory);
}

#else

RUNTIME_ENTRY void *silc_allocateObject(size_t size, size_t alignment_mask) {
  return silc_allocate(size, alignment_mask);
}

RUNTIME_ENTRY void silc_deallocateObject(void *memory) {
  silc_deallocate(memory);
}

RUNTIME_ENTRY size_t silc_allocatedSize(const void *memory) {
  return silc_usableSize(memory);
}

#endif
