//===- NestRepeats.cpp - accesses that repeat earlier ones ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestRepeats.h"

#include "legalize/memory/MemoryAccess.h"
#include "legalize/memory/NestReader.h"

#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

NestRepeats::NestRepeats(func::FuncOp func) {
  func.walk<WalkOrder::PreOrder>([&](Operation *op) { define(op); });
}

/// Numbers are odd, so that none is the address of a value.
NestRepeats::Number NestRepeats::getNumber(Key key) {
  return numbers.try_emplace(std::move(key), 2 * numbers.size() + 1)
      .first->second;
}

NestRepeats::Number NestRepeats::getNumber(Value value) const {
  auto it = values.find(value);
  return it != values.end() ? it->second
                            : getNumber(value.getAsOpaquePointer());
}

void NestRepeats::addOperands(ValueRange operands, Key &key) const {
  for (Value operand : operands)
    key.push_back(getNumber(operand));
}

void NestRepeats::define(Operation *op) {
  if (NestReader::isLoop(op)) {
    Block &body = op->getRegion(0).front();
    values[body.getArgument(0)] = getNumber(Key{0, getPath(&body)});
    return;
  }
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !op->getResult(0).getType().isIntOrIndex() || !isPure(op))
    return;
  Key key = {1, getNumber(op->getName().getAsOpaquePointer()),
             getNumber(op->getAttrDictionary().getAsOpaquePointer()),
             getNumber(op->getResult(0).getType().getAsOpaquePointer())};
  addOperands(op->getOperands(), key);
  values[op->getResult(0)] = getNumber(std::move(key));
}

NestRepeats::Number NestRepeats::getPath(Block *block) {
  Operation *op = block->getParentOp();
  bool isLoop = NestReader::isLoop(op);
  if (!isLoop && !NestReader::isBranch(op))
    return 0;
  if (auto it = paths.find(block); it != paths.end())
    return it->second;
  Number outer = getPath(op->getBlock());
  if (outer == 0 && !isLoop)
    return paths[block] = 0;
  Key key = {2, outer, block->getParent()->getRegionNumber()};
  // The bounds of a loop, without the numbers that it carries.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    key.push_back(loop.getUnsignedCmp());
    addOperands({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                key);
  } else if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    key.push_back(getNumber(loop.getLowerBoundMap().getAsOpaquePointer()));
    addOperands(loop.getLowerBoundOperands(), key);
    key.push_back(getNumber(loop.getUpperBoundMap().getAsOpaquePointer()));
    addOperands(loop.getUpperBoundOperands(), key);
    key.push_back(loop.getStepAsInt());
  } else {
    if (auto branch = dyn_cast<affine::AffineIfOp>(op))
      key.push_back(getNumber(branch.getIntegerSet().getAsOpaquePointer()));
    addOperands(op->getOperands(), key);
  }
  return paths[block] = getNumber(std::move(key));
}

NestRepeats::Key NestRepeats::getKey(Operation *access) {
  auto [memory, map, operands] = MemoryAccess::get(access);
  Key key = {getPath(access->getBlock()),
             getNumber(memory.getAsOpaquePointer()),
             getNumber(map.getAsOpaquePointer())};
  addOperands(operands, key);
  return key;
}

bool NestRepeats::isCovered(Operation *access) {
  auto it = covered.find(getKey(access));
  return it != covered.end() && llvm::any_of(it->second, [&](Block *block) {
           return !block || block->findAncestorOpInBlock(*access);
         });
}

void NestRepeats::cover(Operation *access, Block *block) {
  constexpr size_t kMostBlocks = 4;
  SmallVectorImpl<Block *> &blocks = covered[getKey(access)];
  if (!block)
    blocks.clear();
  else if (blocks.size() == kMostBlocks)
    blocks.erase(blocks.begin());
  blocks.push_back(block);
}
