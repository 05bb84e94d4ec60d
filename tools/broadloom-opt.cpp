//===- broadloom-opt.cpp - mlir-opt with our dialects and passes -*- C++
//-*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-opt`, with the dialects and passes of this project and with the test
// dialect. `--dynamic-to-static` is the policy (verify-4) under which the
// operations of the test dialect are verified.
//
//===----------------------------------------------------------------------===//

#include "dialect/Broadcastable.h"
#include "driver/Register.h"
#include "test/lib/TestDialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

using broadloom::DynamicToStatic;
using broadloom::test::TestDialect;

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  broadloom::registerAllDialects(registry);
  broadloom::registerAllPasses();
  registry.insert<TestDialect>();
  broadloom::test::registerTestInferBroadcast();

  llvm::cl::opt<DynamicToStatic> dynamicToStatic(
      "dynamic-to-static",
      llvm::cl::desc("Static result extents where '?' is inferred"),
      llvm::cl::values(
          clEnumValN(DynamicToStatic::Allow, "allow", "leave them to a guard"),
          clEnumValN(DynamicToStatic::Forbid, "forbid", "reject them")),
      llvm::cl::init(DynamicToStatic::Allow));
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Broadloom's mlir-opt\n", registry);
  broadloom::setDynamicToStatic<TestDialect>(registry, dynamicToStatic);

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
