//===- Options.h - the command line of `broadloom` --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the subcommands: options, exit statuses, loading a program and its
// inputs.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_OPTIONS_H
#define BROADLOOM_TOOLS_BROADLOOM_OPTIONS_H

#include "driver/Compiler.h"
#include "tools/io/OwnedTensor.h"

#include <optional>
#include <string>
#include <vector>

namespace broadloom::tool {

/// Exit statuses of every subcommand.
enum ExitStatus {
  kDone = 0,
  /// The program or an input was rejected.
  kRejected = 1,
  /// The command line was wrong.
  kUsage = 2,
  /// A guard failed at run time.
  kGuardFailed = 3,
  /// The compiler itself failed. abi-5
  kInternalError = 4,
};

struct Options {
  /// The subcommand.
  std::string command;
  /// The words after the subcommand.
  std::vector<std::string> words;
  std::string file;
  /// The file for a small program that shows a bug; none if empty.
  std::string reproducer;
  std::string function;
  std::vector<std::string> inputs;
  /// The inputs of `shapes`.
  std::vector<std::string> argumentShapes;
  std::vector<std::string> outputs;
  /// Where the contents of arguments that are memory are written after the
  /// call, as `ARGUMENT:FILE`.
  std::vector<std::string> argumentOutputs;
  std::string out;
  std::string emit;
  std::string format;
  /// The statuses to list; if it is empty, all that the form lists.
  std::vector<std::string> statuses;
  /// Whether a report lists what is proved too.
  bool all = false;
  int threads = 0, compileThreads = 0;
  /// Whether memory that a call leaves is an error.
  bool leaks = false;
  bool shapesOnly = false;
  /// Whether the first axis of the inputs counts successive calls.
  bool sequence = false;
  /// The folder of the variables' values; empty if they are not kept.
  std::string state;
  bool json = false;
  /// The files for a profile as a trace and as a page; none if empty.
  std::string trace, html;
  double seconds = 1;
  /// The error about the value of an option; empty if there is none.
  std::string wrongOption;
  CompileOptions compile;
};

/// Runs the subcommand that the command line names.
int runCommandLine(int argc, char **argv);

int runProgram(const Options &options);
int compileProgram(const Options &options);
int benchProgram(const Options &options);
int profileProgram(const Options &options);
int checkProgram(const Options &options);
int evaluateProgram(const Options &options);
int inspectProgram(const Options &options);

/// Prints `broadloom: error: text` to standard error; returns `status`.
int fail(ExitStatus status, const std::string &text);

/// The message if `name` selects no function.
std::string describeChoice(const std::vector<FunctionSignature> &functions,
                           const std::string &name);

/// A compiled program, the requested function, and its inputs.
struct LoadedCall {
  std::unique_ptr<CompiledModule> module;
  const FunctionSignature *function = nullptr;
  std::vector<io::OwnedTensor> inputs;

  std::vector<const BroadloomTensor *> inputPointers() const;
};

/// Compiles the file and reads the inputs. Errors are reported, and `status` is
/// then the exit status.
std::optional<LoadedCall> load(const Options &options, int &status);

/// Calls the function, with progress on a terminal; returns the call's status.
int32_t runCall(Invocation &call, const LoadedCall &loaded);

/// The exit status for a call's status, after printing its message.
int reportCall(int32_t status, const Invocation &call);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_OPTIONS_H
