//===- Session.h - what the steps on one program share ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_SESSION_H
#define BROADLOOM_DRIVER_STEPS_SESSION_H

#include "driver/CompileOptions.h"
#include "driver/passes/Pipeline.h"
#include "driver/passes/RunPasses.h"
#include "driver/sources/Diagnostics.h"
#include "driver/sources/OpenSource.h"
#include "driver/steps/CompileThreads.h"
#include "driver/steps/Stopwatch.h"
#include "runtime/abi/Abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>

namespace broadloom {

class LibraryFiles;

/// Opens one program after another, runs a step on each (Steps.h), and keeps
/// what was said of the last one.
class Session {
public:
  explicit Session(const CompileOptions &options);
  ~Session();

  /// Which program a saved program is to a step.
  enum class Saved {
    /// The one that it was made of, with the options and the shape libraries
    /// that it was made with.
    Opened,
    /// What the file has.
    Kept,
  };

  /// Opens `source`, collects the diagnostics while `step` works on it, and
  /// sets the status by whether its result is true. Returns the result; an
  /// empty one if the source cannot be opened.
  template <typename Step>
  auto run(const Source &source, Step step, Saved saved = Saved::Opened)
      -> decltype(step()) {
    decltype(step()) result{};
    if (open(source, saved)) {
      CompileThreads threads(*context, options.compileThreads);
      result = step();
      if (!requireUnchanged())
        result = {};
    }
    collector.reset();
    settle(bool(result));
    return result;
  }

  /// Begins again with the current program, without diagnostics.
  void restart();

  /// The current program's contents.
  const llvm::MemoryBuffer &getBuffer() const {
    return *sources->getMemoryBuffer(1);
  }

  /// The stages to a goal, with the options of the session.
  Pipeline getPipeline(Goal goal) const;

  /// Runs the stages in their order, and `after` behind each; false if a stage
  /// fails or reports an error, or if `after` returns false.
  bool runStages(mlir::ModuleOp module, const Pipeline &pipeline,
                 llvm::function_ref<bool(Stage)> after = nullptr);

  /// Reports an error of LLVM: about code of this project as a bug, and of what
  /// the program asks for as an error (UnsupportedError.h). Returns false.
  bool reportFailure(llvm::Error error);

  /// False, with an error in place of all that was said, where a file has
  /// changed that constants are mapped from: what was made of them is of
  /// neither contents. A step calls it before it keeps what it has made.
  bool requireUnchanged();

  /// The texts of the shape libraries of the options; nothing if one of them
  /// cannot be read twice, for example a pipe.
  const std::optional<std::vector<std::string>> &getLibraryTexts();

  /// What follows refers to it, and is destroyed before it.
  std::unique_ptr<mlir::MLIRContext> context;
  /// Those of a saved program while it is open.
  CompileOptions options;
  infer::SharedLibraries libraries;

  /// The current program.
  std::shared_ptr<llvm::SourceMgr> sources;
  /// Whether it comes from a file, and not from the caller's memory.
  bool isFile = true;
  SourceForm::Kind kind = SourceForm::Kind::Program;
  read::ProgramForm form = read::ProgramForm::Text;
  /// See SourceForm.
  const char *mistake = "";
  /// Those of the options, or what a converter has given.
  std::vector<SharedBytes> constants;
  /// Those that these are mapped from (ConvertedModel::files).
  std::vector<StampedFile> files;

  Diagnostics diagnostics;
  /// For CompileOptions::verbose.
  Stopwatch watch;
  /// Whether the step fails because of a bug of the compiler.
  bool isBroken = false;
  /// Of the last program (Compiler::status).
  int32_t status = BROADLOOM_OK;
  /// Whether it is part of another session's work, whose cancellation it
  /// shares and does not begin anew.
  bool isInner = false;
  /// See Compiler::cancel.
  std::shared_ptr<std::atomic<bool>> cancelled =
      std::make_shared<std::atomic<bool>>(false);

private:
  /// Makes `source` the current program. False, with an error, if it cannot be
  /// read.
  bool open(const Source &source, Saved saved);
  /// The program of a saved program, whose options and libraries become those
  /// of the session.
  std::unique_ptr<llvm::MemoryBuffer>
  openSaved(std::unique_ptr<llvm::MemoryBuffer> buffer);
  void setLibraries(std::vector<std::string> files);
  void settle(bool isDone);

  ProvokedBug provoked;
  std::unique_ptr<DiagnosticCollector> collector;
  /// The caller's options, while those of a saved program are in use, and the
  /// files of its libraries.
  std::optional<CompileOptions> givenOptions;
  std::unique_ptr<LibraryFiles> savedLibraries;
  bool hasLibraryTexts = false;
  std::optional<std::vector<std::string>> libraryTexts;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STEPS_SESSION_H
