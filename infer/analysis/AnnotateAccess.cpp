//===- AnnotateAccess.cpp - what is known of a map's access ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/AnnotateAccess.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using loom::AccessAttr;
using loom::AxisAccess;

void broadloom::infer::annotateAccess(loom::MapOp map,
                                      ShapeAnalysis &analysis) {
  MLIRContext *context = map.getContext();
  const Prover &prover = analysis.getProver();
  Shape result = analysis.getInfo(map.getResult(0)).shape;

  SmallVector<Attribute> kinds;
  for (Value input : map.getInputs()) {
    if (!isa<ShapedType>(input.getType())) {
      kinds.push_back(AccessAttr::get(context, /*ranked=*/true, {}));
      continue;
    }
    Shape shape = analysis.getInfo(input).shape;
    if (!shape.isRanked()) {
      kinds.push_back(AccessAttr::get(context, /*ranked=*/false, {}));
      continue;
    }
    SmallVector<AxisAccess> axes;
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      bool aligned = result.isRanked() && result.rank() >= shape.rank();
      Extent whole = aligned ? result[axis + result.rank() - shape.rank()]
                             : Extent::dynamic();
      if (prover.isOne(shape[axis]).isProved())
        axes.push_back(AxisAccess::One);
      else if (aligned && prover.equal(shape[axis], whole).isProved())
        axes.push_back(AxisAccess::Match);
      else
        axes.push_back(AxisAccess::RunTime);
    }
    kinds.push_back(AccessAttr::get(context, /*ranked=*/true, axes));
  }
  map.setKindsAttr(ArrayAttr::get(context, kinds));
}
