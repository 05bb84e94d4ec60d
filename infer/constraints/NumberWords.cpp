//===- NumberWords.cpp - numbers in the words of the program --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/NumberWords.h"

#include "dialect/ArgumentName.h"
#include "dialect/LocationText.h"
#include "shape/Message.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static constexpr unsigned kMostRead = 64;
static constexpr size_t kMostLeaves = 8, kLongest = 120;
/// More loops than are around one operation.
static constexpr unsigned kNoLoop = 1u << 30;

/// The loop of which `value` is the variable; null if it is none.
static Operation *getLoopOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : nullptr;
  bool isVariable = isa_and_nonnull<affine::AffineForOp, scf::ForOp>(op) &&
                    argument.getArgNumber() == 0;
  return isVariable ? op : nullptr;
}

/// What the bounds and the step of a loop are computed from: other operands
/// change no iteration.
static SmallVector<Value> getBounds(Operation *loop) {
  if (auto scf = dyn_cast<scf::ForOp>(loop))
    return {scf.getLowerBound(), scf.getUpperBound(), scf.getStep()};
  return SmallVector<Value>(
      cast<affine::AffineForOp>(loop).getControlOperands());
}

/// Whether an argument of the function is surely that of the user's call:
/// another function could call it, with other numbers.
static bool isAlone(func::FuncOp func) {
  auto others = func->getParentRegion()->getOps<func::FuncOp>();
  return func.isPublic() && llvm::all_of(others, [&](func::FuncOp other) {
           return other == func || other.isExternal();
         });
}

static bool has64Bits(Type type) {
  return type.isIndex() || type.isInteger(64);
}

/// Bits that each number of the leaf has room in, one of them the sign.
static unsigned getLeafBits(Value leaf) {
  auto loop = dyn_cast_if_present<scf::ForOp>(getLoopOf(leaf));
  if (loop && !loop.getUnsignedCmp()) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           upper = getConstantIntValue(loop.getUpperBound());
    if (lower && upper)
      return std::max(NumberSum{{}, *lower}.getBits(),
                      NumberSum{{}, *upper}.getBits());
  }
  return has64Bits(leaf.getType()) ? 64
                                   : leaf.getType().getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// What computes a number
//===----------------------------------------------------------------------===//

/// The word of this type that the expression gives: `i32(%n + 1)` where it may
/// wrap at fewer than 64 bits.
std::optional<NumberWords::Sum> NumberWords::wrap(const std::optional<Sum> &sum,
                                                  Type type) {
  if (!sum || has64Bits(type) || sum->getBits() <= type.getIntOrFloatBitWidth())
    return sum;
  unsigned width = type.getIntOrFloatBitWidth();
  std::optional<Sum> wrapped = Sum::call("i" + std::to_string(width), {sum});
  wrapped->bits = width;
  return wrapped;
}

