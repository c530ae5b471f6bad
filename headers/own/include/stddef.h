// Sizes, offsets and the null pointer: ISO C's <stddef.h>.
#ifndef SILC_STDDEF_H
#define SILC_STDDEF_H
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __SIZE_TYPE__ size_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#endif
typedef struct {
  long long silc_first __attribute__((__aligned__(__alignof__(long long))));
  long double silc_second __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#ifndef NULL
#define NULL ((void *)0)
#endif

// C libraries ask for some of it by these names.
#if defined(__need_wint_t) && !defined(SILC_WINT_T)
#define SILC_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
#undef __need_size_t
#undef __need_ptrdiff_t
#undef __need_wchar_t
#undef __need_wint_t
#undef __need_NULL
