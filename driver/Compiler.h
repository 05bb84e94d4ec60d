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
//   auto module = compiler.compileFile("model.mlir");
//   if (!module) { std::cerr << compiler.diagnostics(); return 1; }
//   broadloom::Invocation call(*module, "main");
//   if (call.run(inputs) != BROADLOOM_OK)
//     std::cerr << call.message();
//
// Invariant: a CompiledModule never changes, so that any number of threads may
// call it at once, each through an Invocation of its own. Nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_COMPILER_H
#define BROADLOOM_DRIVER_COMPILER_H

#include "driver/CheckedProgram.h"
#include "driver/InspectedFile.h"
#include "driver/ProfiledProgram.h"
#include "driver/ShapeQueryArguments.h"
#include "runtime/calls/Failure.h"
#include "runtime/calls/Tensor.h"
#include "shape/Shape.h"
#include "shape/Verify.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

/// How element-wise work is lowered (D9).
enum class Strategy {
  /// Fused maps and strip kernels.
  Default,
  /// The RFC's own IR, one operation at a time: the reference.
  Rfc,
};

/// What a program can be turned into.
enum class Emit {
  Loom,
  Linalg,
  LLVM,
  Assembly,
  Object,
  /// Of a text with reference implementations: the shape functions that follow
  /// from them.
  ShapeLibrary,
  /// The program as it was read, as a TOSA file.
  Tosa,
};

struct FunctionSignature;

struct CompileOptions {
  Strategy strategy = Strategy::Default;
  /// verify-4.
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  /// Files of shape libraries, beside the one for TOSA; a later one replaces
  /// what an earlier one says of an operation. sf-5
  std::vector<std::string> shapeLibraries;
  /// Compile only this public function and what it calls; with an empty name,
  /// the one that CompiledModule::function picks without one. All functions
  /// are checked. Where there is no such function, all are compiled.
  std::optional<std::string> only;
  /// Is told the functions that can be called when nothing is wrong with the
  /// program, before any code is made of it, which takes most of the time;
  /// where it answers false, compileFile and compileText end with null and
  /// without a diagnostic.
  std::function<bool(const std::vector<FunctionSignature> &)> accept;
  /// The symbol of the table of functions (BroadloomFunctions) in an object
  /// file or assembly text: a C identifier, and no symbol that compiled code,
  /// the runtime or the C library has.
  std::string tableSymbol = "broadloom_functions";
  /// The machine that files of code are for, as LLVM names its triple and its
  /// processor, e.g. "aarch64-linux-gnu" and "cortex-a76"; empty for this one.
  std::string target, cpu;
  /// Where this is false, LLVM makes the code of a CompiledModule in the least
  /// time, for programs that run once on little data: it computes the same bits
  /// more slowly. Files of code are always optimised.
  bool optimiseCode = true;
  /// Bytecode is read at once. Otherwise another process reads it first, since
  /// damaged bytecode can make MLIR's reader crash; where this process has
  /// several threads, that is the program broadloom-probe, which stands beside
  /// this library or where the environment's BROADLOOM_PROBE says.
  bool trustBytecode = false;
  /// Code of the same program from an earlier compilation is used, and code is
  /// kept for later ones, in the user's cache folder
  /// (docs/compile-and-load.md).
  bool useCache = false;
  /// A CompiledModule keeps what CompiledModule::save writes.
  bool keepCode = false;
  /// The code of a CompiledModule tells a profile where its time goes
  /// (Invocation::setProfile). Kernels are the same as without. It is neither
  /// taken from a cache nor kept.
  bool profile = false;
  /// How many errors of one program are told; 0 for all.
  unsigned errorLimit = 20;
  /// Constants whose values were left out when a program was printed
  /// (`dense_resource<__elided__>`) get values from this seed; without one,
  /// they are an error.
  std::optional<uint64_t> fillElided;
  /// Print the stages with their times to standard error, and note what of a
  /// program is in the form of another version of TOSA.
  bool verbose = false;
  /// For tests of what becomes of bugs: `PASS` or `PASS/OPERATION` makes the
  /// pass of that name fail where there is such an operation. `!` before it
  /// makes the pass crash, and `~` makes it leave an unsound program.
  std::string provokedBug;
};

/// An argument or result as the program declares it.
struct TensorSignature {
  BroadloomElementType elementType;
  /// Whether the program says signed or unsigned; a signless integer takes
  /// both.
  bool signless = true;
  Shape shape;
  /// Of an argument: the name of each extent (abi-1), empty where it has none;
  /// no entries where there are no names at all.
  std::vector<std::string> names;
};

