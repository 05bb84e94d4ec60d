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
#include "driver/Register.h"
#include "infer/functions/UserDialects.h"
#include "test/lib/TestDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SaveAndRestore.h"

using broadloom::DynamicToStatic;
using broadloom::test::TestDialect;

namespace {

/// Defines the dialects of texts before anything is parsed that may have their
/// operations, which stand in functions. What is wrong with a text, the pass
/// that reads it says.
class UserTexts
    : public mlir::DialectExtension<UserTexts, mlir::func::FuncDialect> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UserTexts)

  explicit UserTexts(std::vector<std::string> paths)
      : paths(std::move(paths)) {}

  void apply(mlir::MLIRContext *context,
             mlir::func::FuncDialect *) const override {
    // Definitions are read in a context of their own, of the same registry.
    static bool isBusy = false;
    if (isBusy)
      return;
    llvm::SaveAndRestore busy(isBusy, true);
    mlir::ScopedDiagnosticHandler quiet(context, [](mlir::Diagnostic &) {});
    for (const std::string &path : paths) {
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
      if (buffer && (*buffer)->getBuffer().contains("irdl.dialect"))
        (void)broadloom::infer::defineDialects((*buffer)->getBuffer(), path,
                                               context);
    }
  }

private:
  std::vector<std::string> paths;
};

/// The texts that passes are given as `libraries=A,B`, and the input where it
/// is a library itself.
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

  llvm::cl::opt<DynamicToStatic> dynamicToStatic(
      "dynamic-to-static",
      llvm::cl::desc("Static result extents where '?' is inferred"),
      llvm::cl::values(
          clEnumValN(DynamicToStatic::Allow, "allow", "leave them to a guard"),
          clEnumValN(DynamicToStatic::Forbid, "forbid", "reject them")),
      llvm::cl::init(DynamicToStatic::Allow));
  // A text may have a dialect and a library of one name, which upstream's
  // verifier takes for two symbols; the pass verifies what is in them.
  std::vector<char *> arguments(argv, argv + argc);
  std::string flags[] = {"--mlir-very-unsafe-disable-verifier-on-parsing",
                         "--verify-each=0"};
  if (llvm::any_of(arguments, [](llvm::StringRef argument) {
        return argument.contains("loom-verify-shape-library");
      }))
    for (std::string &flag : flags)
      arguments.push_back(flag.data());
  auto [input, output] = mlir::registerAndParseCLIOptions(
      static_cast<int>(arguments.size()), arguments.data(),
      "Broadloom's mlir-opt\n", registry);
  broadloom::setDynamicToStatic<TestDialect>(registry, dynamicToStatic);
  registry.addExtension(mlir::TypeID::get<UserTexts>(),
                        std::make_unique<UserTexts>(findTexts(
                            llvm::ArrayRef(argv + 1, argc - 1), input)));

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(static_cast<int>(arguments.size()), arguments.data(),
                        input, output, registry));
}
