//===- ViewSubscripts.h - elements of views in what they view ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element of the viewed memory an element of a view is.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_VIEWSUBSCRIPTS_H
#define BROADLOOM_LEGALIZE_MEMORY_VIEWSUBSCRIPTS_H

#include "legalize/memory/NestNumbers.h"

namespace broadloom::legalize {

/// One for each axis; nothing where it is not known.
using Subscripts = llvm::SmallVector<std::optional<NestNumbers::Bounded>>;

/// Whether the elements of `memory`, a view or not, are elements of what
/// `loom::getRoot` gives for it. A `memref.reinterpret_cast` may have others of
/// the allocation (mem-11).
bool isInsideRoot(mlir::Value memory);

/// The subscripts in `root` of an element of `memory`, which is that or a view
/// of it.
Subscripts getSubscriptsIn(mlir::Value root, mlir::Value memory,
                           Subscripts subscripts, NestNumbers &numbers);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_VIEWSUBSCRIPTS_H
