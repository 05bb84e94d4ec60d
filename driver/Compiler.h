//===- Compiler.h - from a program to something to call ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C++ interface. It needs no MLIR to be used:
//
//   broadloom::Compiler compiler;
//   auto module = compiler.compile(broadloom::Source::file("model.mlir"));
//   if (!module) { std::cerr << compiler.diagnostics(); return 1; }
//   broadloom::Invocation call(*module, "main");
//   if (call.run(inputs) != BROADLOOM_OK)
//     std::cerr << call.message();
//
// Nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_COMPILER_H
#define BROADLOOM_DRIVER_COMPILER_H

#include "driver/CheckedProgram.h"
#include "driver/CompileOptions.h"
#include "driver/CompiledModule.h"
#include "driver/FunctionSignature.h"
#include "driver/InspectedFile.h"
#include "driver/ProgramDiagnostic.h"
#include "driver/ShapeQueryArguments.h"
#include "driver/Source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace broadloom {

class Session;

/// The work of a call besides element-wise operations, which
/// Invocation::operations counts.
struct WorkCount {
  /// Of matrix products and convolutions.
  int64_t multiplyAdds = 0;
  /// Elements that reductions, pools and searches go over.
  int64_t reducedElements = 0;
};

/// The current work of the compiler in this thread, for a crash handler of the
/// process: `pass 'loom-bufferize' crashes on 'func.func' @main
/// (model.mlir:3:1)`; of a thread without a pass, what any thread does outside
/// passes; empty if nothing is known.
std::string describeCurrentWork();

/// Version of this library, such as `0.1.0`.
const char *version();

/// Compiles programs, one after another. One thread at a time.
class Compiler {
public:
  explicit Compiler(CompileOptions options = {});
  ~Compiler();

  /// Null where the program is rejected: see diagnostics(). The source may be
  /// what CompiledModule::save gave; such a file is code, and as trusted as
  /// that.
  std::unique_ptr<CompiledModule> compile(const Source &source);

  /// The shapes of a function's results. Nothing if the program is rejected
  /// (see diagnostics()) or has no such function; `functions` are then those
  /// that it has. Functions that the requested one does not call are not
  /// checked.
  std::optional<ShapeQueryResult>
  queryShapes(const Source &source, const ShapeQueryArguments &question,
              std::vector<FunctionSignature> *functions = nullptr);

  /// The program in another form, or false: see diagnostics().
  bool emit(const Source &source, Emit form, std::string &output);

  /// What is known of the program's shapes, with errors and warnings as
  /// compiling it has them; operations that nothing computes are a warning,
  /// since their shapes are known. With `function`, of that function and what
  /// it calls, where the program has it. False where it is no program at all:
  /// then the report has the errors that say why not, unless the file itself or
  /// a library cannot be read.
  bool check(const Source &source, CheckedProgram &program,
             const std::string &function = {});

  /// Whether the source is a valid shape library (sf-5) together with the one
  /// for TOSA and those of the options. If not, diagnostics() has the errors.
  bool checkLibrary(const Source &source);

  /// Describes a program, or an object file or shared library of a compiled
  /// program. No code is made, and the program may be one that cannot be
  /// compiled. False for other files.
  bool inspect(const Source &source, InspectedFile &file);

  /// The work of a call of `function` of the program with inputs of these
  /// shapes; nothing where it depends on data, or cannot be counted.
  std::optional<WorkCount>
  countWork(const Source &source, const std::string &function,
            const std::vector<const BroadloomTensor *> &inputs);

  /// Reduces the program as long as `fails` is true of its text, and returns
  /// the smallest such text; "" if the program cannot be read. For bug reports.
  std::string reduce(const Source &source,
                     const std::function<bool(const std::string &)> &fails);

  /// Errors and warnings of the last program, in MLIR's form
  /// (`file:line:column: error: ...`).
  const std::string &diagnostics() const;
  /// The same as data, in the same order.
  const std::vector<ProgramDiagnostic> &diagnosticList() const;

  /// The status of the last program: BROADLOOM_OK; BROADLOOM_INVALID_ARGUMENT
  /// if it is rejected or cannot be read; BROADLOOM_INTERNAL_ERROR if the
  /// compiler itself failed, which diagnostics() reports; BROADLOOM_CANCELLED
  /// after cancel(). A crash of the compiler ends the process, because a
  /// library must not handle its host's signals. A host that must survive a
  /// crash compiles in another process.
  int32_t status() const;

  /// Cancels the compilation that another thread runs, at the next pass or the
  /// next piece of machine code: it fails with BROADLOOM_CANCELLED (abi-6).
  /// Parsing is not interrupted. Does nothing if no compilation is running.
  void cancel();

private:
  std::unique_ptr<Session> session;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILER_H
