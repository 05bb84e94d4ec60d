//===- ShapeEntry.h - a shape query as the runtime calls it -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry of a shape query in the runtime's ABI (BroadloomShapes): reads
// extents from views, calls the shape query, and writes the results' shapes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_SHAPEENTRY_H
#define BROADLOOM_CODEGEN_ABI_SHAPEENTRY_H

#include "codegen/abi/RuntimeCalls.h"
#include "infer/queries/ShapeQuery.h"

namespace broadloom::codegen {

/// Makes `broadloom_shapes_<name>` for `query`, a function of the convention
/// Values (codegen/abi/FunctionFrame.h) with these results.
void buildShapeEntry(mlir::func::FuncOp query, mlir::TypeRange results,
                     const infer::ShapeQueryInfo &info, RuntimeCalls &runtime);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_SHAPEENTRY_H
