//===- CheckProgram.h - is the input a program? -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first half of legalization (D8a): every diagnostic about the input that
// does not need conversion.
//
// Invariant: reads a module in which checkStructure
// (import/structure/CheckStructure.h) has found nothing, and changes nothing
// but constants of one element (see TosaConstants.h). After success the module
// is sound: structure, dominance and every operation's own rules hold, those of
// element-wise operations by this project's spec and not by upstream's
// verifiers.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_LEGALIZE_CHECKPROGRAM_H
#define BROADLOOM_IMPORT_LEGALIZE_CHECKPROGRAM_H

#include "infer/functions/ShapeLibraries.h"
#include "infer/report/GuardReport.h"
#include "shape/Verify.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Reports everything that is wrong with `module`, in which checkStructure has
/// found nothing: each operation's first error at its own location, and none
/// that follows from another. verify-1 to verify-4, el-1 to el-10, abi-3
/// What nothing can lower is an error only where the module is to be compiled
/// as it stands.
///
/// With `report`, errors are rows of it as well, except for those about shapes
/// that broadcasting refutes: legalization makes their rows when it records
/// constraints. Neither these errors nor operations without a lowering are a
/// failure then. Fails where the module is not sound for other reasons.
///
/// With `libraries`, what their shape functions say of an operation that
/// upstream's verifier refuses is reported in place of upstream's words.
llvm::LogicalResult checkProgram(mlir::ModuleOp module, DynamicToStatic policy,
                                 bool forCompilation = true,
                                 infer::GuardReport *report = nullptr,
                                 infer::ShapeLibraries *libraries = nullptr);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_LEGALIZE_CHECKPROGRAM_H
