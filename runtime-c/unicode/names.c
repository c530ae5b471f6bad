//===--- names.c - names of scalars -----------------------------------===//
//
// Owns: the names that are not made by rules: those of letters, signs, emoji.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "names.inc"

// Scalars in a block, and words between two whose places are known.
#define BLOCK 0x40
#define WORDS_APART 16
// A word has one byte below this, or two.
#define ONE_BYTE_WORDS 0x80
// The length of no name.
#define NO_LENGTH '#'

static const uint8_t *word_text(size_t number) {
  const uint8_t *word = words + word_starts[number / WORDS_APART];
  for (size_t skipped = number % WORDS_APART; skipped > 0; skipped--)
    while (*word++ != ' ') {
    }
  return word;
}

// Writes as much of the name as there is room for, and returns how much that
// is.
RUNTIME_ENTRY intptr_t _swift_stdlib_getScalarName(uint32_t scalar,
                                                   uint8_t *buffer,
                                                   intptr_t capacity) {
  size_t number = scalar / BLOCK;
  if (number >= COUNT(name_blocks) || name_blocks[number] == 0)
    return 0;
  size_t block = name_blocks[number] - 1;
  const uint8_t *lengths = name_lengths + block * BLOCK;
  const uint8_t *name = names + name_block_offsets[block];
  size_t place = scalar % BLOCK;
  for (size_t before = 0; before < place; before++)
    name += lengths[before] - NO_LENGTH;
  const uint8_t *end = name + (lengths[place] - NO_LENGTH);
  intptr_t written = 0;
  for (bool is_first = true; name < end; is_first = false) {
    size_t index = *name++;
    if (index >= ONE_BYTE_WORDS)
      index = ONE_BYTE_WORDS + ((index - ONE_BYTE_WORDS) << 8 | *name++);
    if (!is_first) {
      if (written == capacity)
        return written;
      buffer[written++] = ' ';
    }
    for (const uint8_t *word = word_text(index); *word != ' '; word++) {
      if (written == capacity)
        return written;
      buffer[written++] = *word;
    }
  }
  return written;
}
