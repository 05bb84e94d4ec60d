//===- hand.c - loops written by hand for one shape -------------*- C -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a programmer would write for a case whose patterns are known: vectors
// of the machine's width, stores past the cache where `stream` says so. Beside
// them the machine's limits: copies, loops that only move as many bytes as a
// case has to, and the clock. bench/peers/hand.py compiles this for the host
// with contraction to fused multiply-add; rows are shared by two threads.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE

#include "timing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { Lanes = 16 };
typedef float V __attribute__((vector_size(64)));
typedef float U __attribute__((vector_size(64), aligned(4)));
typedef int32_t VI __attribute__((vector_size(64)));

typedef struct Job {
  const float *in[5];
  float *out;
  long rows, columns;
  int stream, threads;
  long inputs; // for the loops that only move bytes
  void (*kernel)(const struct Job *, long, long);
} Job;

static inline V load(const float *p) { return *(const U *)p; }

static inline void store(float *p, V v, int stream) {
  if (stream)
    __builtin_nontemporal_store(v, (V *)p);
  else
    *(U *)p = v;
}

static inline V vmax(V a, V b) { return __builtin_elementwise_max(a, b); }
static inline V vabs(V a) { return __builtin_elementwise_abs(a); }

/// e^x to two units in the last place or so, for x in [-87, 88].
static inline V vexp(V x) {
  x = __builtin_elementwise_min(vmax(x, (V){} - 87.0f), (V){} + 88.0f);
  V k = __builtin_elementwise_roundeven(x * 1.44269504f);
  V r = x - k * 0.693359375f + k * 2.12194440e-4f;
  V p = (V){} + 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  V e = p * r * r + r + 1.0f;
  VI bits = (__builtin_convertvector(k, VI) + 127) << 23;
  V power;
  memcpy(&power, &bits, sizeof power);
  return e * power;
}

/// gelu with tanh: y sigmoid(2 u).
static inline V vgelu(V y) {
  V u = y * (y * y * 0.044715f + 1.0f) * -1.59576912f;
  return y / (vexp(u) + 1.0f);
}

#define ROWS(NAME, ...)                                                        \
  static void NAME(const Job *j, long begin, long end) {                       \
    for (long i = begin; i < end; ++i) {                                       \
      long n = j->columns;                                                     \
      const float *a = j->in[0] + i * n;                                       \
      float *out = j->out + i * n;                                             \
      /* A line that is not whole cannot go past the cache. */                 \
      int stream = j->stream && ((uintptr_t)out & 63) == 0;                    \
      (void)a, (void)out, (void)stream;                                        \
      __VA_ARGS__                                                              \
    }                                                                          \
  }
#define FULL(k) load(j->in[k] + i * n + c)
#define ROW(k) load(j->in[k] + c)
#define EACH(VALUE)                                                            \
  _Pragma("clang loop unroll_count(4)") for (long c = 0; c < n; c += Lanes)    \
      store(out + c, VALUE, stream);

ROWS(addFull, EACH(load(a + c) + FULL(1)))
ROWS(addRow, EACH(load(a + c) + ROW(1)))
ROWS(chainFull,
     EACH(vabs(vmax(load(a + c) + FULL(1) - FULL(2), FULL(3)) + load(a + c))))
ROWS(chainRow,
     EACH(vabs(vmax(load(a + c) + ROW(1) - ROW(2), ROW(3)) + load(a + c))))
ROWS(geluFull, EACH(vgelu(load(a + c))))
ROWS(geluRow, EACH(vgelu(load(a + c) + ROW(1))))

ROWS(softmax, {
  V most[4] = {load(a), load(a), load(a), load(a)};
  for (long c = 0; c < n; c += 4 * Lanes)
    for (int k = 0; k < 4; ++k)
      most[k] = vmax(most[k], load(a + c + k * Lanes));
  float top = __builtin_reduce_max(
      vmax(vmax(most[0], most[1]), vmax(most[2], most[3])));
  // The exponentials of a row stay in the first two caches.
  static _Thread_local float powers[1 << 14] __attribute__((aligned(64)));
  V sums[4] = {};
  for (long c = 0; c < n; c += 4 * Lanes)
    for (int k = 0; k < 4; ++k) {
      V e = vexp(load(a + c + k * Lanes) - top);
      *(V *)(powers + c + k * Lanes) = e;
      sums[k] += e;
    }
  V all = sums[0] + sums[1] + sums[2] + sums[3];
  float total = 0;
  for (int k = 0; k < Lanes; ++k)
    total += all[k];
  float factor = 1 / total;
  EACH(load(powers + c) * factor)
})

