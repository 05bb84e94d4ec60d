// Calls the functions of program.mlir and compares with plain loops.
#include "runtime/calls/Invoke.h"

#include <math.h>
#include <stdio.h>

extern const BroadloomFunctions broadloom_functions;

enum { kRows = 5, kColumns = 131, kDepth = 7 };

static int wrong = 0;

static void expectNear(const char *what, int i, double got, double expected) {
  if (!(fabs(got - expected) <= 1e-5 * fabs(expected) + 1e-7) && wrong++ < 5)
    printf("%s: element %d is %.9g, expected %.9g\n", what, i, got, expected);
}

static BroadloomTensor borrow(int rank, const int64_t *extents, float *data) {
  BroadloomTensor tensor;
  broadloomTensorBorrow(BROADLOOM_F32, rank, extents, NULL, data, &tensor);
  return tensor;
}

static int call(BroadloomCall *c, const char *name, BroadloomTensor *a,
                BroadloomTensor *b, BroadloomTensor *out) {
  const BroadloomTensor *arguments[] = {a, b};
  if (broadloomCallSetFunction(c, &broadloom_functions, name) ||
      broadloomCallSetOutput(c, 0, out))
    return 1;
  return broadloomCallRun(c, arguments, 2);
}

static void softmax(BroadloomCall *c) {
  static float x[kRows * kColumns], b[kColumns], y[kRows * kColumns];
  int64_t wide[] = {kRows, kColumns}, row[] = {1, kColumns};
  for (int i = 0; i < kRows * kColumns; ++i)
    x[i] = (float)sin(i * 0.7);
  for (int j = 0; j < kColumns; ++j)
    b[j] = (float)cos(j * 0.3);
  BroadloomTensor tx = borrow(2, wide, x), tb = borrow(2, row, b),
                  ty = borrow(2, wide, y);
  if (call(c, "softmax", &tx, &tb, &ty)) {
    puts(broadloomCallMessage(c));
    ++wrong;
    return;
  }
  for (int i = 0; i < kRows; ++i) {
    double sum = 0;
    for (int j = 0; j < kColumns; ++j)
      sum += exp(tanh((double)x[i * kColumns + j] + b[j]));
    for (int j = 0; j < kColumns; ++j)
      expectNear("softmax", i * kColumns + j, y[i * kColumns + j],
                 exp(tanh((double)x[i * kColumns + j] + b[j])) / sum);
  }
}

static void product(BroadloomCall *c) {
  static float x[kRows * kDepth], y[kDepth * kColumns], z[kRows * kColumns];
  int64_t left[] = {1, kRows, kDepth}, right[] = {1, kDepth, kColumns},
          result[] = {1, kRows, kColumns};
  for (int i = 0; i < kRows * kDepth; ++i)
    x[i] = (float)(i % 11) - 5;
  for (int i = 0; i < kDepth * kColumns; ++i)
    y[i] = (float)(i % 13) * 0.25f;
  BroadloomTensor tx = borrow(3, left, x), ty = borrow(3, right, y),
                  tz = borrow(3, result, z);
  if (call(c, "product", &tx, &ty, &tz)) {
    puts(broadloomCallMessage(c));
    ++wrong;
    return;
  }
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      double sum = 0;
      for (int k = 0; k < kDepth; ++k)
        sum += (double)x[i * kDepth + k] * y[k * kColumns + j];
      expectNear("product", i * kColumns + j, z[i * kColumns + j], sum);
    }
  // Shapes that do not fit are an error there too.
  right[1] = kDepth + 1;
  BroadloomTensor apart = borrow(3, right, y);
  if (!call(c, "product", &tx, &apart, &tz))
    ++wrong;
  puts(broadloomCallMessage(c));
}

int main(void) {
  BroadloomCall *c = broadloomCallCreate();
  softmax(c);
  product(c);
  broadloomCallDestroy(c);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
