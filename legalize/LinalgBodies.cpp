//===- LinalgBodies.cpp - bodies of linalg as passes expect them ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LinalgBodies.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace broadloom;

void legalize::locateBodies(ModuleOp module) {
  module.walk([](linalg::LinalgOp op) {
    op->walk([&](Operation *inner) {
      if (inner != op && isa<UnknownLoc>(inner->getLoc()))
        infer::setOrigin(inner, op);
    });
  });
}

void legalize::showReadDestinations(ModuleOp module) {
  module.walk([](linalg::MapOp map) {
    Block &body = map.getMapper().front();
    if (body.getNumArguments() <= map.getInputs().size() ||
        body.getArguments().back().use_empty())
      return;
    OpBuilder builder(map);
    auto generic = linalg::GenericOp::create(
        builder, map.getLoc(), map->getResultTypes(), map.getInputs(),
        map.getInit(), map.getIndexingMapsArray(), map.getIteratorTypesArray());
    generic.getRegion().takeBody(map.getMapper());
    infer::takeOrigin(generic, map);
    map->replaceAllUsesWith(generic);
    map.erase();
  });
}

void legalize::eraseScalarTransposes(ModuleOp module) {
  module.walk([](linalg::TransposeOp op) {
    if (op.getPermutation().empty() && op->getNumResults() == 1 &&
        op.getInput().getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op.getInput());
      op.erase();
    }
  });
}