/// Rows of three: 16 of them are three vectors, and the pattern repeats.
static void addRgb(const Job *j, long begin, long end) {
  float pattern[3 * Lanes];
  for (int k = 0; k < 3 * Lanes; ++k)
    pattern[k] = j->in[1][k % 3];
  V p0 = load(pattern), p1 = load(pattern + 16), p2 = load(pattern + 32);
  long first = begin * 3, last = end * 3, c = first;
  int stream = j->stream && ((uintptr_t)(j->out + first) & 63) == 0;
  for (; c + 48 <= last; c += 48) {
    store(j->out + c, load(j->in[0] + c) + p0, stream);
    store(j->out + c + 16, load(j->in[0] + c + 16) + p1, stream);
    store(j->out + c + 32, load(j->in[0] + c + 32) + p2, stream);
  }
  for (; c < last; ++c)
    j->out[c] = j->in[0][c] + pattern[(c - first) % 3];
}

ROWS(copyRows, memcpy(out, a, n * sizeof(float));)

/// Reads `inputs` streams and writes one, with nothing to compute.
ROWS(move, {
  switch (j->inputs) {
  case 0:
    // Not zeros: there are processors that store these three times as fast.
    EACH((V){} + 1.0f);
    break;
  case 1:
    EACH(load(a + c));
    break;
  case 2:
    EACH(load(a + c) + FULL(1));
    break;
  case 3:
    EACH(load(a + c) + FULL(1) + FULL(2));
    break;
  default:
    EACH(load(a + c) + FULL(1) + FULL(2) + FULL(3));
  }
})

static const struct {
  const char *name;
  void (*kernel)(const Job *, long, long);
} kKernels[] = {{"add", addFull},     {"addRow", addRow},
                {"chain", chainFull}, {"chainRow", chainRow},
                {"gelu", geluFull},   {"geluRow", geluRow},
                {"softmax", softmax}, {"addRgb", addRgb},
                {"copy", copyRows},   {"move", move}};

/// The second thread of a series of samples has the second half of each, unless
/// the first is done before it has begun: the system may not have let it.
typedef struct Helper {
  _Atomic long requested, taken, done;
} Helper;

typedef struct Series {
  Job job;
  Helper helper;
} Series;

/// Between two looks at what the other thread is to change, which may be on
/// this very core.
static void look(long looks) {
  if (looks % 64 == 0)
    sched_yield();
  else
    __builtin_ia32_pause();
}

static int take(Helper *helper, long turn) {
  long before = turn - 1;
  return atomic_compare_exchange_strong(&helper->taken, &before, turn);
}

static void doSecondHalf(const Job *job) {
  job->kernel(job, job->rows / 2, job->rows);
  __builtin_ia32_sfence();
}

static void *help(void *context) {
  Series *series = context;
  Helper *helper = &series->helper;
  for (long looks = 1;; ++looks) {
    long turn = atomic_load(&helper->requested);
    if (turn < 0)
      return NULL;
    if (atomic_load(&helper->taken) < turn && take(helper, turn)) {
      doSecondHalf(&series->job);
      atomic_store(&helper->done, turn);
      looks = 0;
    } else
      look(looks);
  }
}

static int callOnce(void *context) {
  Series *series = context;
  Job *job = &series->job;
  Helper *helper = &series->helper;
  int shared = job->threads > 1;
  long turn = shared ? atomic_fetch_add(&helper->requested, 1) + 1 : 0;
  job->kernel(job, 0, shared ? job->rows / 2 : job->rows);
  __builtin_ia32_sfence();
  if (shared && take(helper, turn))
    doSecondHalf(job);
  else
    for (long looks = 1; shared && atomic_load(&helper->done) < turn; ++looks)
      look(looks);
  return 0;
}

/// Samples of kernel `name`; the arrays are rows x columns as the kernel wants
/// them. Returns how many, or -1 where there is no such kernel.
long handSample(const char *name, const float *const *in, long inputs,
                float *out, long rows, long columns, int threads, int stream,
                double seconds, double *samples, long most) {
  Series series = {.job = {.out = out,
                           .rows = rows,
                           .columns = columns,
                           .stream = stream,
                           .threads = threads,
                           .inputs = inputs}};
  for (long i = 0; i < inputs && i < 5; ++i)
    series.job.in[i] = in[i];
  for (unsigned k = 0; k < sizeof kKernels / sizeof *kKernels; ++k)
    if (strcmp(kKernels[k].name, name) == 0)
      series.job.kernel = kKernels[k].kernel;
  if (!series.job.kernel)
    return -1;
  pthread_t thread;
  if (threads > 1 && pthread_create(&thread, NULL, help, &series) != 0)
    return -1;
  long count = sampleCalls(callOnce, &series, seconds, samples, most);
  if (threads > 1) {
    atomic_store(&series.helper.requested, -1);
    pthread_join(thread, NULL);
  }
  return count;
}

/// The core's clock in GHz: additions that wait for each other, one a cycle.
double handClock(void) {
  double best = 0;
  for (int attempt = 0; attempt < 50; ++attempt) {
    long steps = 1000000, value = 0;
    double begin = now();
    for (long i = 0; i < steps; ++i)
      __asm__ volatile("add $1, %0" : "+r"(value));
    double rate = steps / (now() - begin);
    best = rate > best ? rate : best;
  }
  return best;
}
