//===--- runtime.h - shared by every file of the runtime ------------------===//
//
// Owns: the layout of heap objects and of class metadata, the linkage of
// entry points, and the declarations of the runtime's own functions.
// Does not own: the C functions that the runtime calls (libc.h).
//
// The layout and its constants are those of Embedded Swift
// (stdlib/public/core/EmbeddedRuntime.swift), so objects may be passed between
// this runtime and one that a module brings along in SIL.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_RUNTIME_H
#define SILC_RUNTIME_H

#include "libc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Linkage of an entry point. In the archive it is weak: a module that defines
// the function itself wins. In the bitcode it is plain here, and the build
// turns it into linkonce_odr, which LLVM may inline, internalize and drop.
#ifdef SILC_BITCODE
#define RUNTIME_ENTRY
#define RUNTIME_STATE
#else
#define RUNTIME_ENTRY __attribute__((weak))
#define RUNTIME_STATE __attribute__((weak))
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define COLD __attribute__((cold, noinline))

// Swift's calling convention, and its parameters in special registers
// (docs/ABI/CallingConvention.rst). Where LLVM has no such convention for the
// target, Swift uses C's.
#if __has_extension(swiftcc)
#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))
#define SWIFT_ERROR __attribute__((swift_error_result))
#else
#define SWIFT_CALL
#define SWIFT_SELF
#define SWIFT_ERROR
#endif

// A convention by which the callee keeps all general registers: calls in code
// that goes on cost their caller no spills. IRGen's target facts agree
// (Target::register_keeping_calling_convention). The fast path of such a
// function leaves by a tail call to the slow path, so that only that one saves
// registers.
#if defined(__x86_64__) || defined(__aarch64__)
#define KEEPS_REGISTERS __attribute__((preserve_most))
#define TAIL_CALL __attribute__((musttail)) return
#else
#define KEEPS_REGISTERS
#define TAIL_CALL return
#endif

// A variable that each thread has. Without an operating system there are no
// threads, and nobody has set up memory for their variables.
#if defined(__linux__) && defined(__arm__)
// The linker makes no static access of a dynamic one there, and a static
// executable has nothing that finds variables of loaded libraries.
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#elif defined(__linux__) || defined(__APPLE__) || defined(__wasi__)
#define THREAD_LOCAL _Thread_local
#else
#define THREAD_LOCAL
#endif

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

//===--- Objects ----------------------------------------------------------===//

// Every function in metadata that takes an object takes it as `self`.
typedef SWIFT_CALL void (*HeapObjectDestroyer)(SWIFT_SELF void *object);

// The head of an Embedded class's metadata. The vtable follows.
typedef struct ClassMetadata {
  const struct ClassMetadata *superclass;
  HeapObjectDestroyer destroy;
  HeapObjectDestroyer ivar_destroyer; // null where there is nothing to do
} ClassMetadata;

// The two words before an object's stored properties.
typedef struct HeapObject {
  const ClassMetadata *metadata;
  _Atomic(intptr_t) refcount;
} HeapObject;

// The refcount's top bit: the object's memory is not the allocator's.
#define DO_NOT_FREE_BIT INTPTR_MIN
// The other bits: the number of strong references, or IMMORTAL_REFCOUNT.
#define REFCOUNT_MASK INTPTR_MAX
// Not counted: an object in static memory, or one inside its deinit.
#define IMMORTAL_REFCOUNT INTPTR_MAX

// Null and, on 64-bit targets, a pointer with the top bit set are never
// counted: both are the values that are not positive.
ALWAYS_INLINE bool is_counted(const void *object) {
#if UINTPTR_MAX > UINT32_MAX
  return (intptr_t)object > 0;
#else
  return object != NULL;
#endif
}

// One bit decides, since no real count is half as large as the immortal one. A
// count that overflows into it stays there: the object leaks, and is safe.
ALWAYS_INLINE bool is_immortal(intptr_t refcount) {
  return (refcount & (IMMORTAL_REFCOUNT ^ (IMMORTAL_REFCOUNT >> 1))) != 0;
}

