//===--- start.c - from the kernel to main --------------------------------===//
//
// Owns: _start, the thread-local storage of the one thread, the stack
// protector's canary, the initialisers, the call of main.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "system.h"

// Freestanding programs have one thread: references need no atomic counting.
C_FUNCTION char __libc_single_threaded = 1;

// The kernel's data about the program beside its arguments (the ELF auxiliary
// vector), and the program headers that it points to.
enum { AUX_END = 0, AUX_HEADERS = 3, AUX_HEADER_COUNT = 5, AUX_RANDOM = 25 };
enum { HEADER_THREAD_LOCAL = 7 };

typedef struct AuxiliaryEntry {
  uintptr_t kind;
  uintptr_t value;
} AuxiliaryEntry;

typedef struct ProgramHeader {
  uint32_t kind;
#if UINTPTR_MAX > UINT32_MAX
  uint32_t flags;
#endif
  uintptr_t offset, address, physical_address;
  uintptr_t size_in_file, size_in_memory;
#if UINTPTR_MAX == UINT32_MAX
  uint32_t flags;
#endif
  uintptr_t alignment;
} ProgramHeader;

typedef struct StartInformation {
  const ProgramHeader *headers;
  size_t header_count;
  const uintptr_t *random; // 16 random bytes
} StartInformation;

//===--- Code of each architecture ----------------------------------------===//
//
// - _start: hands the kernel's stack pointer to silc_start.
// - thread_pointer_offset: from the block of thread-local storage to the
//   address that the thread pointer takes.
// - variables_offset: from the block to the thread-local variables.
// - set_thread_pointer.

#if defined(__x86_64__)

__asm__(".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "  xor %ebp, %ebp\n"
        "  mov %rsp, %rdi\n"
        "  and $-16, %rsp\n"
        "  call silc_start\n"
        "  ud2\n");

enum { SYSTEM_arch_prctl = 158, ARCH_SET_FS = 0x1002 };
enum { WORDS_AT_THREAD_POINTER = 6, CANARY_WORD = 5 };

// The variables end where the thread pointer points.
static size_t thread_pointer_offset(const ProgramHeader *header) {
  return round_up(header->size_in_memory, header->alignment);
}

static size_t variables_offset(const ProgramHeader *header) {
  (void)header;
  return 0;
}

// The first word there is its own address; the canary is the one at 0x28.
static void set_thread_pointer(uintptr_t *pointer, uintptr_t canary) {
  pointer[0] = (uintptr_t)pointer;
  pointer[CANARY_WORD] = canary;
  system_call(SYSTEM_arch_prctl, ARCH_SET_FS, (intptr_t)pointer, 0, 0, 0, 0);
}

#else

// The variables follow two words at the thread pointer.
enum { WORDS_AT_THREAD_POINTER = 2 };

static size_t thread_pointer_offset(const ProgramHeader *header) {
  (void)header;
  return 0;
}

static size_t variables_offset(const ProgramHeader *header) {
  return round_up(WORDS_AT_THREAD_POINTER * sizeof(uintptr_t),
                  header->alignment);
}

#endif

#if defined(__aarch64__)

__asm__(".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "  mov x29, #0\n"
        "  mov x30, #0\n"
        "  mov x0, sp\n"
        "  and sp, x0, #-16\n"
        "  bl silc_start\n"
        "  brk #1\n");

static void set_thread_pointer(uintptr_t *pointer, uintptr_t canary) {
  (void)canary; // it is a global variable here
  __asm__ volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
}

#elif defined(__arm__)

__asm__(".weak _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "  mov fp, #0\n"
        "  mov lr, #0\n"
        "  mov r0, sp\n"
        "  bic sp, sp, #7\n"
        "  bl silc_start\n"
        "  udf #0\n");

// Only the kernel may write the register.
static void set_thread_pointer(uintptr_t *pointer, uintptr_t canary) {
  enum { SYSTEM_set_tls = 0xF0005 };
  (void)canary; // it is a global variable here
  system_call(SYSTEM_set_tls, (intptr_t)pointer, 0, 0, 0, 0, 0);
}

#endif

//===--- Thread-local storage ---------------------------------------------===//

static ProgramHeader
find_thread_local_header(const StartInformation *information) {
  for (size_t index = 0; index < information->header_count; ++index)
    if (information->headers[index].kind == HEADER_THREAD_LOCAL)
      return information->headers[index];
  return (ProgramHeader){.alignment = 1};
}

// Zeroed memory at a multiple of `alignment`. It is never freed.
static char *thread_local_block(size_t size, size_t alignment) {
  static _Alignas(64) char small_block[1024];
  if (alignment <= 64 && size <= sizeof(small_block))
    return small_block;
  char *block = system_map(size + alignment);
  if (block == NULL)
    __builtin_trap();
  return (char *)round_up((uintptr_t)block, alignment);
}

// The program is linked at a fixed address, so a header's address is where the
// variables' first values lie.
static void set_up_thread_local(const StartInformation *information,
                                uintptr_t canary) {
  ProgramHeader header = find_thread_local_header(information);
  size_t pointer_offset = thread_pointer_offset(&header);
  size_t size = variables_offset(&header) + header.size_in_memory +
                header.alignment + WORDS_AT_THREAD_POINTER * sizeof(uintptr_t);
  char *block = thread_local_block(size, header.alignment);
  memcpy(block + variables_offset(&header), (char *)header.address,
         header.size_in_file);
  set_thread_pointer((uintptr_t *)(block + pointer_offset), canary);
}

//===--- The way to main --------------------------------------------------===//

extern int main(int argument_count, char **arguments, char **environment);
extern uintptr_t __stack_chk_guard;

typedef void (*Initializer)(int, char **, char **);
extern const Initializer __init_array_start[]
    __attribute__((weak, visibility("hidden")));
extern const Initializer __init_array_end[]
    __attribute__((weak, visibility("hidden")));

static StartInformation read_auxiliary_vector(const AuxiliaryEntry *entry) {
  StartInformation information = {0};
  for (; entry->kind != AUX_END; ++entry) {
    if (entry->kind == AUX_HEADERS)
      information.headers = (const ProgramHeader *)entry->value;
    else if (entry->kind == AUX_HEADER_COUNT)
      information.header_count = entry->value;
    else if (entry->kind == AUX_RANDOM)
      information.random = (const uintptr_t *)entry->value;
  }
  return information;
}

// A zero byte in the canary stops overflows by string functions.
static uintptr_t make_canary(const StartInformation *information) {
  return information->random != NULL ? information->random[0] & ~(uintptr_t)0xFF
                                     : (uintptr_t)&environ;
}

// The kernel's stack: the number of arguments, the arguments, null, the
// environment, null, the auxiliary vector.
__attribute__((used, noreturn)) void silc_start(uintptr_t *stack) {
  int argument_count = (int)stack[0];
  char **arguments = (char **)(stack + 1);
  environ = arguments + argument_count + 1;
  char **after_environment = environ;
  while (*after_environment != NULL)
    ++after_environment;
  StartInformation information =
      read_auxiliary_vector((const AuxiliaryEntry *)(after_environment + 1));
  uintptr_t canary = make_canary(&information);
  __stack_chk_guard = canary;
  set_up_thread_local(&information, canary);
  for (const Initializer *next = __init_array_start; next != __init_array_end;
       ++next)
    (*next)(argument_count, arguments, environ);
  exit(main(argument_count, arguments, environ));
}
