//===- LanguageServer.cpp - diagnostics while one types -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A language server for MLIR with this project's dialects, those of users'
// shape libraries, and this project's diagnostics.
//
//===----------------------------------------------------------------------===//

#include "tools/lsp/LanguageServer.h"
#include "driver/Register.h"
#include "infer/functions/UserDialects.h"
#include "tools/lsp/Session.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace broadloom;

/// Removes this project's options from `arguments`; upstream's server parses
/// the others.
static lsp::AnalysisOptions takeOptions(std::vector<char *> &arguments) {
  lsp::AnalysisOptions options;
  llvm::erase_if(arguments, [&](llvm::StringRef argument) {
    argument.consume_front("-");
    if (argument.consume_front("-shape-library=")) {
      // Documents are identified by their absolute paths.
      llvm::SmallString<128> path(argument);
      llvm::sys::fs::make_absolute(path);
      options.shapeLibraries.push_back(path.str().str());
      return true;
    }
    if (!argument.consume_front("-run-time-checks="))
      return false;
    if (argument != "hint" && argument != "none") {
      llvm::WithColor::error(llvm::errs(), "broadloom-lsp-server")
          << "--run-time-checks is hint or none, not '" << argument << "'\n";
      std::exit(1);
    }
    options.tellsRunTimeChecks = argument == "hint";
    return true;
  });
  return options;
}

int lsp::runLanguageServer(int argc, char **argv) {
  llvm::cl::extrahelp help(
      "\nBroadloom's options:\n\n"
      "  --shape-library=<FILE>     - a text with operations of your own, as "
      "`broadloom` takes it; may be repeated\n"
      "  --run-time-checks=<value>  - what the program checks at run time\n"
      "    =hint                    -   is shown as a hint\n"
      "    =none                    -   is not shown\n");
  std::vector<char *> arguments(argv, argv + argc);
  lsp::AnalysisOptions options = takeOptions(arguments);
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  infer::registerUserDialects(registry, options.shapeLibraries);

  // Help goes to the terminal.
  bool printsHelp = llvm::any_of(arguments, [](llvm::StringRef argument) {
    return argument.starts_with("--help") || argument.starts_with("--version");
  });
  // The session is never destroyed: upstream's server ends the process on a
  // wrong option, while the session's threads run.
  auto &session = *new lsp::Session(std::move(options));
  if (!printsHelp && !session.start()) {
    llvm::WithColor::error(llvm::errs(), "broadloom-lsp-server")
        << "the system has no more file descriptors\n";
    return 1;
  }
  bool isDone = succeeded(mlir::MlirLspServerMain(
      static_cast<int>(arguments.size()), arguments.data(), registry));
  if (!printsHelp)
    session.finish();
  // The threads that wait for the editor still run and end with the process.
  std::_Exit(isDone ? 0 : 1);
}
