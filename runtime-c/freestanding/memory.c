//===--- memory.c - blocks of bytes ---------------------------------------===//
//
// Owns: memcpy, memmove, memset, memcmp, bcmp, memchr.
//
// Small blocks go by overlapping words, larger ones by 32 bytes a turn.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

#if (defined(__arm__) && !defined(__linux__)) || defined(__riscv)

// Microcontrollers: code is to be small, and words are to be aligned.

static bool are_aligned(const void *one, const void *other) {
  return (((uintptr_t)one | (uintptr_t)other) & (sizeof(size_t) - 1)) == 0;
}

typedef size_t __attribute__((may_alias)) Word;

C_FUNCTION void *memcpy(void *restrict destination, const void *restrict source,
                        size_t length) {
  char *to = destination;
  const char *from = source;
  if (are_aligned(to, from))
    for (; length >= sizeof(Word); length -= sizeof(Word)) {
      *(Word *)to = *(const Word *)from;
      to += sizeof(Word);
      from += sizeof(Word);
    }
  for (; length != 0; --length)
    *to++ = *from++;
  return destination;
}

C_FUNCTION void *memmove(void *destination, const void *source, size_t length) {
  if ((uintptr_t)destination - (uintptr_t)source >= length)
    return memcpy(destination, source, length);
  char *to = (char *)destination + length;
  const char *from = (const char *)source + length;
  if (are_aligned(to, from))
    for (; length >= sizeof(Word); length -= sizeof(Word)) {
      to -= sizeof(Word);
      from -= sizeof(Word);
      *(Word *)to = *(const Word *)from;
    }
  for (; length != 0; --length)
    *--to = *--from;
  return destination;
}

C_FUNCTION void *memset(void *memory, int byte, size_t length) {
  char *to = memory;
  if (are_aligned(to, to)) {
    size_t pattern = (unsigned char)byte * (~(size_t)0 / 255);
    for (; length >= sizeof(Word); length -= sizeof(Word)) {
      *(Word *)to = pattern;
      to += sizeof(Word);
    }
  }
  for (; length != 0; --length)
    *to++ = (char)byte;
  return memory;
}

C_FUNCTION int memcmp(const void *left, const void *right, size_t length) {
  const unsigned char *a = left, *b = right;
  for (; length != 0; ++a, ++b, --length)
    if (*a != *b)
      return *a - *b;
  return 0;
}

#else

// Words at any address: the compiler makes one load or store of each.
typedef struct Unaligned32 {
  uint32_t value;
} __attribute__((packed, may_alias)) Unaligned32;
typedef struct Unaligned64 {
  uint64_t value;
} __attribute__((packed, may_alias)) Unaligned64;

static inline uint64_t load64(const char *from) {
  return ((const Unaligned64 *)from)->value;
}

static inline void store64(char *to, uint64_t value) {
  ((Unaligned64 *)to)->value = value;
}

// Reads everything before it writes anything, so overlaps do no harm.
static inline void move_up_to_16(char *to, const char *from, size_t length) {
  if (length >= 8) {
    uint64_t first = load64(from), last = load64(from + length - 8);
    store64(to, first);
    store64(to + length - 8, last);
  } else if (length >= 4) {
    uint32_t first = ((const Unaligned32 *)from)->value;
    uint32_t last = ((const Unaligned32 *)(from + length - 4))->value;
    ((Unaligned32 *)to)->value = first;
    ((Unaligned32 *)(to + length - 4))->value = last;
  } else if (length != 0) {
    char first = from[0], middle = from[length / 2], last = from[length - 1];
    to[0] = first;
    to[length / 2] = middle;
    to[length - 1] = last;
  }
}

static inline void move_32(char *to, const char *from) {
  uint64_t a = load64(from), b = load64(from + 8);
  uint64_t c = load64(from + 16), d = load64(from + 24);
  store64(to, a);
  store64(to + 8, b);
  store64(to + 16, c);
  store64(to + 24, d);
}

static void move_up_to_32(char *to, const char *from, size_t length) {
  if (length <= 16) {
    move_up_to_16(to, from, length);
    return;
  }
  uint64_t a = load64(from), b = load64(from + 8);
  uint64_t c = load64(from + length - 16), d = load64(from + length - 8);
  store64(to, a);
  store64(to + 8, b);
  store64(to + length - 16, c);
  store64(to + length - 8, d);
}

static void move_forwards(char *to, const char *from, size_t length) {
  for (; length > 32; to += 32, from += 32, length -= 32)
    move_32(to, from);
  move_up_to_32(to, from, length);
}

static void move_backwards(char *to, const char *from, size_t length) {
  for (; length > 32; length -= 32)
    move_32(to + length - 32, from + length - 32);
  move_up_to_32(to, from, length);
}

C_FUNCTION void *memmove(void *destination, const void *source, size_t length) {
  if ((uintptr_t)destination - (uintptr_t)source >= length)
    move_forwards(destination, source, length);
  else
    move_backwards(destination, source, length);
  return destination;
}

C_FUNCTION void *memcpy(void *restrict destination, const void *restrict source,
                        size_t length) {
  move_forwards(destination, source, length);
  return destination;
}

C_FUNCTION void *memset(void *memory, int byte, size_t length) {
  char *to = memory;
  uint64_t pattern = (unsigned char)byte * UINT64_C(0x0101010101010101);
  if (length < 8) {
    for (; length != 0; --length)
      *to++ = (char)byte;
    return memory;
  }
  store64(to + length - 8, pattern);
  for (; length >= 8; to += 8, length -= 8)
    store64(to, pattern);
  return memory;
}

C_FUNCTION int memcmp(const void *left, const void *right, size_t length) {
  const unsigned char *a = left, *b = right;
  while (length >= 8 && load64((const char *)a) == load64((const char *)b)) {
    a += 8;
    b += 8;
    length -= 8;
  }
  for (; length != 0; ++a, ++b, --length)
    if (*a != *b)
      return *a - *b;
  return 0;
}

// Only asks whether the blocks differ; LLVM calls it for comparisons with zero.

#endif

C_FUNCTION int bcmp(const void *left, const void *right, size_t length) {
  return memcmp(left, right, length);
}

C_FUNCTION void *memchr(const void *memory, int byte, size_t length) {
  const unsigned char *next = memory;
  for (; length != 0; ++next, --length)
    if (*next == (unsigned char)byte)
      return (void *)next;
  return NULL;
}
