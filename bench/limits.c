// What a core can do at most: how many bytes it moves, and how many products or
// sums it computes. Both take many iterations of a loop that the compiler makes
// vectors of.
#include <stddef.h>

#define LANES 64

// Reads and writes `count` elements, `times` times.
void moveElements(double *restrict memory, size_t count, long times) {
  for (long t = 0; t < times; ++t) {
    for (size_t i = 0; i < count; ++i)
      memory[i] = -memory[i];
    __asm__ volatile("" ::"r"(memory) : "memory");
  }
}

// 2 * LANES operations in each round.
double computeElements(long rounds) {
  double sums[LANES];
  for (int i = 0; i < LANES; ++i)
    sums[i] = i;
  for (long r = 0; r < rounds; ++r)
    for (int i = 0; i < LANES; ++i)
      sums[i] = sums[i] * 0.5 + 1.0;
  double all = 0;
  for (int i = 0; i < LANES; ++i)
    all += sums[i];
  return all;
}
