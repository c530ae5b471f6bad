#include "cwords.h"

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int words_visit(const char *text, void *context, word_visitor visitor) {
    for (size_t at = 0; text[at];) {
        size_t start = at;
        while (is_letter(text[at])) at++;
        if (at == start) {
            at++;
            continue;
        }
        int end = visitor(context, (word_t){start, at - start, (uint8_t)text[start]});
        if (end) return end;
    }
    return 0;
}