/// A variable that a function uses (`tosa.variable`, driver/State.h).
struct VariableSignature {
  std::string name;
  TensorSignature type;
  bool isWritten = false;
  /// The value that it has first: its extents, and its elements in row-major
  /// order; none for zeros.
  std::vector<int64_t> initialExtents;
  std::string initial;
};

struct FunctionSignature {
  std::string name;
  std::vector<TensorSignature> arguments;
  std::vector<TensorSignature> results;
  /// What code takes behind the arguments, and gives behind the results where
  /// it is written. An Invocation does both.
  std::vector<VariableSignature> variables;
  /// Why there is nothing that computes the shapes of its results alone; empty
  /// where there is (Invocation::resultShapes).
  std::string whyNoShapes;
};

/// What the arguments of `function` are, as messages and `broadloom inspect`
/// say it (shape/TakesText.h).
std::vector<std::string> argumentTexts(const FunctionSignature &function);

/// The function of that name; without one, the only function, or `main`. Null
/// where there is none, or no telling which.
const FunctionSignature *
findFunction(const std::vector<FunctionSignature> &functions,
             std::string_view name = {});

class Profile;
class State;

/// A compiled program.
class CompiledModule {
public:
  ~CompiledModule();
  /// The functions that can be called, in the program's order.
  const std::vector<FunctionSignature> &functions() const;
  /// See findFunction.
  const FunctionSignature *function(std::string_view name = {}) const;
  /// What the sites of a profile are; null where CompileOptions::profile was
  /// not set.
  const ProfiledProgram *profiled() const;

