//===- SplitEdges.cpp - one edge between two blocks -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/SplitEdges.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

void broadloom::codegen::splitEdges(Operation *root) {
  SmallVector<std::pair<BranchOpInterface, unsigned>> edges;
  root->walk([&](BranchOpInterface branch) {
    llvm::SmallPtrSet<Block *, 4> seen;
    for (auto [index, successor] : llvm::enumerate(branch->getSuccessors()))
      if (!seen.insert(successor).second && successor->getNumArguments() != 0)
        edges.push_back({branch, index});
  });
  for (auto [branch, index] : edges) {
    Block *successor = branch->getSuccessor(index);
    MutableOperandRange operands =
        branch.getSuccessorOperands(index).getMutableForwardedOperands();
    OpBuilder builder(branch);
    Block *from = branch->getBlock();
    Block *between =
        builder.createBlock(from->getParent(), std::next(from->getIterator()));
    cf::BranchOp::create(builder, branch.getLoc(), successor,
                         SmallVector<Value>(operands.getAsOperandRange()));
    operands.clear();
    branch->setSuccessor(between, index);
  }
}
