//===- DeriveShapes.h - shape functions from references ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With only a reference implementation, the shape function of an operation is
// derived from it (sf-5): the reference is compiled up to its shape query,
// which is written as a shape function.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_QUERIES_DERIVESHAPES_H
#define BROADLOOM_DRIVER_QUERIES_DERIVESHAPES_H

#include "infer/functions/Library.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace broadloom {

/// A module with the reference implementations of the last text of `library`
/// whose operations have no shape function, each the first of its operation, as
/// functions to compile.
mlir::OwningOpRef<mlir::ModuleOp>
takeReferences(const infer::ShapeLibrary &library);

/// A library with the shape functions that follow from the shape queries in
/// `module`, which takeReferences made. What cannot be derived is reported, and
/// the library is null.
mlir::OwningOpRef<mlir::ModuleOp> writeShapeLibrary(mlir::ModuleOp module);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_QUERIES_DERIVESHAPES_H
