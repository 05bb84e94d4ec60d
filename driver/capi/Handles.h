//===- Handles.h - what the handles of the C interface hold -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CAPI_HANDLES_H
#define BROADLOOM_DRIVER_CAPI_HANDLES_H

#include "driver/CApi.h"
#include "driver/Compiler.h"
#include "driver/State.h"
#include "runtime/calls/Failure.h"

#include <mutex>

struct BroadloomState {
  explicit BroadloomState(const broadloom::CompiledModule &module)
      : state(module), names(state.names()) {}
  broadloom::State state;
  std::vector<std::string> names;
};

namespace broadloom {

/// An error with the memory that BroadloomError borrows.
class OwnedError {
public:
  OwnedError() : OwnedError(Failure()) {}
  explicit OwnedError(const Failure &failure);
  explicit OwnedError(const ProgramDiagnostic &diagnostic);
  OwnedError(const OwnedError &) = delete;
  OwnedError &operator=(const OwnedError &) = delete;

  BroadloomError error = {};

private:
  /// Reads the extents and the operand shapes from `text`.
  void readText();
  void borrow();

  std::string location, operation, text;
  std::vector<int64_t> extents;
  std::vector<std::string> operands;
  std::vector<const char *> operandTexts;
};

/// The functions of a module with the memory that BroadloomFunctionInfo
/// borrows.
class OwnedFunctions {
public:
  explicit OwnedFunctions(const std::vector<FunctionSignature> &functions);
  OwnedFunctions(const OwnedFunctions &) = delete;
  OwnedFunctions &operator=(const OwnedFunctions &) = delete;

  /// In the order of the signatures, which they borrow names from.
  std::vector<BroadloomFunctionInfo> infos;

private:
  struct Value;
  struct Function;
  std::vector<std::unique_ptr<Function>> functions;

public:
  ~OwnedFunctions();
};

/// The answer to a question about shapes with the memory that it lends.
struct OwnedShapes {
  explicit OwnedShapes(ShapeQueryResult result);
  OwnedShapes(const OwnedShapes &) = delete;

  ShapeQueryResult result;
  OwnedError error;
  std::vector<std::vector<BroadloomExtentAnswer>> extents;
  std::vector<BroadloomShapeAnswer> answers;
};

/// A string that a caller gives: null is the empty one.
inline const char *given(const char *text) { return text ? text : ""; }
inline std::string_view given(const char *text, size_t size) {
  return text ? std::string_view(text, size) : std::string_view();
}

/// Sets an option as broadloomCompilerSetOption says. Returns an error message,
/// or "" on success.
std::string setOption(CompileOptions &options, std::string_view name,
                      std::string_view value);

/// The form that `name` names on the command line; nothing where there is none.
std::optional<Emit> findForm(std::string_view name);

} // namespace broadloom

struct BroadloomCompiler {
  broadloom::CompileOptions options;
  std::unique_ptr<broadloom::Compiler> compiler =
      std::make_unique<broadloom::Compiler>();
  /// Held where `compiler` is replaced, and in broadloomCompilerCancel, the
  /// only function that reads it on another thread.
  std::mutex replacing;
  /// The message about a wrong option or form; "" if the last error is the
  /// compiler's own.
  std::string refusal;
  std::vector<std::unique_ptr<broadloom::OwnedError>> errors;
  std::string output;
  std::unique_ptr<broadloom::OwnedShapes> shapes;
};

struct BroadloomModule {
  explicit BroadloomModule(std::unique_ptr<broadloom::CompiledModule> module)
      : module(std::move(module)), functions(this->module->functions()) {}
  std::unique_ptr<broadloom::CompiledModule> module;
  broadloom::OwnedFunctions functions;
  std::string saved;
};

#endif // BROADLOOM_DRIVER_CAPI_HANDLES_H
