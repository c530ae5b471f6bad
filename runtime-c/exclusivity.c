//===--- exclusivity.c - accesses that must not overlap -------------------===//
//
// Owns: swift_beginAccess and swift_endAccess, the dynamic half of the law of
// exclusivity. Each thread has the list of accesses that it has begun; their
// records lie in the callers' buffers of three words.
//
//===----------------------------------------------------------------------===//

#include "libc.h"
#include "runtime.h"

// The flags of begin_access (include/swift/ABI/MetadataValues.h).
enum { ACCESS_MODIFY = 0x01, ACCESS_TRACKING = 0x20 };

typedef struct Access {
  const void *address; // null where the access is not tracked
  const void *started_at;
  uintptr_t next_and_action; // the next record, with ACCESS_MODIFY or not
} Access;

_Static_assert(sizeof(Access) <= 3 * sizeof(void *), "a buffer is three words");

RUNTIME_STATE THREAD_LOCAL Access *silc_accesses = NULL;

ALWAYS_INLINE Access *next(const Access *access) {
  return (Access *)(access->next_and_action & ~(uintptr_t)ACCESS_MODIFY);
}

ALWAYS_INLINE uintptr_t action(uintptr_t flags) {
  return flags & ACCESS_MODIFY;
}

ALWAYS_INLINE void set_next(Access *access, Access *next) {
  access->next_and_action = (uintptr_t)next | action(access->next_and_action);
}

//===--- The report -------------------------------------------------------===//

static void write_address(const void *address) {
  char digits[2 + 2 * sizeof(uintptr_t)];
  char *first = digits + sizeof(digits);
  uintptr_t rest = (uintptr_t)address;
  do {
    *--first = "0123456789abcdef"[rest & 15];
    rest >>= 4;
  } while (rest != 0);
  *--first = 'x';
  *--first = '0';
  silc_writeError(first, (size_t)(digits + sizeof(digits) - first));
}

static void write_access(const char *which, uintptr_t flags, const void *at) {
  silc_writeErrorText(which);
  silc_writeErrorText(action(flags) == ACCESS_MODIFY
                          ? " access (a modification)"
                          : " access (a read)");
  silc_writeErrorText(" started at ");
  write_address(at);
  silc_writeErrorText(".\n");
}

COLD __attribute__((noreturn)) static void
report_conflict(const Access *previous, uintptr_t flags, const void *at) {
  silc_writeErrorText("Simultaneous accesses to ");
  write_address(previous->address);
  silc_writeErrorText(", but modification requires exclusive access.\n");
  write_access("Previous", previous->next_and_action, previous->started_at);
  write_access("Current", flags, at);
  silc_fatalError("Fatal access conflict detected.");
}

//===--- The entry points -------------------------------------------------===//

RUNTIME_ENTRY void swift_beginAccess(const void *address, Access *access,
                                     uintptr_t flags, const void *started_at) {
#ifndef __wasm__
  if (started_at == NULL)
    started_at = __builtin_return_address(0);
#endif
  for (const Access *other = silc_accesses; other != NULL; other = next(other))
    if (other->address == address &&
        (action(flags) | action(other->next_and_action)) == ACCESS_MODIFY)
      report_conflict(other, flags, started_at);
  if ((flags & ACCESS_TRACKING) == 0) {
    access->address = NULL;
    return;
  }
  access->address = address;
  access->started_at = started_at;
  access->next_and_action = (uintptr_t)silc_accesses | action(flags);
  silc_accesses = access;
}

RUNTIME_ENTRY void swift_endAccess(Access *access) {
  if (access->address == NULL)
    return;
  if (LIKELY(silc_accesses == access)) {
    silc_accesses = next(access);
    return;
  }
  for (Access *other = silc_accesses; other != NULL; other = next(other))
    if (next(other) == access) {
      set_next(other, next(access));
      return;
    }
  silc_fatalError("the end of an access that was not begun on this thread");
}