  /// The bytes of a file that Compiler::compileFile loads without compiling,
  /// where it is on a processor of this kind and of this version; elsewhere it
  /// compiles the program that the file has too. With `name`, only that
  /// function can be called there. Empty where CompileOptions::keepCode was not
  /// set, or there is no such function.
  std::string save(std::string_view name = {}) const;

private:
  friend class Compiler;
  friend class Invocation;
  struct Impl;
  explicit CompiledModule(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// What a call computes besides element-wise operations (Invocation::operations
/// counts those).
struct WorkCount {
  /// Of matrix products and convolutions.
  int64_t multiplyAdds = 0;
  /// Elements that reductions, pools and searches go over.
  int64_t reducedElements = 0;
};

/// What one caller has for one function, to be used for call after call.
class Invocation {
public:
  Invocation(const CompiledModule &module, const FunctionSignature &function);
  /// For the function that CompiledModule::function finds. Where there is none,
  /// every call is a failure whose message names those there are.
  explicit Invocation(const CompiledModule &module, std::string_view name = {});
  ~Invocation();

  /// Threads for a call; 0 (the default) for all cores, or as many as
  /// OMP_NUM_THREADS says. Results do not depend on it.
  void setThreads(int threads);
  /// Lets result `index` be written to memory of the caller's, or to fresh
  /// memory where `output` is null. Returns a status (runtime/abi/Abi.h).
  int32_t setOutput(size_t index, const BroadloomTensor *output);
  /// The variables for later calls; null for a state of the invocation's own,
  /// which each has otherwise. Of a function without variables, nothing
  /// changes.
  void setState(State *state);
  /// The state that calls work on; null of a function without variables.
  State *state();

  /// Where the time of later calls is noted, which must live as long; null for
  /// nowhere. It has as many sites as CompiledModule::profiled.
  void setProfile(Profile *profile);

  /// Calls the function. Returns a status; message() tells what went wrong.
  int32_t run(const std::vector<const BroadloomTensor *> &inputs);
  int32_t run(const BroadloomTensor *const *inputs, size_t count);
  /// Computes the shapes of the results, or fails as run() would, except for
  /// what depends on data and on memory: in well under a microsecond, without
  /// allocating (abi-2), once the first such call has compiled what does it. Of
  /// the inputs no more is read than their shapes and
  /// element types; they need no memory. Returns a status.
  int32_t resultShapes(const std::vector<const BroadloomTensor *> &inputs,
                       std::vector<BroadloomShape> &shapes);
  /// Result `index` of the last call, which becomes the caller's to release.
  int32_t takeResult(size_t index, BroadloomTensor *out);

  /// Element-wise scalar operations that the last call computed.
  int64_t operations() const;

  /// Ends the call under way, from any thread: it fails with
  /// BROADLOOM_CANCELLED before its next launch or its next tensor. Does
  /// nothing where there is none.
  void cancel();

  /// What went wrong last, as one line (rt-2).
  const std::string &message() const;
  /// The same as data.
  const Failure &failure() const;

private:
  void choose(const CompiledModule &module, const FunctionSignature *function,
              std::string_view name);
  int32_t findShapeQuery();

  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// What the compiler does in this thread, for a handler of crashes of the
/// process: `pass 'loom-bufferize' crashes on 'func.func' @main
/// (model.mlir:3:1)`; empty where it does nothing.
std::string describeCurrentWork();

/// An error, warning, remark or note about a program.
struct ProgramDiagnostic {
  enum class Severity { Error, Warning, Remark, Note };
  Severity severity = Severity::Error;
  /// `file:line:column`, with the names of the location; empty where there is
  /// none.
  std::string location;
  /// The operation that it is about, such as `tosa.add`; empty where it is
  /// about none.
  std::string operation;
  /// The rest.
  std::string message;
  /// Whether it says that shapes do not fit.
  bool isAboutShapes = false;
};

/// Version of this library, such as `0.1.0`.
const char *version();

/// Compiles programs: MLIR text or bytecode. One thread at a time.
class Compiler {
public:
  explicit Compiler(CompileOptions options = {});
  ~Compiler();

  /// Null where the program is rejected: see diagnostics(). The file may be
  /// what CompiledModule::save gave; such a file is code, and as trusted as
  /// that.
  std::unique_ptr<CompiledModule> compileFile(const std::string &path);
  /// `name` stands for the file's name in diagnostics.
  std::unique_ptr<CompiledModule> compileText(std::string_view text,
                                              std::string_view name);
  /// What shapes results have; nothing where the program is rejected (see
  /// diagnostics()), or has no such function: then `functions` are those that
  /// it has. Functions that the one in question does not call are not looked
  /// at.
  std::optional<ShapeQueryResult>
  queryShapesOfFile(const std::string &path,
                    const ShapeQueryArguments &question,
                    std::vector<FunctionSignature> *functions = nullptr);
  std::optional<ShapeQueryResult>
  queryShapesOfText(std::string_view text, std::string_view name,
                    const ShapeQueryArguments &question,
                    std::vector<FunctionSignature> *functions = nullptr);
  /// The program in another form, or false: see diagnostics().
  bool emitFile(const std::string &path, Emit form, std::string &output);
  bool emitText(std::string_view text, std::string_view name, Emit form,
                std::string &output);

  /// What is known of the program's shapes, with errors and warnings as
  /// compiling it has them; operations that nothing computes are a warning,
  /// since their shapes are known. With `function`, of that function and what
  /// it calls, where the program has it. False where it is no program at all:
  /// then the report has the errors that say why not, unless the file itself or
  /// a library cannot be read.
  bool checkFile(const std::string &path, CheckedProgram &program,
                 const std::string &function = {});
  bool checkText(std::string_view text, std::string_view name,
                 CheckedProgram &program, const std::string &function = {});

  /// Whether `text` is a sound shape library (sf-5), beside the one for TOSA
  /// and those of the options; else diagnostics() says what is wrong.
  bool checkLibraryText(std::string_view text, std::string_view name);

  /// What is in a program, or in an object file or shared library that one was
  /// compiled to. No code is made, and a program that compiling would refuse
  /// can be looked at. False where it is none of these.
  bool inspectFile(const std::string &path, InspectedFile &file);

  /// The work of a call of `function` of the program in `path` with inputs of
  /// these shapes; nothing where it depends on data, or cannot be counted.
  std::optional<WorkCount>
  countWorkOfFile(const std::string &path, const std::string &function,
                  const std::vector<const BroadloomTensor *> &inputs);

  /// Errors and warnings of the last program, in MLIR's form
  /// (`file:line:column: error: ...`).
  const std::string &diagnostics() const;
  /// The same as data, in the same order.
  const std::vector<ProgramDiagnostic> &diagnosticList() const;

  /// Ends what another thread has this compiler do, at the next pass or the
  /// next piece of machine code: it fails with BROADLOOM_CANCELLED (abi-6).
  /// Reading a program is not ended. Does nothing where nothing is under way.
  void cancel();

  /// Makes the program of `path` smaller, as long as `fails` says of its text
  /// that it still does, and returns that; an empty text where it cannot be
  /// read. For reports of bugs.
  std::string reduceFile(const std::string &path,
                         const std::function<bool(const std::string &)> &fails);

  /// What became of the last program: BROADLOOM_OK; BROADLOOM_INVALID_ARGUMENT
  /// where it is rejected or cannot be read; BROADLOOM_INTERNAL_ERROR where the
  /// compiler itself has failed, which diagnostics() says;
  /// BROADLOOM_CANCELLED where cancel() has ended it. A crash of the
  /// compiler is one of the process: a library leaves signals to its host. A
  /// host that must survive one compiles in a process of its own.
  int32_t status() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILER_H
