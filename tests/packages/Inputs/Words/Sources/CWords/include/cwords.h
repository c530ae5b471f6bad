#pragma once

#include <stddef.h>
#include <stdint.h>

/// A run of letters in a text.
typedef struct {
    size_t start;
    size_t length;
    uint8_t initial;
} word_t;

typedef enum { WORD_SHORT, WORD_LONG = 5 } word_kind;

typedef int (*word_visitor)(void *context, word_t word);

/// Calls `visitor` for each word of `text` until it gives something other than zero; gives that.
int words_visit(const char *text, void *context, word_visitor visitor);

static inline word_kind word_kind_of(word_t word) { return word.length < WORD_LONG ? WORD_SHORT : WORD_LONG; }
