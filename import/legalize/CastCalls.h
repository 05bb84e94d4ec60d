//===- CastCalls.h - calls, returns and branches of other types -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose signature says less than it did, `?` where there was a
// number, keeps its callers valid: where a call's types, or those of a return,
// say more or less of shapes than the signature, a `tensor.cast` stands between
// them, which is guarded like any other (rt-4). The same where the branches of
// `tosa.cond_if` and the body of `tosa.while_loop` yield or get another type
// than the operation has.
//
// Invariant: reads a module that has not been verified, and leaves alone what
// no cast can mend, for the verifier to report.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_LEGALIZE_CASTCALLS_H
#define BROADLOOM_IMPORT_LEGALIZE_CASTCALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

void castCalls(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_LEGALIZE_CASTCALLS_H
