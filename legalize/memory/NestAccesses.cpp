//===- NestAccesses.cpp - accesses to the memory in front of a nest -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryLayouts.h"
#include "dialect/MemoryViews.h"
#include "infer/analysis/TensorMemory.h"
#include "legalize/memory/NestReader.h"
#include "poly/FormVariables.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Arithmetic = NestNumbers::Arithmetic;
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

Subscripts NestReader::getSubscripts(const MemoryAccess &what, Value root) {
  return getSubscriptsIn(root, what.memory, readSubscripts(what), numbers);
}

/// A number that is inside the extent.
Bounded NestReader::addAny(const Bounded &extent) {
  hasMore = true;
  return {numbers.domain.addLoop("any", {poly::Form(0)}, {extent.form}),
          extent.size};
}

std::optional<std::pair<Subscripts, Subscripts>>
NestReader::getAnyElement(Value memory, Value root) {
  Subscripts of;
  for (int64_t axis = 0; axis < cast<MemRefType>(memory.getType()).getRank();
       ++axis) {
    std::optional<Bounded> extent = numbers.getExtent(memory, axis);
    if (!extent)
      return std::nullopt;
    of.push_back(addAny(*extent));
  }
  return std::pair(of, getSubscriptsIn(root, memory, of, numbers));
}

/// Calls `visit` for each axis of memory that a loop alone indexes.
static void forEachLoopAxis(
    linalg::LinalgOp op,
    llvm::function_ref<void(unsigned loop, Value memory, int64_t axis)> visit) {
  for (OpOperand &each : op->getOpOperands())
    if (isa<MemRefType>(each.get().getType()))
      for (auto [axis, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&each).getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          visit(dim.getPosition(), each.get(), int64_t(axis));
}

std::optional<Subscripts> NestReader::getOfIterations(linalg::LinalgOp op,
                                                      OpOperand &operand,
                                                      Value root) {
  SmallVector<std::optional<Bounded>> extents(op.getNumLoops());
  forEachLoopAxis(op, [&](unsigned loop, Value memory, int64_t axis) {
    if (!extents[loop])
      extents[loop] = numbers.getExtent(memory, axis);
  });
  SmallVector<Bounded> iteration;
  for (const std::optional<Bounded> &extent : extents) {
    if (!extent)
      return std::nullopt;
    iteration.push_back(addAny(*extent));
  }
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Subscripts subscripts;
  for (AffineExpr expr : map.getResults())
    subscripts.push_back(
        numbers.get(expr, map.getNumDims(), ArrayRef<Bounded>(iteration)));
  return getSubscriptsIn(root, operand.get(), std::move(subscripts), numbers);
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
    poly::Form form = index ? index->form : addAny(*extent).form;
    access.push_back({form, extent->form});
  }
  return true;
}

/// Rule mem-3 as numbers that are inside: the offset, which may be the end of
/// the axis; the size; and the last element, of which there is one also where
/// the size is 0, no further than the offset.
bool NestReader::readView(memref::SubViewOp view) {
  if (!numbers.isInFront(view.getSource())) {
    because = "its memory is made in the loop";
    return false;
  }
  auto isInside = [&](const poly::Form &number, const poly::Form &end) {
    access.push_back({number, end});
  };
  for (auto [axis, from, count, by] :
       llvm::enumerate(view.getMixedOffsets(), view.getMixedSizes(),
                       view.getMixedStrides())) {
    std::optional<Bounded> offset = numbers.get(from),
                           size = numbers.get(count), step = numbers.get(by),
                           extent = numbers.getExtent(view.getSource(), axis);
    if (!offset || !size || !extent)
      return false;
    if (getConstantIntValue(count) == 1) {
      isInside(offset->form, extent->form);
      continue;
    }
    if (!step || !step->form.isConstant() || step->form.getConstant() < 1) {
      because = "the step of a view is not known to be at least 1";
      return false;
    }
    std::optional<Bounded> last =
        numbers.apply(Arithmetic::Add, offset,
                      numbers.apply(Arithmetic::Multiply, step,
                                    numbers.apply(Arithmetic::Subtract, size,
                                                  Bounded{1, 1})));
    if (!last)
      return false;
    isInside(offset->form, extent->form + 1);
    isInside(size->form, size->form + 1);
    isInside(step->form.getConstant() + last->form,
             step->form.getConstant() + extent->form);
  }
  numbers.assumeBranches();
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
  Block &first = callee.getBody().front();
  hasMore |= op->getBlock() != &first;
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
      index = addAny(*extent);
  if (!addAccess(operand, root, std::move(subscripts)))
    return false;
  numbers.assumeBranches();
  return true;
}

bool NestReader::readElements(Operation *op, Value memory, bool areAll) {
  if (!readPath(op))
    return false;
  Value root = getInFront(memory);
  if (!root || !isa<MemRefType>(root.getType()))
    return false;
  std::optional<std::pair<Subscripts, Subscripts>> element =
      getAnyElement(memory, root);
  if (element && areAll)
    hasMore = false;
  // Of a view whose extents are not known, the elements are any of its root.
  Subscripts in = element
                      ? element->second
                      : Subscripts(cast<MemRefType>(root.getType()).getRank());
  if (!addAccess(root, root, std::move(in)))
    return false;
  numbers.assumeBranches();
  return true;
}

