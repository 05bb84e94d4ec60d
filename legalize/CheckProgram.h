//===- CheckProgram.h - is the input a program? -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass loom-check-program does (decision 70): all diagnostics about
// the input that do not need the conversion.
//
// Invariant: reads a module that passed checkStructure
// (read/structure/CheckStructure.h), and changes only constants of one
// element (see TosaConstants.h), and unknown ranks that follow from others.
// After success the module is valid: structure, dominance and every operation's
// own rules hold, those of element-wise operations by this project's spec and
// not by upstream's verifiers.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_CHECKPROGRAM_H
#define BROADLOOM_LEGALIZE_CHECKPROGRAM_H

#include "infer/functions/ShapeLibraries.h"
#include "infer/report/GuardReport.h"
#include "shape/Verify.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Reports all errors in `module`, which passed checkStructure: each
/// operation's first error at its own location, and none that follows from
/// another. verify-1 to verify-4, el-1 to el-10, abi-3 An operation without a
/// lowering is an error only if the module is compiled as it is; if it lacks
/// one because a rank is not known, ranks are inferred first, which needs
/// `libraries`.
///
/// With `report`, errors also become rows, except for shapes that broadcasting
/// refutes: the conversion makes their rows when it records constraints. Then
/// neither these errors nor operations without a lowering are failures. Fails
/// on other errors.
///
/// With `libraries`, the message of a shape function replaces that of
/// upstream's verifier.
llvm::LogicalResult checkProgram(mlir::ModuleOp module, DynamicToStatic policy,
                                 bool forCompilation = true,
                                 infer::GuardReport *report = nullptr,
                                 infer::ShapeLibraries *libraries = nullptr);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_CHECKPROGRAM_H
