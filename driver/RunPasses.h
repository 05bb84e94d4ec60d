//===- RunPasses.h - passes, and whose fault it is --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// A pass fails for one of two reasons. The passes that check the program report
// what is wrong with it, and that is the user's to mend. Whatever else fails,
// fails although the program was accepted, and is a bug of this project; it is
// reported as one, with the pass and the operation.
//
// With BROADLOOM_VERIFY_PASSES=1 in the environment, the verifier runs behind
// each pass from legalization on, and what it refuses is a bug of that pass.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_RUNPASSES_H
#define BROADLOOM_DRIVER_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace broadloom {

/// What the driver was told to break, for tests of what becomes of bugs.
struct ProvokedBug {
  ProvokedBug() = default;
  /// In the form of CompileOptions::provokedBug.
  explicit ProvokedBug(llvm::StringRef text);

  /// The argument of the pass that fails, empty for none; only where the
  /// operation that it runs on has one of the name `operation` in it, if that
  /// is not empty.
  std::string pass, operation;
  /// Whether it crashes; else it fails without a word.
  bool crashes = false;
  /// Whether it succeeds and leaves what the verifier refuses.
  bool isUnsound = false;
};

/// Runs the passes of `pm`. Returns BROADLOOM_OK; BROADLOOM_INVALID_ARGUMENT
/// where a pass has rejected the program; and BROADLOOM_INTERNAL_ERROR where
/// this project is at fault, after an error that says so. Of the passes that
/// reject the program only the first is heard.
int32_t runPasses(mlir::PassManager &pm, mlir::ModuleOp module,
                  const ProvokedBug &provoked = {});

/// What distinguishes a pass from others, whose failures are bugs of this
/// project and behind which the verifier finds nothing to refuse.
struct PassTraits {
  llvm::StringRef name;
  /// It checks the program, so that its errors are about that.
  bool checksProgram = false;
  /// Its errors are about shapes.
  bool checksShapes = false;
  /// The program behind it is not legalized yet, and may say what upstream's
  /// verifier refuses (D8a).
  bool leavesUnlegalized = false;
};

/// The passes that differ from all others in one of these.
llvm::ArrayRef<PassTraits> getKnownPasses();

/// Whether this thread is in a pass whose errors are about shapes.
bool isCheckingShapes();

/// What every report of a bug begins with: `this is a bug in broadloom: TEXT`.
std::string describeBug(llvm::StringRef text);

/// Says what this thread is at besides passes, while it lives
/// (describeCurrentWork).
class CurrentWork {
public:
  explicit CurrentWork(const char *text);
  ~CurrentWork();

private:
  const char *before;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_RUNPASSES_H
