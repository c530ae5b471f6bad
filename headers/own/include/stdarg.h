// ISO C's <stdarg.h>. C libraries define va_list themselves and ask for the rest.
#ifndef SILC_GNUC_VA_LIST
#define SILC_GNUC_VA_LIST
typedef __builtin_va_list __gnuc_va_list;
#endif
#ifndef __need___va_list
#ifndef SILC_STDARG_H
#define SILC_STDARG_H
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define __va_copy(to, from) __builtin_va_copy(to, from)
#endif
#endif
#undef __need___va_list
