// Compiles a program, calls it on buffers of its own, reads an error as data.
//
//   compile PROGRAM
#include "driver/CApi.h"

#include <stdio.h>

int main(int argc, char **argv) {
  BroadloomCompiler *compiler = broadloomCompilerCreate();
  BroadloomModule *module =
      broadloomCompileFile(compiler, argc > 1 ? argv[1] : "examples/add.mlir");
  if (!module) {
    fputs(broadloomDiagnostics(compiler), stderr);
    broadloomCompilerDestroy(compiler);
    return 1;
  }
  const BroadloomFunctionInfo *function = broadloomModuleFunction(module, 0);
  printf("%s takes %s and %s\n", function->name, function->arguments[0].text,
         function->arguments[1].text);

  float x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {10, 20, 30};
  int64_t wide[] = {2, 3}, row[] = {1, 3}, narrow[] = {1, 2};
  BroadloomTensor a, b, bad, result;
  broadloomTensorBorrow(BROADLOOM_F32, 2, wide, NULL, x, &a);
  broadloomTensorBorrow(BROADLOOM_F32, 2, row, NULL, y, &b);
  broadloomTensorBorrow(BROADLOOM_F32, 2, narrow, NULL, y, &bad);
  BroadloomInvocation *call = broadloomInvocationCreate(module, "main");
  const BroadloomTensor *good[] = {&a, &b}, *wrong[] = {&a, &bad};
  if (broadloomInvocationRun(call, good, 2) == BROADLOOM_OK &&
      broadloomInvocationTakeResult(call, 0, &result) == BROADLOOM_OK) {
    printf("z[5] = %g\n", ((float *)result.data)[5]);
    broadloomTensorRelease(&result);
  }
  if (broadloomInvocationRun(call, wrong, 2) == BROADLOOM_GUARD_FAILED) {
    const BroadloomError *error = broadloomInvocationError(call);
    printf("%s, axis %d: %d and %d\n", error->operation, error->axis,
           (int)error->extents[0], (int)error->extents[1]);
  }
  broadloomInvocationDestroy(call);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
  return 0;
}
