//===- AnnotateAccess.cpp - what is known of a map's access ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/AnnotateAccess.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void broadloom::infer::annotateAccess(loom::MapOp map,
                                      ShapeAnalysis &analysis) {
  Builder builder(map.getContext());
  Attribute match = builder.getStringAttr("match");
  Attribute one = builder.getStringAttr("one");
  Attribute runTime = builder.getStringAttr("run-time");
  const Prover &prover = analysis.getProver();
  Shape result = analysis.getInfo(map.getResult(0)).shape;

  SmallVector<Attribute> kinds;
  for (Value input : map.getInputs()) {
    if (!isa<ShapedType>(input.getType())) {
      kinds.push_back(builder.getArrayAttr({}));
      continue;
    }
    Shape shape = analysis.getInfo(input).shape;
    if (!shape.isRanked()) {
      kinds.push_back(runTime);
      continue;
    }
    SmallVector<Attribute> axes;
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      bool aligned = result.isRanked() && result.rank() >= shape.rank();
      Extent whole = aligned ? result[axis + result.rank() - shape.rank()]
                             : Extent::dynamic();
      if (prover.isOne(shape[axis]).isProved())
        axes.push_back(one);
      else if (aligned && prover.equal(shape[axis], whole).isProved())
        axes.push_back(match);
      else
        axes.push_back(runTime);
    }
    kinds.push_back(builder.getArrayAttr(axes));
  }
  map.setKindsAttr(builder.getArrayAttr(kinds));
}
