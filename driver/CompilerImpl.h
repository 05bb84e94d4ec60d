//===- CompilerImpl.h - what Compiler.cpp and its parts share ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_COMPILERIMPL_H
#define BROADLOOM_DRIVER_COMPILERIMPL_H

#include "codegen/machine/MachineCode.h"
#include "driver/Compiler.h"
#include "driver/Stopwatch.h"
#include "driver/passes/Pipeline.h"
#include "driver/passes/RunPasses.h"
#include "driver/queries/ShapeQueries.h"
#include "driver/saved/SavedProgram.h"
#include "runtime/abi/Abi.h"
#include "runtime/calls/Call.h"
#include "runtime/contractions/KeptPanels.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>

namespace broadloom {

class LibraryFiles;

/// Erases from `module`, which need not be verified, all functions but `name`
/// and those that it calls. Does nothing if there is no function of that name.
void keepReachable(mlir::ModuleOp module, llvm::StringRef name);

/// The same for the public function that findFunction finds.
void keepQueried(mlir::ModuleOp module, const std::string &name);

struct CompiledModule::Impl {
  std::vector<FunctionSignature> functions;
  std::unique_ptr<codegen::LoadedCode> code;
  /// Lives as long as the code; null where there are no functions.
  const BroadloomFunctions *program = nullptr;
  /// Of arguments that are promised not to change.
  KeptPanels panels;
  std::unique_ptr<ShapeQueries> queries;
  /// See CompiledModule::profiled.
  std::unique_ptr<ProfiledProgram> profiled;
  /// What CompiledModule::save writes; null where it is not kept.
  std::unique_ptr<SavedProgram> saved;

  /// Links `objects` and finds the table.
  llvm::Error load(llvm::ArrayRef<std::string> objects);
};

/// Compiles one program after another. Each `buffer` is a program.
struct Compiler::Impl {
  explicit Impl(CompileOptions options);
  ~Impl();

  /// The contents of a file or of the caller's buffer, after convert(). Null,
  /// with an error in `text`, if that fails.
  std::unique_ptr<llvm::MemoryBuffer> openFile(const std::string &path);
  std::unique_ptr<llvm::MemoryBuffer> openText(std::string_view contents,
                                               std::string_view name);
  /// Makes `buffer` the current program, to which diagnostics refer.
  void open(std::unique_ptr<llvm::MemoryBuffer> buffer);

  /// Parses without verifying: legalization does that, with errors of its own
  /// (D8a). The result has a sound structure, so that accessors can be called
  /// before legalization.
  mlir::OwningOpRef<mlir::ModuleOp> parse();
  /// The same; errors in reading the program become rows of `report`.
  mlir::OwningOpRef<mlir::ModuleOp> parseForReport(infer::GuardReport &report);

  /// The stages to a goal, with the options of the compiler.
  Pipeline getPipeline(Goal goal) const;

  /// Runs the stages in their order, and `after` behind each; false if a stage
  /// fails or reports an error, or if `after` returns false.
  bool runStages(mlir::ModuleOp module, const Pipeline &pipeline,
                 llvm::function_ref<bool(Stage)> after = nullptr);

