//===- SortConstraints.cpp - constraints of sorting -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"

#include "dialect/LoomDialect.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// sort-1
bool infer::constrainSort(Operation *op, ConstraintWriter &w) {
  auto sort = dyn_cast<loom::SortOp>(op);
  if (!sort)
    return false;
  int64_t rank = cast<ShapedType>(sort.getSource().getType()).getRank();
  for (int64_t axis : llvm::seq(rank)) {
    Index source = w.getExtent(sort.getSource(), axis);
    Index values = w.getExtent(sort.getValues(), axis);
    Index indices = w.getExtent(sort.getIndices(), axis);
    if (axis == int64_t(sort.getAxis()))
      w.constrain(w.atMost(values, source),
                  "the first {0} elements along axis " + Twine(axis) +
                      " are wanted, but there are {1}",
                  {values, source});
    else
      w.constrain(w.equal(values, source),
                  "axis " + Twine(axis) +
                      " has extent {0} in the source but {1} in the "
                      "destination of the values",
                  {source, values});
    w.constrain(w.equal(values, indices),
                "axis " + Twine(axis) +
                    " has extent {0} in the destination of the values but {1} "
                    "in that of the indices",
                {values, indices});
  }
  return true;
}
