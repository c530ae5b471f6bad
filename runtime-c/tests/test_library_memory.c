//===--- test_library_memory.c - blocks of bytes and the allocator --------===//
//
// The library's functions have the prefix our_ here.
//
//===----------------------------------------------------------------------===//

#include "test.h"

void *our_memcpy(void *, const void *, size_t);
void *our_memmove(void *, const void *, size_t);
void *our_memset(void *, int, size_t);
int our_memcmp(const void *, const void *, size_t);
void *our_memchr(const void *, int, size_t);
size_t our_strlen(const char *);
int our_strcmp(const char *, const char *);
void *our_malloc(size_t);
void *our_calloc(size_t, size_t);
void *our_realloc(void *, size_t);
void our_free(void *);
int our_posix_memalign(void **, size_t, size_t);
void *our_aligned_alloc(size_t, size_t);

enum { BLOCK = 300 };

static void fill(char *block) {
  for (int index = 0; index < BLOCK; ++index)
    block[index] = (char)(index * 7 + 1);
}

static void blocks_move(void) {
  char ours[BLOCK], expected[BLOCK];
  for (int from = 0; from < 80; from += 3)
    for (int to = 0; to < 80; to += 1)
      for (int length = 0; length < 200; length += 1) {
        fill(ours);
        fill(expected);
        CHECK(our_memmove(ours + to, ours + from, (size_t)length) == ours + to);
        memmove(expected + to, expected + from, (size_t)length);
        CHECK(memcmp(ours, expected, BLOCK) == 0);
      }
}

static void blocks_copy_and_fill(void) {
  char source[BLOCK], ours[BLOCK], expected[BLOCK];
  fill(source);
  for (size_t length = 0; length < 200; ++length) {
    memset(ours, 0, BLOCK);
    memset(expected, 0, BLOCK);
    our_memcpy(ours + 3, source + 5, length);
    memcpy(expected + 3, source + 5, length);
    CHECK(memcmp(ours, expected, BLOCK) == 0);
    our_memset(ours + 9, 0xA5, length);
    memset(expected + 9, 0xA5, length);
    CHECK(memcmp(ours, expected, BLOCK) == 0);
  }
}

static int sign(int number) { return (number > 0) - (number < 0); }

static void blocks_compare(void) {
  char left[BLOCK], right[BLOCK];
  fill(left);
  for (size_t length = 0; length < 100; ++length)
    for (size_t at = 0; at < 100; ++at) {
      memcpy(right, left, BLOCK);
      right[at] ^= (char)0x81;
      CHECK(sign(our_memcmp(left, right, length)) ==
            sign(memcmp(left, right, length)));
    }
  CHECK(our_memchr("abcdef", 'd', 6) != NULL);
  CHECK(our_memchr("abcdef", 'd', 3) == NULL);
  CHECK(our_strlen("") == 0 && our_strlen("four") == 4);
  CHECK(our_strcmp("a", "b") < 0 && our_strcmp("b", "a") > 0);
  CHECK(our_strcmp("ab", "a") > 0 && our_strcmp("ab", "ab") == 0);
}

enum { POINTERS = 500 };

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

static size_t random_size(void) {
  size_t limit = (size_t)1 << (rand() % 18);
  return (size_t)rand() % limit;
}

// Blocks stay apart whatever the order of calls.
static void allocator_keeps_blocks_apart(void) {
  static Block blocks[POINTERS];
  for (int turn = 0; turn < 60000; ++turn) {
    Block *block = &blocks[rand() % POINTERS];
    CHECK(is_intact(block));
    size_t size = random_size();
    if (rand() % 3 == 0 && block->memory != NULL) {
      size_t kept = size < block->size ? size : block->size;
      block->memory = our_realloc(block->memory, size);
      block->size = kept;
      CHECK(is_intact(block));
    } else {
      size_t alignment = (size_t)16 << (rand() % 14);
      our_free(block->memory);
      void *memory = NULL;
      if (rand() % 4 == 0)
        CHECK(our_posix_memalign(&memory, alignment, size) == 0 &&
              (uintptr_t)memory % alignment == 0);
      else
        memory = our_malloc(size);
      block->memory = memory;
    }
    CHECK(block->memory != NULL && (uintptr_t)block->memory % 16 == 0);
    block->size = size;
    block->mark = (unsigned char)turn;
    memset(block->memory, block->mark, size);
  }
  for (int index = 0; index < POINTERS; ++index)
    our_free(blocks[index].memory);
}

static void allocator_reuses_memory(void) {
  void *first = our_malloc(48);
  our_free(first);
  CHECK(our_malloc(40) == first);
  our_free(first);
  void *large = our_malloc(100000);
  our_free(large);
  CHECK(our_malloc(100001) == large);
  our_free(large);
}

static void allocator_answers_impossible_requests(void) {
  void *memory = NULL;
  CHECK(our_malloc(SIZE_MAX) == NULL);
  CHECK(our_malloc(SIZE_MAX - 100000) == NULL);
  CHECK(our_calloc(SIZE_MAX / 2, 3) == NULL);
  CHECK(our_posix_memalign(&memory, 24, 8) != 0);
  CHECK(our_posix_memalign(&memory, 4, 8) != 0);
  CHECK(our_aligned_alloc(1 << 20, SIZE_MAX - 5) == NULL);
  our_free(NULL);
}

static void allocator_clears(void) {
  for (size_t size = 1; size < 3000; size += 13) {
    char *dirty = our_malloc(size);
    memset(dirty, 1, size);
    our_free(dirty);
    char *clear = our_calloc(1, size);
    for (size_t index = 0; index < size; ++index)
      CHECK(clear[index] == 0);
    our_free(clear);
  }
}

RUN_TESTS(TEST(blocks_move), TEST(blocks_copy_and_fill), TEST(blocks_compare),
          TEST(allocator_keeps_blocks_apart), TEST(allocator_reuses_memory),
          TEST(allocator_answers_impossible_requests), TEST(allocator_clears))
