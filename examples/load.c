// Loads a program that was compiled to a shared library, and calls it.
//
//   load LIBRARY [FUNCTION]
#include "runtime/calls/Invoke.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "./add.so", RTLD_NOW);
  const BroadloomFunctions *program =
      library ? dlsym(library, "broadloom_functions") : NULL;
  if (!program) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  BroadloomCall *call = broadloomCallCreate();
  float x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {10, 20, 30}, z[6];
  int64_t wide[] = {2, 3}, row[] = {1, 3};
  BroadloomTensor a, b, out;
  broadloomTensorBorrow(BROADLOOM_F32, 2, wide, NULL, x, &a);
  broadloomTensorBorrow(BROADLOOM_F32, 2, row, NULL, y, &b);
  broadloomTensorBorrow(BROADLOOM_F32, 2, wide, NULL, z, &out);
  const BroadloomTensor *arguments[] = {&a, &b};
  int status = 0;
  if (broadloomCallSetFunction(call, program, argc > 2 ? argv[2] : NULL) ||
      broadloomCallSetOutput(call, 0, &out) ||
      broadloomCallRun(call, arguments, 2)) {
    fprintf(stderr, "%s\n", broadloomCallMessage(call));
    status = 1;
  } else {
    printf("z[5] = %g\n", z[5]); // 6 + 30
  }
  broadloomCallDestroy(call);
  return status;
}