std::optional<NumberWords::Sum>
NumberWords::readExpression(AffineExpr expression, unsigned numDims,
                            ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return Sum{{}, constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return read(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return read(operands[numDims + symbol.getPosition()]);
  if (++numRead > kMostRead)
    return std::nullopt;
  auto binary = cast<AffineBinaryOpExpr>(expression);
  std::optional<Sum> a = readExpression(binary.getLHS(), numDims, operands),
                     b = readExpression(binary.getRHS(), numDims, operands);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return Sum::add(a, b, /*subtracts=*/false);
  case AffineExprKind::Mul:
    return Sum::multiply(a, b);
  case AffineExprKind::FloorDiv:
    return Sum::combine("floordiv", a, b);
  case AffineExprKind::CeilDiv:
    return Sum::combine("ceildiv", a, b);
  default:
    return Sum::combine("mod", a, b);
  }
}

std::optional<NumberWords::Sum>
NumberWords::readMap(AffineMap map, ValueRange operands, StringRef function) {
  SmallVector<std::optional<Sum>> results;
  for (AffineExpr expression : map.getResults())
    results.push_back(readExpression(expression, map.getNumDims(), operands));
  return results.size() == 1 ? results.front() : Sum::call(function, results);
}

std::optional<NumberWords::Sum> NumberWords::expand(Operation *op) {
  auto lhs = [&] { return read(op->getOperand(0)); };
  auto rhs = [&] { return read(op->getOperand(1)); };
  using Operand = const std::optional<Sum> &;
  // In the order of their operands, which is that of the names.
  auto binary = [&](auto make) {
    std::optional<Sum> a = lhs(), b = rhs();
    return make(a, b);
  };
  // Sums and products of what has wrapped wrap to the same number; these do
  // not.
  auto ofWords = [&](auto make) {
    return binary([&](Operand a, Operand b) {
      return make(wrap(a, op->getOperand(0).getType()),
                  wrap(b, op->getOperand(1).getType()));
    });
  };
  return llvm::TypeSwitch<Operation *, std::optional<Sum>>(op)
      .Case([&](affine::AffineApplyOp apply) {
        return readMap(apply.getAffineMap(), apply.getMapOperands(), "");
      })
      .Case([&](affine::AffineMinOp least) {
        return readMap(least.getMap(), least.getOperands(), "min");
      })
      .Case([&](affine::AffineMaxOp greatest) {
        return readMap(greatest.getMap(), greatest.getOperands(), "max");
      })
      .Case<arith::AddIOp, index::AddOp>([&](auto) {
        return binary(
            [](Operand a, Operand b) { return Sum::add(a, b, false); });
      })
      .Case<arith::SubIOp, index::SubOp>([&](auto) {
        return binary(
            [](Operand a, Operand b) { return Sum::add(a, b, true); });
      })
      .Case<arith::MulIOp, index::MulOp>([&](auto) {
        return binary([](Operand a, Operand b) { return Sum::multiply(a, b); });
      })
      .Case<arith::FloorDivSIOp, index::FloorDivSOp>([&](auto) {
        return ofWords([](Operand a, Operand b) {
          return Sum::combine("floordiv", a, b);
        });
      })
      .Case<arith::CeilDivSIOp, index::CeilDivSOp>([&](auto) {
        return ofWords(
            [](Operand a, Operand b) { return Sum::combine("ceildiv", a, b); });
      })
      .Case<arith::MinSIOp, index::MinSOp>([&](auto) {
        return ofWords(
            [](Operand a, Operand b) { return Sum::call("min", {a, b}); });
      })
      .Case<arith::MaxSIOp, index::MaxSOp>([&](auto) {
        return ofWords(
            [](Operand a, Operand b) { return Sum::call("max", {a, b}); });
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, index::CastSOp, index::CastUOp>(
          [&](Operation *cast) -> std::optional<Sum> {
            // A narrow word without a sign is not the number that its name has
            // elsewhere.
            Value from = cast->getOperand(0);
            if (has64Bits(from.getType()))
              return has64Bits(cast->getResult(0).getType()) ? read(from)
                                                             : std::nullopt;
            bool hasSign =
                isa<arith::IndexCastOp, arith::ExtSIOp, index::CastSOp>(cast);
            if (from.getType().isInteger(1) || !hasSign)
              return std::nullopt;
            return readNarrow(from, cast->getResult(0));
          })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<NumberWords::Sum> NumberWords::read(Value value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return Sum{{}, *known};
  if ((!has64Bits(value.getType()) && value.getType() != narrow) ||
      ++numRead > kMostRead)
    return std::nullopt;
  size_t numLeaves = leaves.size();
  if (Operation *op = value.getDefiningOp())
    if (std::optional<Sum> sum = expand(op))
      return sum;
  leaves.resize(numLeaves);
  return readLeaf(value, value);
}

std::optional<NumberWords::Sum> NumberWords::readNarrow(Value value,
                                                        Value shown) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return Sum{{}, *known};
  size_t numLeaves = leaves.size();
  llvm::SaveAndRestore inside(narrow, value.getType());
  Operation *op = value.getDefiningOp();
  if (std::optional<Sum> sum = op ? expand(op) : std::nullopt)
    return wrap(sum, value.getType());
  leaves.resize(numLeaves);
  return readLeaf(value, shown);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<NumberWords::Sum> NumberWords::readLeaf(Value named,
                                                      Value shown) {
  if (!addLeaf(named, shown))
    return std::nullopt;
  const Leaf &leaf = *llvm::find_if(
      leaves, [&](const Leaf &other) { return other.named == named; });
  return Sum{{{false, {leaf.name, Sum::Form::Single}}}, 0, getLeafBits(named)};
}

bool NumberWords::addLeaf(Value named, Value shown) {
  Leaf leaf{named, shown, loom::getValueName(named), "",
            kNoLoop + unsigned(leaves.size())};
  auto argument = dyn_cast<BlockArgument>(named);
  Operation *owner =
      argument ? argument.getOwner()->getParentOp() : named.getDefiningOp();
  auto func = dyn_cast<func::FuncOp>(owner);
  if (func && argument.getOwner()->isEntryBlock()) {
    StringRef name = loom::getArgumentName(argument);
    leaf.name = name.empty() ? "arg" + std::to_string(argument.getArgNumber())
                             : "%" + name.str();
    leaf.place = loom::getArgumentText(argument);
    if (!isAlone(func))
      leaf.place += " of '" + func.getName().str() + "'";
  } else if (!func) {
    leaf.place = getFileLocationText(owner->getLoc());
  }
  if (leaf.name.empty())
    return false;
  if (Operation *loop = getLoopOf(named)) {
    leaf.order = 0;
    for (Operation *op = loop; op; op = op->getParentOp())
      ++leaf.order;
  }
  for (const Leaf &other : leaves)
    if (other.named == named || other.name == leaf.name)
      return other.named == named && other.shown == shown;
  leaves.push_back(std::move(leaf));
  return true;
}

/// Adds the variables of the loops on which the bounds of the loop of
/// `variable` depend: an iteration is known by these.
void NumberWords::addLoopsAround(Value variable) {
  Operation *loop = getLoopOf(variable);
  if (!loop)
    return;
  SmallVector<Value> open = getBounds(loop);
  llvm::DenseSet<Value> seen;
  while (!open.empty() && seen.size() < kMostRead) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (getLoopOf(value) && addLeaf(value, value))
      llvm::append_range(open, getBounds(getLoopOf(value)));
    else if (op && op->getNumRegions() == 0)
      llvm::append_range(open, op->getOperands());
  }
}

std::optional<std::string> NumberWords::get(Index number) {
  if (std::optional<int64_t> known = ConstraintWriter::getKnown(number))
    return std::to_string(*known);
  std::optional<Sum> sum = read(cast<Value>(number));
  return sum ? std::optional(sum->print().text) : std::nullopt;
}

MessageTail NumberWords::follow(const std::optional<std::string> &expression) {
  size_t numNames = leaves.size();
  if (!expression || numNames == 0)
    return {};
  if (numNames > kMostLeaves || expression->size() > kLongest)
    return {};
  for (size_t i = 0; i < numNames; ++i)
    addLoopsAround(leaves[i].named);
  // The expression is told all the same.
  if (leaves.size() > kMostLeaves)
    leaves.resize(numNames);
  llvm::sort(leaves,
             [](const Leaf &a, const Leaf &b) { return a.order < b.order; });
  MessageTail tail;
  tail.text = kBeforeNumbers.str();
  // `%i = 30` says what `%i with %i = 30` says.
  if (leaves.size() != 1 || leaves.front().name != *expression)
    tail.text += escapeTemplate(*expression) + " with ";
  for (const Leaf &leaf : leaves) {
    if (!tail.values.empty())
      tail.text += ", ";
    tail.text += escapeTemplate(leaf.name) + " = {" +
                 std::to_string(tail.values.size()) + "}";
    if (!leaf.place.empty())
      tail.text += " (" + escapeTemplate(leaf.place) + ")";
    tail.values.push_back(w.materialise(w.getIndex(leaf.shown)));
  }
  return tail;
}
