//===- CastCalls.h - calls, returns and branches of other types -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inserts a `tensor.cast` where the types of a call or a return have other
// static extents than the signature, for example after a signature has changed
// from a number to `?`. The cast is guarded like any other (rt-4). The same for
// branches of `tosa.cond_if` and the body of `tosa.while_loop` whose types
// differ from the operation's.
//
// Invariant: reads a module that has not been verified, and leaves errors that
// no cast can fix to the verifier.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_CASTCALLS_H
#define BROADLOOM_LEGALIZE_CASTCALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

void castCalls(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_CASTCALLS_H
