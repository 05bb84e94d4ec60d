//===- NestAccesses.cpp - accesses to the memory in front of a nest -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryViews.h"
#include "legalize/memory/NestReader.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Bounded = NestNumbers::Bounded;

Value NestReader::getInFront(Value memory) const {
  while (!numbers.isInFront(memory)) {
    Operation *op = memory.getDefiningOp();
    memory = loom::getViewed(op);
    if (!isa_and_nonnull<MemRefType>(memory ? memory.getType() : Type()) ||
        isa<memref::ReinterpretCastOp>(op))
      return Value();
  }
  return memory;
}

Subscripts NestReader::readSubscripts(const MemoryAccess &of) {
  Subscripts subscripts;
  for (AffineExpr expr : of.map.getResults())
    subscripts.push_back(numbers.get(expr, of.map.getNumDims(), of.operands));
  return subscripts;
}

Subscripts NestReader::getSubscripts(Operation *op, Value root) {
  MemoryAccess what = MemoryAccess::get(op);
  return getSubscriptsIn(root, what.memory, readSubscripts(what), numbers);
}

std::optional<std::pair<Subscripts, Subscripts>>
NestReader::getAnyElement(Value memory, Value root) {
  Subscripts of;
  for (int64_t axis = 0; axis < cast<MemRefType>(memory.getType()).getRank();
       ++axis) {
    std::optional<Bounded> extent = numbers.getExtent(memory, axis);
    if (!extent)
      return std::nullopt;
    of.push_back(
        Bounded{numbers.domain.addLoop("any", {poly::Form(0)}, {extent->form}),
                extent->size});
  }
  return std::pair(of, getSubscriptsIn(root, memory, of, numbers));
}

/// Adds the access to `root`, in front of the nest, of the element of `memory`
/// with the subscripts. One that is not known is any that is inside.
bool NestReader::addAccess(Value memory, Value root, Subscripts subscripts) {
  poly::Rows inside;
  for (auto [axis, index] : llvm::enumerate(subscripts))
    if (memory != root && index)
      if (std::optional<Bounded> extent = numbers.getExtent(memory, axis))
        poly::addInside(index->form, extent->form, inside);
  for (poly::Row &row : inside)
    numbers.domain.require(std::move(row));
  subscripts = getSubscriptsIn(root, memory, std::move(subscripts), numbers);
  for (auto [axis, index] : llvm::enumerate(subscripts)) {
    std::optional<Bounded> extent = numbers.getExtent(root, axis);
    if (!extent)
      return false;
    poly::Form form =
        index ? index->form
              : numbers.domain.addLoop("any", {poly::Form(0)}, {extent->form});
    access.push_back({form, extent->form});
  }
  return true;
}

bool NestReader::readInFront(Operation *op) {
  if (!readPath(op))
    return false;
  MemoryAccess what = MemoryAccess::get(op);
  Value root = getInFront(what.memory);
  if (!root) {
    because = "its memory is made in the loop";
    return false;
  }
  Subscripts subscripts = readSubscripts(what);
  if (!llvm::all_of(subscripts, [](auto &index) { return bool(index); }) ||
      !addAccess(what.memory, root, std::move(subscripts)))
    return false;
  numbers.assumeBranches();
  return true;
}

bool NestReader::readInCall(func::CallOp call, func::FuncOp callee,
                            Operation *op) {
  if (!readPath(call))
    return false;
  numbers.enter(call, callee);
  MemoryAccess what = MemoryAccess::get(op);
  auto argument = cast<BlockArgument>(loom::getRoot(what.memory));
  Value operand = call.getOperand(argument.getArgNumber()),
        root = getInFront(operand);
  if (!root)
    return false;
  Subscripts subscripts =
      getSubscriptsIn(argument, what.memory, readSubscripts(what), numbers);
  // Any element of a view is not any element of what it views.
  for (auto [axis, index] : llvm::enumerate(subscripts))
    if (std::optional<Bounded> extent = numbers.getExtent(operand, axis);
        extent && !index)
      index = Bounded{
          numbers.domain.addLoop("any", {poly::Form(0)}, {extent->form}),
          extent->size};
  if (!addAccess(operand, root, std::move(subscripts)))
    return false;
  numbers.assumeBranches();
  return true;
}

bool NestReader::readAllInCall(func::CallOp call, func::FuncOp callee,
                               unsigned argument) {
  if (!readPath(call))
    return false;
  Value operand = call.getOperand(argument), root = getInFront(operand);
  if (!root || !isa<MemRefType>(root.getType()))
    return false;
  std::optional<std::pair<Subscripts, Subscripts>> element =
      getAnyElement(operand, root);
  // Of a view whose extents are not known, the elements are any of its root.
  Subscripts in = element
                      ? element->second
                      : Subscripts(cast<MemRefType>(root.getType()).getRank());
  if (!addAccess(root, root, std::move(in)))
    return false;
  numbers.assumeBranches();
  return true;
}
