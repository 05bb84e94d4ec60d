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
// errors in it, which the user can correct. If any other pass fails, an
// accepted program could not be compiled: that is a bug of this project, and is
// reported as one, with the pass and the operation.
//
// With BROADLOOM_VERIFY_PASSES=1 in the environment, the verifier runs after
// each pass from legalization on. A program that it rejects is a bug of that
// pass.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_RUNPASSES_H
#define BROADLOOM_DRIVER_PASSES_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace broadloom {

/// A failure that a test provokes, to check how bugs are reported.
struct ProvokedBug {
  ProvokedBug() = default;
  /// In the form of CompileOptions::provokedBug.
  explicit ProvokedBug(llvm::StringRef text);

  /// The argument of the pass that fails, empty for none; only where the
  /// operation that it runs on has one of the name `operation` in it, if that
  /// is not empty.
  std::string pass, operation;
  /// Whether the pass crashes; else it fails without a diagnostic.
  bool crashes = false;
  /// Whether the pass succeeds and leaves a program that the verifier rejects.
  bool isUnsound = false;
};

/// Runs the passes of `pm`. Returns BROADLOOM_OK; BROADLOOM_INVALID_ARGUMENT if
/// a pass rejected the program; and BROADLOOM_INTERNAL_ERROR, after an error
/// that says so, for a bug of this project. If several passes reject the
/// program, only the first reports errors.
int32_t runPasses(mlir::PassManager &pm, mlir::ModuleOp module,
                  const ProvokedBug &provoked = {});

/// Whether this thread is in a pass whose errors are about shapes.
bool isCheckingShapes();

/// The beginning of every report of a bug: `this is a bug in broadloom: TEXT`.
std::string describeBug(llvm::StringRef text);

/// While it lives, the current work of this thread outside passes
/// (describeCurrentWork).
class CurrentWork {
public:
  explicit CurrentWork(const char *text);
  ~CurrentWork();

private:
  const char *before;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_RUNPASSES_H
