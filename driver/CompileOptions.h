//===- CompileOptions.h - how programs are compiled -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_COMPILEOPTIONS_H
#define BROADLOOM_DRIVER_COMPILEOPTIONS_H

#include "shape/Verify.h"

#include "driver/SharedBytes.h"
#include "driver/StampedFile.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace broadloom {

/// How element-wise work is lowered (decision 71).
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
  /// The elements of large constants, as MLIR has them in a resource: a text
  /// names those of number N as `dense_resource<given_N>`. Large weights are
  /// never text.
  std::vector<SharedBytes> constants;
  /// Those that the caller has mapped constants from. Where one has changed, a
  /// step fails, and no code is kept for later.
  std::vector<StampedFile> constantFiles;
  /// Whether the caller leaves the text and the constants as they are until the
  /// compiled programs are destroyed, and a zero stands behind a text that is
  /// no saved program. Otherwise these keep a copy where they need one.
  bool borrows = false;
  Strategy strategy = Strategy::Default;
  /// verify-4.
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  /// Files of shape libraries, in addition to the one for TOSA. If several have
  /// a function for an operation, the last one counts (sf-5).
  std::vector<std::string> shapeLibraries;
  /// Libraries, files or names that the system's loader finds, in which a
  /// CompiledModule finds the functions without a body that declare their
  /// effects (ffi-1). The first that has a function counts; the C library comes
  /// last. They stay open until the process ends.
  std::vector<std::string> libraries;
  /// Files that tell what functions without a body read and write (ffi-2).
  std::vector<std::string> effects;
  /// Whether memory is compared before and behind each call of a function of
  /// another library, so that what it writes besides its effects is an error
  /// (ffi-3).
  bool checksEffects = false;
  /// The file of a schedule, which edits loops over memory (sch-1), or "auto"
  /// for edits that are found (sch-17); none if
  /// empty. The code of such a program is neither cached nor kept.
  std::string schedule;
  /// Compile only this public function and what it calls; with an empty name,
  /// the one that CompiledModule::function picks without one. All functions are
  /// checked. If there is no such function, all are compiled.
  std::optional<std::string> only;
  /// Called with the public functions once the program is checked and before
  /// machine code is made, which takes most of the time. If it returns false,
  /// Compiler::compile returns null without a diagnostic.
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
  /// All of a saved program is compared with its checksums. Otherwise large
  /// weights are not read before they are used.
  bool verifySaved = false;
  /// The memory of the program's MLIR context is left to the end of the
  /// process, which is about to come: its destructor takes 1.7 ms, a third of a
  /// small command.
  bool leavesContext = false;
  /// How many threads compile: passes work on several functions at once, and
  /// LLVM on several parts of a program. 0 for all cores that the process may
  /// use; more than 128 are 128. Code has the same bytes for each number.
  unsigned compileThreads = 0;
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

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILEOPTIONS_H
