//===--- time.c - the kernel's clocks -------------------------------------===//
//
// Owns: clock_gettime, nanosleep.
//
//===----------------------------------------------------------------------===//

#include "../freestanding/c_library.h"
#include "system.h"

// Two words, as these calls take them.
typedef struct Time {
  long seconds, nanoseconds;
} Time;

C_FUNCTION int clock_gettime(int clock, Time *time) {
  return (int)system_call(SYSTEM_clock_gettime, clock, (intptr_t)time, 0, 0, 0,
                          0);
}

C_FUNCTION int nanosleep(const Time *time, Time *rest) {
  return (int)system_call(SYSTEM_nanosleep, (intptr_t)time, (intptr_t)rest, 0,
                          0, 0, 0);
}
