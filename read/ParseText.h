//===- ParseText.h - MLIR text and bytecode to a module ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_PARSETEXT_H
#define BROADLOOM_READ_PARSETEXT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace broadloom::read {

/// Parses without verifying. Upstream's parser fails without an error for an
/// operation of a user's dialect in a custom form; here, every failure has an
/// error. The result has a sound structure (read/structure/CheckStructure.h).
/// `isOwn` tells that the text is this project's, which is known to be valid.
mlir::OwningOpRef<mlir::ModuleOp>
parseText(const std::shared_ptr<llvm::SourceMgr> &sources,
          mlir::MLIRContext *context, bool isOwn = false);

} // namespace broadloom::read

#endif // BROADLOOM_READ_PARSETEXT_H
