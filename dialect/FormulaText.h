//===- FormulaText.h - formulas of extents as text -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library: the text of the formulas of #loom.extents, and the
// order of their names, so that a printed attribute is parsed as the same
// attribute.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_FORMULATEXT_H
#define BROADLOOM_DIALECT_FORMULATEXT_H

#include "dialect/LoomDialect.h"

#include <string>

namespace broadloom::loom {

/// The text of `formula`, where symbol i is called `names[i]`. Parsing the text
/// builds the same expression.
std::string toText(mlir::AffineExpr formula,
                   llvm::ArrayRef<mlir::StringAttr> names);

/// Numbers the symbols of `extents` in the order of their names in the text.
/// Names that no formula uses come last, in their old order.
void sortNames(llvm::SmallVectorImpl<mlir::AffineExpr> &extents,
               llvm::SmallVectorImpl<mlir::StringAttr> &names,
               llvm::SmallVectorImpl<NameRange> &ranges);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_FORMULATEXT_H
