//===--- sorting.c - arrays sorted and searched ---------------------------===//
//
// Owns: qsort, a heapsort, which needs no memory and takes n log n comparisons
// whatever the order is; bsearch.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

typedef int Comparison(const void *, const void *);

static void exchange(char *left, char *right, size_t size) {
  for (; size != 0; --size) {
    char byte = *left;
    *left++ = *right;
    *right++ = byte;
  }
}

// Sinks the element at `root` below its larger children.
static void sink(char *base, size_t root, size_t count, size_t size,
                 Comparison *compare) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count)
      return;
    if (child + 1 < count &&
        compare(base + child * size, base + (child + 1) * size) < 0)
      ++child;
    if (compare(base + root * size, base + child * size) >= 0)
      return;
    exchange(base + root * size, base + child * size, size);
    root = child;
  }
}

C_FUNCTION void qsort(void *base, size_t count, size_t size,
                      Comparison *compare) {
  for (size_t root = count / 2; root != 0; --root)
    sink(base, root - 1, count, size, compare);
  for (size_t end = count; end > 1; --end) {
    exchange(base, (char *)base + (end - 1) * size, size);
    sink(base, 0, end - 1, size, compare);
  }
}

C_FUNCTION void *bsearch(const void *key, const void *base, size_t count,
                         size_t size, Comparison *compare) {
  const char *from = base;
  while (count != 0) {
    const char *middle = from + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      from = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return NULL;
}
