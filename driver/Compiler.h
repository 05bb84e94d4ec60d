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

/// The forms in which a program can be written.
enum class Emit {
  Loom,
  Linalg,
  LLVM,
  Assembly,
  Object,
  /// The shape functions derived from the reference implementations of a text.
  ShapeLibrary,
  /// The program as it was read, as a TOSA file.
  Tosa,
};

struct FunctionSignature;

struct CompileOptions {
  Strategy strategy = Strategy::Default;
  /// verify-4.
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  /// Files of shape libraries, in addition to the one for TOSA. If several have
  /// a function for an operation, the last one counts (sf-5).
  std::vector<std::string> shapeLibraries;
  /// Compile only this public function and what it calls; with an empty name,
  /// the one that CompiledModule::function picks without one. All functions are
  /// checked. If there is no such function, all are compiled.
  std::optional<std::string> only;
  /// Called with the public functions once the program is checked and before
  /// machine code is made, which takes most of the time. If it returns false,
  /// compileFile and compileText return null without a diagnostic.
  std::function<bool(const std::vector<FunctionSignature> &)> accept;
  /// The symbol of the table of functions (BroadloomFunctions) in an object
  /// file or assembly text: a C identifier, other than the symbols of compiled
  /// code, the runtime and the C library.
  std::string tableSymbol = "broadloom_functions";
  /// The machine that files of code are for, as LLVM names its triple and its
  /// processor, e.g. "aarch64-linux-gnu" and "cortex-a76"; empty for this one.
  std::string target, cpu;
  /// If false, LLVM makes the code of a CompiledModule as fast as it can, for
  /// programs that run once on little data. That code runs more slowly and
  /// computes the same bits. Files of code are always optimised.
  bool optimiseCode = true;
  /// Bytecode is read at once. Otherwise another process reads it first, since
  /// damaged bytecode can make MLIR's reader crash. If this process has several
  /// threads, that process runs the program broadloom-probe, which is installed
  /// beside this library or named by the environment variable BROADLOOM_PROBE.
  bool trustBytecode = false;
  /// Code of the same program from an earlier compilation is used, and code is
  /// kept for later ones, in the user's cache folder
  /// (docs/compile-and-load.md).
  bool useCache = false;
  /// A CompiledModule keeps what CompiledModule::save writes.
  bool keepCode = false;
  /// The code of a CompiledModule measures its time for a profile
  /// (Invocation::setProfile). Kernels are the same as without. Such code is
  /// never cached.
  bool profile = false;
  /// The memory of the program's MLIR context is left to the end of the
  /// process, which is about to come: its destructor takes 1.7 ms, a third of a
  /// small command.
  bool leavesContext = false;
  /// How many errors are reported for one program; 0 for all.
  unsigned errorLimit = 20;
  /// Constants whose values were left out when a program was printed
  /// (`dense_resource<__elided__>`) get values from this seed; without one,
  /// they are an error.
  std::optional<uint64_t> fillElided;
  /// Print the stages with their times to standard error, and note what of a
  /// program is in the form of another version of TOSA.
  bool verbose = false;
  /// For tests of how bugs are reported: `PASS` or `PASS/OPERATION` makes the
  /// pass of that name fail if the program has such an operation. `!` before it
  /// makes the pass crash, and `~` makes it leave an unsound program.
  std::string provokedBug;
};

/// An argument or result as the program declares it.
struct TensorSignature {
  BroadloomElementType elementType;
  /// Whether the type is signless: it then accepts signed and unsigned
  /// integers.
  bool signless = true;
  Shape shape;
  /// Of an argument: the name of each extent (abi-1), empty where it has none;
  /// no entries where there are no names at all.
  std::vector<std::string> names = {};
  /// Of an argument: its name in the program (dialect/ArgumentName.h); empty if
  /// it has none.
  std::string name = "";
  /// Whether it is memory (mem-1): of an argument, the caller's own, which the
  /// function reads and writes.
  bool isMemory = false;
};

/// A variable that a function uses (`tosa.variable`, driver/State.h).
struct VariableSignature {
  std::string name;
  TensorSignature type;
  bool isWritten = false;
  /// The value that it has first: its extents, and its elements in row-major
  /// order, one where all are equal, and none for zeros.
  std::vector<int64_t> initialExtents;
  std::string initial;
};

struct FunctionSignature {
  std::string name;
  std::vector<TensorSignature> arguments;
  std::vector<TensorSignature> results;
  /// Compiled code takes the variables after the arguments, and returns those
  /// that it writes after the results. An Invocation passes and keeps them.
  std::vector<VariableSignature> variables;
  /// Why the function has no shape query (Invocation::resultShapes); empty if
  /// it has one.
  std::string whyNoShapes;
  /// The bytes that each call needs for those temporaries whose sizes the types
  /// tell, which live in one piece of memory (decision 46). Others are
  /// allocated while the function runs.
  int64_t plannedBytes = 0;
};

