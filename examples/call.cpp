// Compiles a program, calls it on buffers of its own, reads an error.
#include "driver/Compiler.h"

#include <iostream>

int main(int argc, char **argv) {
  broadloom::Compiler compiler;
  auto module = compiler.compile(
      broadloom::Source::file(argc > 1 ? argv[1] : "examples/add.mlir"));
  if (!module) {
    std::cerr << compiler.diagnostics();
    return 1;
  }
  broadloom::Invocation call(*module);
  float x[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, y[3] = {10, 20, 30},
        z[12];
  int64_t wide[] = {4, 3}, row[] = {1, 3}, narrow[] = {4, 2};
  BroadloomTensor a, b, bad, out;
  broadloomTensorBorrow(BROADLOOM_F32, 2, wide, nullptr, x, &a);
  broadloomTensorBorrow(BROADLOOM_F32, 2, row, nullptr, y, &b);
  broadloomTensorBorrow(BROADLOOM_F32, 2, wide, nullptr, z, &out);
  call.setOutput(0, &out);
  if (call.run({&a, &b}) == BROADLOOM_OK)
    std::cout << "z[11] = " << z[11] << '\n'; // 12 + 30
  call.setOutput(0, nullptr);
  broadloomTensorBorrow(BROADLOOM_F32, 2, narrow, nullptr, x, &bad);
  if (call.run({&a, &bad}) != BROADLOOM_OK)
    std::cout << call.message() << '\n';
}
