// ISO C's <stdnoreturn.h>.
#ifndef SILC_STDNORETURN_H
#define SILC_STDNORETURN_H
#define noreturn _Noreturn
#endif