void NestReader::forEachComparison(
    Operation *op, llvm::function_ref<void(Axis first, Axis second)> visit) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto from = dyn_cast<MemRefType>(copy.getSource().getType()),
         to = dyn_cast<MemRefType>(copy.getTarget().getType());
    if (!from || !to || loom::getSetShape(from) || loom::getSetShape(to))
      return;
    for (int64_t axis = 0; axis < from.getRank(); ++axis)
      visit({copy.getSource(), axis}, {copy.getTarget(), axis});
  } else if (auto loops = dyn_cast<linalg::LinalgOp>(op);
             loops && loops.hasPureBufferSemantics()) {
    SmallVector<std::optional<Axis>> firsts(loops.getNumLoops());
    forEachLoopAxis(loops, [&](unsigned loop, Value memory, int64_t axis) {
      if (!firsts[loop])
        firsts[loop] = {memory, axis};
      else
        visit(*firsts[loop], {memory, axis});
    });
  }
}

bool NestReader::requireEqualExtents(Operation *op) {
  bool comparesAny = false;
  forEachComparison(op, [&](Axis a, Axis b) {
    std::optional<Bounded> first = numbers.getExtent(a.first, a.second),
                           second = numbers.getExtent(b.first, b.second);
    poly::Form difference =
        first && second ? first->form - second->form : poly::Form(1);
    if (difference.isExact() && difference.isConstant() &&
        difference.getConstant() == 0)
      return;
    comparesAny = true;
    if (first && second && difference.isExact() &&
        poly::isAffine(numbers.domain.getSpace(), difference))
      numbers.domain.require(poly::isZero(difference));
  });
  return comparesAny;
}

poly::Rows NestReader::getInside(const MemoryAccess &what, Value root) {
  poly::Rows rows;
  for (auto [axis, index] : llvm::enumerate(getSubscripts(what, root)))
    if (std::optional<Bounded> extent = numbers.getExtent(root, axis);
        index && extent)
      poly::addInside(index->form, extent->form, rows);
  return rows;
}

void NestReader::requireInside(const MemoryAccess &what, Value root) {
  for (poly::Row &row : getInside(what, root))
    numbers.domain.require(std::move(row));
}

bool NestReader::readCall(func::CallOp call, func::FuncOp callee) {
  if (!readPath(call))
    return false;
  numbers.enter(call, callee);
  numbers.assumeBranches();
  return steps.empty();
}

std::optional<std::vector<poly::Condition>>
NestReader::whenAlways(Value boolean, bool isTrue) {
  std::optional<std::vector<poly::Rows>> failures =
      numbers.getCondition(boolean, !isTrue);
  if (!failures) {
    because = "it is not affine in numbers that are known in front of the loop";
    return std::nullopt;
  }
  return whenNever(*failures);
}

/// The number of the first element of `memory`, a part of `root`, in row-major
/// order.
std::optional<Bounded> NestReader::getFirstPlace(Value memory, Value root) {
  size_t rank = cast<MemRefType>(memory.getType()).getRank();
  const Bounded zero = {poly::Form(0), 0};
  std::optional<Bounded> place = zero;
  Subscripts first =
      getSubscriptsIn(root, memory, Subscripts(rank, zero), numbers);
  for (auto [axis, subscript] : llvm::enumerate(first))
    place = numbers.apply(Arithmetic::Add,
                          numbers.apply(Arithmetic::Multiply, place,
                                        numbers.getExtent(root, axis)),
                          subscript);
  return place;
}

std::optional<std::vector<poly::Condition>>
NestReader::whenApart(Value earlier, Value later, Value root, Value size) {
  auto type = cast<MemRefType>(root.getType());
  double bytes = double(infer::getLeastBytes(type.getElementType()));
  std::optional<Bounded> number = numbers.get(size), distance;
  if (type.getLayout().isIdentity())
    distance = numbers.apply(Arithmetic::Multiply,
                             numbers.apply(Arithmetic::Subtract,
                                           getFirstPlace(later, root),
                                           getFirstPlace(earlier, root)),
                             Bounded{poly::Form(int64_t(bytes)), bytes});
  if (!number || !distance) {
    because = "the places of its arguments in one memory are not affine";
    return std::nullopt;
  }
  return whenNever(poly::Rows{poly::isNotNegative(distance->form),
                              poly::isLess(distance->form, number->form)});
}

/// Conditions under which no conjunction holds whenever the way is gone.
std::optional<std::vector<poly::Condition>>
NestReader::whenNever(ArrayRef<poly::Rows> failures) {
  std::vector<poly::Condition> conditions;
  for (const poly::Rows &failure : failures) {
    // Of a failure's rows, one does not hold wherever the others do: as a
    // subscript, it is then outside.
    auto tried = llvm::find_if(
        failure, [](const poly::Row &row) { return !row.isZero; });
    poly::Domain domain = numbers.domain;
    for (auto row = failure.begin(); row != failure.end(); ++row)
      if (row != tried)
        domain.require(*row);
    poly::Form index =
        tried == failure.end() ? poly::Form(-1) : -tried->form - 1;
    poly::Inside inside = poly::whenInside(domain, {{index, index + 1}});
    if (!inside.condition || !fits(*inside.condition)) {
      because = inside.condition ? "numbers of its condition may be too large"
                                 : poly::describe(inside.limit);
      return std::nullopt;
    }
    conditions.push_back(std::move(*inside.condition));
  }
  return conditions;
}