/// The type as text: `tensor<4x?xf32>`, and `memref<4x?xf32>` of memory.
std::string typeText(const TensorSignature &value);

/// The arguments of `function` as text, with their names, as in messages and
/// `broadloom inspect` (shape/TakesText.h).
std::vector<std::string> argumentTexts(const FunctionSignature &function);
/// The names of its arguments, empty ones among them.
std::vector<std::string> argumentNames(const FunctionSignature &function);

/// The function of that name; for an empty name the only function, or `main`.
/// Null if there is no such function, or several that could be meant.
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
  /// The sites of a profile; null if CompileOptions::profile was not set.
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

/// The work of a call besides element-wise operations, which
/// Invocation::operations counts.
struct WorkCount {
  /// Of matrix products and convolutions.
  int64_t multiplyAdds = 0;
  /// Elements that reductions, pools and searches go over.
  int64_t reducedElements = 0;
};

/// The state of one caller for calls of one function. Create it once and reuse
/// it.
class Invocation {
public:
  Invocation(const CompiledModule &module, const FunctionSignature &function);
  /// For the function that CompiledModule::function finds. If there is none,
  /// every call fails with a message that names the functions of the module.
  explicit Invocation(const CompiledModule &module, std::string_view name = {});
  ~Invocation();

  /// Threads for a call; 0 (the default) for all cores, or as many as
  /// OMP_NUM_THREADS says. Results do not depend on it.
  void setThreads(int threads);
  /// Lets result `index` be written to memory of the caller's, or to fresh
  /// memory where `output` is null. Returns a status (runtime/abi/Abi.h).
  int32_t setOutput(size_t index, const BroadloomTensor *output);
  /// Sets the variables for later calls; null for a state of the invocation's
  /// own, which is the default. Has no effect for a function without variables.
  void setState(State *state);
  /// The state that calls work on; null of a function without variables.
  State *state();

  /// Sets the profile that later calls write to, which must outlive them; null
  /// for none. It has as many sites as CompiledModule::profiled.
  void setProfile(Profile *profile);

  /// Calls the function. Returns a status; message() tells what went wrong.
  int32_t run(const std::vector<const BroadloomTensor *> &inputs);
  int32_t run(const BroadloomTensor *const *inputs, size_t count);
  /// Computes the shapes of the results, or fails as run() would, except for
  /// guards on data and for memory (abi-2). The first such call compiles the
  /// shape query; later ones take well under a microsecond and allocate
  /// nothing. Reads only the shapes and element types of the inputs, which need
  /// no memory. Returns a status.
  int32_t resultShapes(const std::vector<const BroadloomTensor *> &inputs,
                       std::vector<BroadloomShape> &shapes);
  /// Result `index` of the last call, which becomes the caller's to release.
  int32_t takeResult(size_t index, BroadloomTensor *out);

  /// Element-wise scalar operations that the last call computed.
  int64_t operations() const;

  /// Cancels the current call, from any thread: it fails with
  /// BROADLOOM_CANCELLED before its next launch or its next tensor. Does
  /// nothing if no call is running.
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

/// The current work of the compiler in this thread, for a crash handler of the
/// process: `pass 'loom-bufferize' crashes on 'func.func' @main
/// (model.mlir:3:1)`; empty if it is idle.
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
  /// The message without location and operation.
  std::string message;
  /// Whether the error is about shapes.
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
  /// The shapes of a function's results. Nothing if the program is rejected
  /// (see diagnostics()) or has no such function; `functions` are then those
  /// that it has. Functions that the requested one does not call are not
  /// checked.
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

  /// Whether `text` is a valid shape library (sf-5) together with the one for
  /// TOSA and those of the options. If not, diagnostics() has the errors.
  bool checkLibraryText(std::string_view text, std::string_view name);

  /// Describes a program, or an object file or shared library of a compiled
  /// program. No code is made, and the program may be one that cannot be
  /// compiled. False for other files.
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

  /// Cancels the compilation that another thread runs, at the next pass or the
  /// next piece of machine code: it fails with BROADLOOM_CANCELLED (abi-6).
  /// Parsing is not interrupted. Does nothing if no compilation is running.
  void cancel();

  /// Reduces the program of `path` as long as `fails` is true of its text, and
  /// returns the smallest such text; "" if the program cannot be read. For bug
  /// reports.
  std::string reduceFile(const std::string &path,
                         const std::function<bool(const std::string &)> &fails);

  /// The status of the last program: BROADLOOM_OK; BROADLOOM_INVALID_ARGUMENT
  /// if it is rejected or cannot be read; BROADLOOM_INTERNAL_ERROR if the
  /// compiler itself failed, which diagnostics() reports; BROADLOOM_CANCELLED
  /// after cancel(). A crash of the compiler ends the process, because a
  /// library must not handle its host's signals. A host that must survive a
  /// crash compiles in another process.
  int32_t status() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILER_H
