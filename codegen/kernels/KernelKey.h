//===- KernelKey.h - what code computes, as a sequence ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys by which operations with equal code share one kernel or program
// (decision 37).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_KERNELKEY_H
#define BROADLOOM_CODEGEN_KERNELS_KERNELKEY_H

#include "dialect/ScalarBody.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace broadloom::codegen {

/// Identifies code up to the names of its values.
using Key = std::vector<uintptr_t>;

/// Writes operations as a sequence of numbers: equal code has equal keys.
class KeyWriter {
public:
  void add(const void *pointer) {
    key.push_back(reinterpret_cast<uintptr_t>(pointer));
  }
  void define(mlir::Value value) {
    numbers.try_emplace(value, numbers.size() + 1);
    add(value.getType().getAsOpaquePointer());
  }
  void use(mlir::Value value) { key.push_back(numbers.lookup(value)); }

  void write(mlir::Operation *op) {
    for (mlir::Value operand : loom::getReads(op))
      if (mlir::Operation *def = operand.getDefiningOp();
          def && !numbers.count(operand))
        write(def);
    add(op->getName().getAsOpaquePointer());
    add(op->getAttrDictionary().getAsOpaquePointer());
    for (mlir::Value operand : op->getOperands())
      use(operand);
    for (mlir::Value result : op->getResults())
      define(result);
    for (mlir::Block *successor : op->getSuccessors())
      key.push_back(blocks.lookup(successor));
    for (mlir::Region &region : op->getRegions())
      write(region);
  }

  void write(mlir::Region &region) {
    key.push_back(llvm::range_size(region));
    // A block may use values of a later block, and branch to it.
    for (mlir::Block &block : region) {
      blocks.try_emplace(&block, blocks.size() + 1);
      if (!region.hasOneBlock()) {
        for (mlir::Value argument : block.getArguments())
          define(argument);
        for (mlir::Operation &op : block)
          for (mlir::Value result : op.getResults())
            define(result);
      }
    }
    for (mlir::Block &block : region)
      write(block);
  }

  void write(mlir::Block &block) {
    for (mlir::Value argument : block.getArguments())
      define(argument);
    for (mlir::Operation &op : block)
      write(&op);
  }

  Key key;

private:
  llvm::DenseMap<mlir::Value, uintptr_t> numbers;
  llvm::DenseMap<mlir::Block *, uintptr_t> blocks;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_KERNELKEY_H
