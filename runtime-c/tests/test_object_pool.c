//===--- test_object_pool.c -----------------------------------------------===//

#include "test.h"
#include <pthread.h>

enum { COUNT = 4000 };

typedef struct Block {
  unsigned char *memory;
  size_t size;
  unsigned char mark;
} Block;

static bool is_intact(const Block *block) {
  for (size_t index = 0; index < block->size; ++index)
    if (block->memory[index] != block->mark)
      return false;
  return true;
}

static void renew(Block *block, size_t size, size_t alignment_mask) {
  CHECK(is_intact(block));
  if (block->memory != NULL)
    silc_deallocateObject(block->memory);
  block->memory = silc_allocateObject(size, alignment_mask);
  block->size = size;
  block->mark = (unsigned char)rand();
  CHECK((uintptr_t)block->memory % (alignment_mask + 1) == 0);
  memset(block->memory, block->mark, size);
}

static void objects_stay_apart(void) {
  static Block blocks[COUNT];
  for (int turn = 0; turn < 100000; ++turn) {
    size_t size = 16 + (size_t)rand() % (rand() % 8 == 0 ? 2000 : 200);
    size_t mask = rand() % 50 == 0 ? 255 : 15;
    renew(&blocks[rand() % COUNT], size, mask);
  }
  for (int index = 0; index < COUNT; ++index)
    if (blocks[index].memory != NULL)
      silc_deallocateObject(blocks[index].memory);
}

static void *replace_objects(void *shared) {
  Block *blocks = shared;
  for (int turn = 0; turn < 20000; ++turn)
    renew(&blocks[turn % (COUNT / 4)], 16 + (size_t)(turn % 100), 15);
  return NULL;
}

// Objects of the time with one thread die in others.
static void objects_die_in_other_threads(void) {
  static Block blocks[COUNT];
  for (int index = 0; index < COUNT; ++index)
    renew(&blocks[index], 16 + (size_t)(index % 100), 15);
  pthread_t threads[4];
  for (int index = 0; index < 4; ++index)
    pthread_create(&threads[index], NULL, replace_objects,
                   &blocks[index * (COUNT / 4)]);
  for (int index = 0; index < 4; ++index)
    pthread_join(threads[index], NULL);
  for (int index = 0; index < COUNT; ++index) {
    CHECK(is_intact(&blocks[index]));
    silc_deallocateObject(blocks[index].memory);
  }
}

static void memory_is_used_again(void) {
  void *first = silc_allocateObject(40, 15);
  silc_deallocateObject(first);
  void *second = silc_allocateObject(48, 15);
  CHECK(first == second || getenv("SILC_MALLOC") != NULL);
  silc_deallocateObject(second);
}

static void sizes_are_known(void) {
  for (size_t size = 1; size < 2000; size += 7) {
    void *object = silc_allocateObject(size, 15);
    CHECK(silc_allocatedSize(object) >= size);
    memset(object, 1, silc_allocatedSize(object));
    silc_deallocateObject(object);
  }
  CHECK(silc_allocatedSize(NULL) == 0);
}

// The program is linked with the whole runtime, so there is a pool here.
static void objects_are_not_the_allocators(void) {
  void *object = silc_allocateObject(40, 15);
  CHECK(silc_allocatedSize(object) == 48 || getenv("SILC_MALLOC") != NULL);
  silc_deallocateObject(object);
}

// Threads last: from then on the pool gives nothing out.
RUN_TESTS(TEST(memory_is_used_again), TEST(sizes_are_known),
          TEST(objects_are_not_the_allocators), TEST(objects_stay_apart),
          TEST(objects_die_in_other_threads))