  /// See Compiler::checkFile.
  bool check(std::unique_ptr<llvm::MemoryBuffer> buffer,
             CheckedProgram &program, const std::string &function);
  /// See Compiler::checkLibraryText.
  bool checkLibrary(std::unique_ptr<llvm::MemoryBuffer> buffer);
  /// Loads into `library` the one for TOSA, those of the options, and the
  /// current program, which is a shape library too.
  llvm::LogicalResult loadWithOthers(infer::ShapeLibrary &library);
  /// See Compiler::compileFile.
  std::unique_ptr<CompiledModule>
  compile(std::unique_ptr<llvm::MemoryBuffer> buffer);
  /// The same for a program that is not a saved one; uses the cache if the
  /// options enable it.
  std::unique_ptr<CompiledModule::Impl>
  compileCached(std::unique_ptr<llvm::MemoryBuffer> buffer);
  /// The same without the cache. The code is noted in `saved`, if that is not
  /// null.
  std::unique_ptr<CompiledModule::Impl>
  compileAnew(std::unique_ptr<llvm::MemoryBuffer> buffer, SavedProgram *saved);
  /// The saved program of `buffer`, without code; nothing if a shape library
  /// cannot be read.
  std::optional<SavedProgram> describeSaved(const llvm::MemoryBuffer &buffer);
  /// Loads code that was saved for this machine, as compile() gives it; null
  /// where it is not for this machine, or is not accepted.
  std::unique_ptr<CompiledModule::Impl> loadCode(const SavedProgram &program,
                                                 bool &isRefused);
  /// The program of a saved program, with the shape libraries that it was saved
  /// with; any other buffer as it is, with those of the options.
  std::unique_ptr<llvm::MemoryBuffer>
  unwrap(std::unique_ptr<llvm::MemoryBuffer> buffer);
  void setLibraries(const std::vector<std::string> &files);
  /// Loads the file of a saved program; compiles its source if the code is not
  /// for this machine.
  std::unique_ptr<CompiledModule::Impl>
  loadSaved(const llvm::MemoryBuffer &file);
  /// See Compiler::queryShapesOfFile.
  std::optional<ShapeQueryResult>
  queryShapes(std::unique_ptr<llvm::MemoryBuffer> buffer,
              const ShapeQueryArguments &question,
              std::vector<FunctionSignature> &functions);
  /// The same. The values of `question` become constants of the program, and
  /// may make it invalid.
  std::optional<ShapeQueryResult>
  queryShapesOnce(std::unique_ptr<llvm::MemoryBuffer> buffer,
                  const ShapeQueryArguments &question,
                  std::vector<FunctionSignature> &functions);
  /// See Compiler::inspectFile.
  bool inspect(std::unique_ptr<llvm::MemoryBuffer> buffer, InspectedFile &file);
  /// See Compiler::countWorkOfFile.
  std::optional<WorkCount>
  count(std::unique_ptr<llvm::MemoryBuffer> buffer, const std::string &function,
        const std::vector<const BroadloomTensor *> &inputs);
  /// Whether the program's types refute none of its constraints. For forms of
  /// IR without constraints.
  bool isSound(mlir::ModuleOp module);
  /// See Compiler::emitFile; `derive` is for Emit::ShapeLibrary.
  bool emit(std::unique_ptr<llvm::MemoryBuffer> buffer, Emit form,
            std::string &output);
  bool derive(std::unique_ptr<llvm::MemoryBuffer> buffer, std::string &output);
  /// See Compiler::reduceFile.
  std::string reduce(std::unique_ptr<llvm::MemoryBuffer> buffer,
                     const std::function<bool(const std::string &)> &fails);

  /// Sets the status by whether there is a result, which it returns.
  template <typename T> T settle(T result) {
    if (cancelled->exchange(false) && !result) {
      isBroken = false;
      status = BROADLOOM_CANCELLED;
      diagnostics.clear();
      text = "error: the compilation was cancelled\n";
      return result;
    }
    status = isBroken ? BROADLOOM_INTERNAL_ERROR
             : result ? BROADLOOM_OK
                      : BROADLOOM_INVALID_ARGUMENT;
    isBroken = false;
    return result;
  }

  /// Reports an error of LLVM about code of this project as a bug. Returns
  /// false.
  bool reportBug(llvm::Error error);

  CompileOptions options;
  ProvokedBug provoked;
  /// Whether compilation of the current program failed because of a bug of the
  /// compiler.
  bool isBroken = false;
  /// Of the last program (Compiler::status).
  int32_t status = BROADLOOM_OK;
  std::unique_ptr<mlir::MLIRContext> ownContext;
  mlir::MLIRContext &context;
  infer::SharedLibraries libraries;
  /// The files of the libraries; for a saved program, temporary files.
  std::vector<std::string> libraryFiles;
  std::unique_ptr<LibraryFiles> savedLibraries;
  /// The caller's options, while those of a saved program are in use.
  std::optional<CompileOptions> givenOptions;
  /// The texts of the shape libraries, which are saved with a program.
  std::optional<std::vector<std::string>> libraryTexts;
  std::shared_ptr<llvm::SourceMgr> sources;
  /// For CompileOptions::verbose; open() starts it.
  Stopwatch watch;
  std::string text;
  std::vector<ProgramDiagnostic> diagnostics;
  /// See Compiler::cancel.
  std::shared_ptr<std::atomic<bool>> cancelled =
      std::make_shared<std::atomic<bool>>(false);

private:
  /// parse(), without the line about its time for CompileOptions::verbose.
  mlir::OwningOpRef<mlir::ModuleOp> parseProgram();
  /// Converts a model of another format (ConvertModel.h); any other contents
  /// stay as they are. Null, with an error in `text`, if that fails.
  std::unique_ptr<llvm::MemoryBuffer>
  convert(std::unique_ptr<llvm::MemoryBuffer> buffer);
  mlir::OwningOpRef<mlir::ModuleOp>
  parseBytecode(const llvm::MemoryBuffer &buffer);
  mlir::OwningOpRef<mlir::ModuleOp> parseUnprobed();
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILERIMPL_H