// The object is inside its deinit, or past it. An immortal object in static
// memory has the do-not-free bit as well and lives forever.
ALWAYS_INLINE bool is_past_life(intptr_t refcount) {
  return refcount == IMMORTAL_REFCOUNT || (refcount & REFCOUNT_MASK) == 0;
}

//===--- Threads ----------------------------------------------------------===//

// The C library's word that no second thread was ever started (glibc 2.32).
// Where the C library has no such variable, threads must be assumed. Not const,
// as in glibc's header: a constant could be kept in a register across the call
// that starts a thread.
extern char __libc_single_threaded __attribute__((weak, visibility("default")));

// While this holds, plain loads and stores count references: no other thread
// can see the difference, and none can appear between the load and the store.
ALWAYS_INLINE bool is_single_threaded(void) {
#if defined(SILC_SINGLE_THREADED) || defined(__wasm__)
  return true;
#elif defined(__linux__)
  return IS_LINKED(__libc_single_threaded) && __libc_single_threaded != 0;
#else
  return false; // there are other threads, or interrupts
#endif
}

//===--- The runtime's own functions --------------------------------------===//

// Prints "Fatal error: MESSAGE" on standard error and traps.
__attribute__((noreturn, cold)) void silc_fatalError(const char *message);

// Prints the text on standard error, unbuffered.
void silc_writeError(const char *text, size_t length);
void silc_writeErrorText(const char *text);

// Memory of `size` bytes at a multiple of `alignment_mask` + 1; a mask of
// all ones asks for the C library's own alignment. Never returns null.
void *silc_allocate(size_t size, size_t alignment_mask);
void silc_deallocate(void *memory);

// How many bytes of memory from silc_allocate may be used, or zero if the C
// library does not provide it.
size_t silc_usableSize(const void *memory);

// The same for objects, whose memory may come from the pool (object_pool.c).
void *silc_allocateObject(size_t size, size_t alignment_mask);
void silc_deallocateObject(void *memory);
size_t silc_allocatedSize(const void *memory);

// Objects (heap_object.c).
HeapObject *swift_allocObject(const ClassMetadata *metadata, size_t size,
                              size_t alignment_mask);
void swift_deallocClassInstance(HeapObject *object, size_t size,
                                size_t alignment_mask);

// Strong references (reference_count.c).
HeapObject *swift_retain(HeapObject *object);
HeapObject *swift_retain_n(HeapObject *object, uint32_t count);
void swift_release(HeapObject *object);
void swift_release_n(HeapObject *object, uint32_t count);
KEEPS_REGISTERS void silc_retain(HeapObject *object);
KEEPS_REGISTERS void silc_release(HeapObject *object);
KEEPS_REGISTERS void silc_bridgeObjectRetain(HeapObject *object);
KEEPS_REGISTERS void silc_bridgeObjectRelease(HeapObject *object);
HeapObject *swift_tryRetain(HeapObject *object);
bool swift_isDeallocating(HeapObject *object);

// Side tables (side_table.c): the data of weak and unowned references to an
// object.
typedef struct SideTable SideTable;

// On boards without an operating system, programs without weak and unowned
// references have nothing of side tables: both symbols are null then.
#ifdef SILC_SIDE_TABLES_ARE_OPTIONAL
#define SIDE_TABLES __attribute__((weak))
#else
#define SIDE_TABLES
#endif

// How many objects have a side table. Zero in a program without weak and
// unowned references, which so pays one load per object freed.
extern SIDE_TABLES _Atomic(size_t) silc_sideTableCount;

// The state of an object's memory when it was taken from its side table.
typedef enum MemoryFate {
  MEMORY_IS_FREE, // nobody refers to it: the caller frees it
  MEMORY_IS_KEPT  // unowned references remain: the last one frees it
} MemoryFate;

SIDE_TABLES MemoryFate silc_sideTableObjectDies(HeapObject *object);

#endif
