//===- broadloom-opt.cpp - mlir-opt with our dialects and passes ----------===//
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
#include "dialect/PolicyValues.h"
#include "driver/Register.h"
#include "infer/functions/UserDialects.h"
#include "test/lib/TestDialect.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

using broadloom::DynamicToStatic;
using broadloom::test::TestDialect;

namespace {

/// The shape libraries in options `libraries=A,B` of passes, and the input if
/// it is a library itself.
std::vector<std::string> findTexts(llvm::ArrayRef<char *> arguments,
                                   llvm::StringRef input) {
  std::vector<std::string> paths;
  for (llvm::StringRef argument : arguments) {
    if (argument.contains("loom-verify-shape-library"))
      paths.push_back(input.str());
    while (argument.contains("libraries=")) {
      llvm::StringRef rest = argument.split("libraries=").second;
      argument = rest.drop_while(
          [](char c) { return c != ' ' && c != '}' && c != ')'; });
      llvm::SmallVector<llvm::StringRef> list;
      rest.drop_back(argument.size()).split(list, ',');
      for (llvm::StringRef path : list)
        paths.push_back(path.str());
    }
  }
  return paths;
}

/// Whether an argument that is no file contains one of the names.
bool names(llvm::ArrayRef<char *> arguments,
           llvm::ArrayRef<llvm::StringRef> passes) {
  return llvm::any_of(arguments, [&](llvm::StringRef argument) {
    return argument.starts_with("-") &&
           llvm::any_of(passes, [&](llvm::StringRef pass) {
             return argument.contains(pass);
           });
  });
}

/// What switches upstream's verifier off where it refuses inputs that are
/// valid.
std::vector<std::string> findVerifierFlags(llvm::ArrayRef<char *> arguments) {
  const char *whileReading = "--mlir-very-unsafe-disable-verifier-on-parsing";
  // A text may have a dialect and a library of one name, which upstream's
  // verifier takes for two symbols. The pass verifies what is in them.
  if (names(arguments, {"loom-verify-shape-library"}))
    return {whileReading, "--verify-each=0"};
  // Upstream's verifier requires equal ranks of TOSA's operands. These
  // pipelines begin with legalization, which checks the program by its own
  // rules.
  if (names(arguments,
            {"broadloom-prepare", "broadloom-legalize", "broadloom-check",
             "broadloom-shapes", "broadloom-emit-", "broadloom-compile"}))
    return {whileReading};
  return {};
}

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  broadloom::registerAllDialects(registry);
  broadloom::registerAllPasses();
  registry.insert<TestDialect>();
  broadloom::test::registerTestInferBroadcast();
  broadloom::test::registerTestRelations();

  llvm::cl::opt<DynamicToStatic> dynamicToStatic(
      "dynamic-to-static",
      llvm::cl::desc("a static result extent where the operands give none"),
      broadloom::getPolicyValues(), llvm::cl::init(DynamicToStatic::Allow));
  std::vector<char *> arguments(argv, argv + argc);
  std::vector<std::string> flags = findVerifierFlags(arguments);
  for (std::string &flag : flags)
    if (!names(arguments, {flag}))
      arguments.push_back(flag.data());
  auto [input, output] = mlir::registerAndParseCLIOptions(
      static_cast<int>(arguments.size()), arguments.data(),
      "Broadloom's mlir-opt\n", registry);
  broadloom::setDynamicToStatic<TestDialect>(registry, dynamicToStatic);
  broadloom::infer::registerUserDialects(
      registry, findTexts(llvm::ArrayRef(argv + 1, argc - 1), input));

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(static_cast<int>(arguments.size()), arguments.data(),
                        input, output, registry));
}
