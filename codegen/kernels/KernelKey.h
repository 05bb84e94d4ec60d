//===- KernelKey.h - what code computes, as a sequence ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and programs are made once for all operations that need the same
// (decision 37).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_KERNELKEY_H
#define BROADLOOM_CODEGEN_KERNELS_KERNELKEY_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace broadloom::codegen {

/// Identifies what is compiled up to the names of its values.
using Key = std::vector<uintptr_t>;

/// Writes operations down as a sequence: equal ones have equal keys.
class KeyWriter {
public:
  void add(const void *pointer) {
    key.push_back(reinterpret_cast<uintptr_t>(pointer));
  }
  void define(mlir::Value value) {
    numbers[value] = numbers.size() + 1;
    add(value.getType().getAsOpaquePointer());
  }
  void use(mlir::Value value) { key.push_back(numbers.lookup(value)); }

  void write(mlir::Operation *op) {
    for (mlir::Value operand : op->getOperands())
      if (mlir::Operation *def = operand.getDefiningOp();
          def && !numbers.count(operand))
        write(def);
    add(op->getName().getAsOpaquePointer());
    add(op->getAttrDictionary().getAsOpaquePointer());
    for (mlir::Value operand : op->getOperands())
      use(operand);
    for (mlir::Value result : op->getResults())
      define(result);
    for (mlir::Region &region : op->getRegions())
      write(region.front());
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
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_KERNELKEY_H
