//===- Load.cpp - a program and its inputs --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/OrderInputs.h"
#include "shape/TakesText.h"
#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/Options.h"
#include "tools/broadloom/Terminal.h"
#include "tools/io/InputText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace broadloom;
using namespace broadloom::tool;

int broadloom::tool::fail(ExitStatus status, const std::string &text) {
  printDiagnostics("broadloom: error: " + text + "\n");
  return status;
}

/// Whether the memory that the compiler has for a program may be needed for its
/// call.
static bool isLarge(const Options &options) {
  constexpr uint64_t kLarge = uint64_t(1) << 20;
  uint64_t bytes;
  return options.compile.fillElided ||
         !llvm::sys::fs::is_regular_file(options.file) ||
         llvm::sys::fs::file_size(options.file, bytes) || bytes > kLarge;
}

std::vector<const BroadloomTensor *> LoadedCall::inputPointers() const {
  std::vector<const BroadloomTensor *> pointers;
  for (const io::OwnedTensor &input : inputs)
    pointers.push_back(&*input);
  return pointers;
}

std::string
broadloom::tool::describeChoice(const std::vector<FunctionSignature> &functions,
                                const std::string &name) {
  std::string names;
  for (const FunctionSignature &function : functions)
    names += (names.empty() ? "" : ", ") + function.name;
  if (names.empty())
    return "the program has no public function to call";
  if (name.empty())
    return "the program has several public functions and none is 'main'; "
           "choose one with --function: " +
           names;
  return "the program has no public function '" + name + "'; it has: " + names;
}

/// Reads the inputs of `function`, and checks that it has the requested
/// outputs. Returns the exit status; an error has been reported.
static int readInputs(const Options &options, const FunctionSignature *function,
                      std::vector<io::OwnedTensor> &inputs) {
  const auto &arguments = function->arguments;
  std::vector<std::string> types = argumentTexts(*function);
  if (options.inputs.size() != arguments.size())
    return fail(kRejected,
                wrongCountText(options.inputs.size(), function->name, types));
  std::vector<std::string> texts = options.inputs;
  if (std::string error = orderInputs(texts, argumentNames(*function));
      !error.empty())
    return fail(kRejected, error + "; " + takesText(function->name, types));
  size_t numResults = function->results.size(),
         numOutputs = options.outputs.size();
  if (numOutputs > numResults)
    return fail(kUsage, "'" + function->name + "' has " +
                            countText(numResults, "result") + " but " +
                            countText(numOutputs, "output") +
                            (numOutputs == 1 ? " is" : " are") + " requested");
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto input = io::readInput(texts[i], static_cast<int>(i),
                               arguments[i].elementType, arguments[i].name);
    if (!input)
      return fail(kRejected,
                  input.error() + "; " + takesText(function->name, types));
    inputs.push_back(std::move(*input));
  }
  return kDone;
}

std::optional<LoadedCall> broadloom::tool::load(const Options &options,
                                                int &status) {
  LoadedCall call;
  CompileOptions compile = options.compile;
  compile.only = options.function;
  compile.useCache = true;
  bool isRefused = false, isRead = false;
  // Inputs are checked before machine code is made, which takes long.
  compile.accept = [&](const std::vector<FunctionSignature> &functions) {
    // This is called twice if cached code cannot be loaded.
    if (std::exchange(isRead, true))
      return true;
    const FunctionSignature *function =
        findFunction(functions, options.function);
    status = function ? readInputs(options, function, call.inputs)
                      : fail(functions.empty() ? kRejected : kUsage,
                             describeChoice(functions, options.function));
    isRefused = status != kDone;
    return !isRefused;
  };
  compile.leavesContext = !isLarge(options);
  Compiler compiler(compile);
  {
    Progress progress("compiling " + nameFile(options.file), compile.verbose);
    call.module = compiler.compile(Source::file(options.file));
  }
  printDiagnostics(compiler.diagnostics());
  if (!call.module) {
    if (!isRefused)
      status = rejected(compiler);
    return std::nullopt;
  }
  call.function = call.module->function(options.function);
  return call;
}

int32_t broadloom::tool::runCall(Invocation &call, const LoadedCall &loaded) {
  Progress progress("running '" + loaded.function->name + "'");
  return call.run(loaded.inputPointers());
}

int broadloom::tool::reportCall(int32_t status, const Invocation &call) {
  switch (status) {
  case BROADLOOM_OK:
    return kDone;
  case BROADLOOM_GUARD_FAILED:
    llvm::errs() << call.message() << '\n';
    return kGuardFailed;
  case BROADLOOM_INTERNAL_ERROR:
    return fail(kInternalError, call.message());
  default:
    return fail(kRejected, call.message());
  }
}
