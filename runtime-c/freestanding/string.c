//===--- string.c - zero-terminated strings -------------------------------===//
//
// Owns: ISO C's <string.h> without the functions on blocks of bytes (memory.c);
// strnlen and strdup, which POSIX adds. There is one locale.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

C_FUNCTION size_t strlen(const char *text) {
  const char *end = text;
  while (*end != 0)
    ++end;
  return (size_t)(end - text);
}

C_FUNCTION size_t strnlen(const char *text, size_t length) {
  size_t count = 0;
  while (count < length && text[count] != 0)
    ++count;
  return count;
}

C_FUNCTION int strcmp(const char *left, const char *right) {
  while (*left != 0 && *left == *right)
    ++left, ++right;
  return (unsigned char)*left - (unsigned char)*right;
}

C_FUNCTION int strncmp(const char *left, const char *right, size_t length) {
  for (; length != 0; ++left, ++right, --length)
    if (*left != *right || *left == 0)
      return (unsigned char)*left - (unsigned char)*right;
  return 0;
}

C_FUNCTION int strcoll(const char *left, const char *right) {
  return strcmp(left, right);
}

C_FUNCTION size_t strxfrm(char *restrict to, const char *restrict from,
                          size_t length) {
  size_t needed = strlen(from);
  if (needed < length)
    memcpy(to, from, needed + 1);
  return needed;
}

C_FUNCTION char *strcpy(char *restrict to, const char *restrict from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}

C_FUNCTION char *strncpy(char *restrict to, const char *restrict from,
                         size_t length) {
  size_t count = strnlen(from, length);
  memcpy(to, from, count);
  memset(to + count, 0, length - count);
  return to;
}

C_FUNCTION char *strcat(char *restrict to, const char *restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}

C_FUNCTION char *strncat(char *restrict to, const char *restrict from,
                         size_t length) {
  size_t count = strnlen(from, length);
  char *end = to + strlen(to);
  memcpy(end, from, count);
  end[count] = 0;
  return to;
}

C_FUNCTION char *strchr(const char *text, int character) {
  for (;; ++text) {
    if (*text == (char)character)
      return (char *)text;
    if (*text == 0)
      return NULL;
  }
}

C_FUNCTION char *strrchr(const char *text, int character) {
  const char *found = NULL;
  for (;; ++text) {
    if (*text == (char)character)
      found = text;
    if (*text == 0)
      return (char *)found;
  }
}

// How many characters of `text` come before the first one that is, or is not,
// among `characters`.
static size_t span(const char *text, const char *characters, bool among) {
  size_t count = 0;
  while (text[count] != 0 &&
         (strchr(characters, text[count]) != NULL) == among)
    ++count;
  return count;
}

C_FUNCTION size_t strspn(const char *text, const char *characters) {
  return span(text, characters, true);
}

C_FUNCTION size_t strcspn(const char *text, const char *characters) {
  return span(text, characters, false);
}

C_FUNCTION char *strpbrk(const char *text, const char *characters) {
  text += strcspn(text, characters);
  return *text == 0 ? NULL : (char *)text;
}

C_FUNCTION char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; ++text) {
    if (strncmp(text, part, length) == 0)
      return (char *)text;
    if (*text == 0)
      return NULL;
  }
}

C_FUNCTION char *strtok_r(char *restrict text, const char *restrict separators,
                          char **restrict rest) {
  char *token = text != NULL ? text : *rest;
  if (token == NULL)
    return NULL;
  token += strspn(token, separators);
  char *end = token + strcspn(token, separators);
  *rest = *end == 0 ? NULL : end + 1;
  *end = 0;
  return end == token ? NULL : token;
}

C_FUNCTION char *strtok(char *restrict text, const char *restrict separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}

C_FUNCTION char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}
