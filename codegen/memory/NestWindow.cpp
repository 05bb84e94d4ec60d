//===- NestWindow.cpp - loop nests that are convolutions ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/NestWindow.h"
#include "codegen/memory/MovableValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The loop whose variable `index` is, if it is nothing else.
static std::optional<unsigned> getLoop(const NestProduct &nest, Value index) {
  std::optional<LinearIndex> sum = LinearIndex::get(index);
  if (!sum || sum->terms.size() != 1 || sum->constant != 0 ||
      sum->terms[0].second != 1)
    return std::nullopt;
  for (auto [number, loop] : llvm::enumerate(nest.loops))
    if (sum->terms[0].first == scf::ForOp(loop).getInductionVar())
      return number;
  return std::nullopt;
}

namespace {
/// Whether a value is a sum of loop variables times numbers that are known in
/// front of the nest, and of such numbers.
class OpenSum {
public:
  explicit OpenSum(scf::ForOp root) : root(root) {}

  bool isSum(Value value) {
    if (auto known = sums.find(value); known != sums.end())
      return known->second;
    bool found = isNumber(value) || isSumOfParts(value);
    sums[value] = found;
    return found;
  }

private:
  bool isSumOfParts(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return bool(scf::getForInductionVarOwner(value));
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return isSum(apply.getAffineMap().getResult(0), apply);
    auto areSums = [&] {
      return isSum(op->getOperand(0)) && isSum(op->getOperand(1));
    };
    return isa<arith::AddIOp, arith::SubIOp>(op) ? areSums()
           : isa<arith::MulIOp>(op)
               ? (isNumber(op->getOperand(0)) || isNumber(op->getOperand(1))) &&
                     areSums()
               : false;
  }

  bool isNumber(Value value) {
    auto [known, isNew] = numbers.try_emplace(value, false);
    SmallVector<Value> variables;
    if (isNew)
      known->second =
          findVariables(value, root, variables) && variables.empty();
    return known->second;
  }

  static Value getOperand(AffineExpr leaf, affine::AffineApplyOp apply) {
    if (auto dim = dyn_cast<AffineDimExpr>(leaf))
      return apply.getOperand(dim.getPosition());
    auto symbol = dyn_cast<AffineSymbolExpr>(leaf);
    return symbol ? apply.getOperand(apply.getAffineMap().getNumDims() +
                                     symbol.getPosition())
                  : Value();
  }

  bool isNumber(AffineExpr expr, affine::AffineApplyOp apply) {
    bool isKnown = true;
    expr.walk([&](AffineExpr part) {
      if (Value operand = getOperand(part, apply))
        isKnown &= isNumber(operand);
    });
    return isKnown;
  }

  bool isSum(AffineExpr expr, affine::AffineApplyOp apply) {
    if (isNumber(expr, apply))
      return true;
    if (Value operand = getOperand(expr, apply))
      return isSum(operand);
    auto pair = cast<AffineBinaryOpExpr>(expr);
    AffineExpr x = pair.getLHS(), y = pair.getRHS();
    bool isProduct = pair.getKind() == AffineExprKind::Mul &&
                     (isNumber(x, apply) || isNumber(y, apply));
    return (isProduct || pair.getKind() == AffineExprKind::Add) &&
           isSum(x, apply) && isSum(y, apply);
  }

  scf::ForOp root;
  /// What is known of values, which others may use many times.
  llvm::DenseMap<Value, bool> sums, numbers;
};
} // namespace

/// Whether the subscript is known not to have the variable once, in all calls.
static bool hasOtherFactor(Value subscript, Value variable, scf::ForOp root) {
  std::optional<LinearIndex> index = LinearIndex::get(subscript);
  return index && index->getFactor(variable) != 1 &&
         llvm::all_of(index->terms, [&](auto &term) {
           SmallVector<Value> variables;
           return term.first == variable ||
                  (findVariables(term.first, root, variables) &&
                   !llvm::is_contained(variables, variable));
         });
}

/// Reads a subscript whose numbers the call has.
bool NestWindow::readOpenIndex(const NestProduct &nest, size_t axis) {
  SmallVector<Value> variables;
  Value index = nest.image.indices[1 + axis];
  if (!nest.conditions.empty() || !nest.values.empty() ||
      !findVariables(index, nest.loops.front(), variables) ||
      !OpenSum(nest.loops.front()).isSum(index))
    return false;
  Value ofAxis[] = {scf::ForOp(nest.loops[positions[axis]]).getInductionVar(),
                    scf::ForOp(nest.loops[steps[axis]]).getInductionVar()};
  for (Value variable : variables)
    if (!llvm::is_contained(ofAxis, variable))
      return false;
  for (Value variable : ofAxis)
    if (hasOtherFactor(index, variable, nest.loops.front()))
      return false;
  strides.push_back(1);
  dilations.push_back(1);
  padding.push_back(0);
  isOpen.push_back(true);
  return true;
}

/// Reads a subscript of the image: the position times the stride, the step
/// times the dilation, and the padding taken away.
bool NestWindow::readIndex(const NestProduct &nest, size_t axis) {
  std::optional<LinearIndex> index =
      LinearIndex::get(nest.image.indices[1 + axis]);
  auto getFactor = [&](unsigned loop) {
    return index->getFactor(scf::ForOp(nest.loops[loop]).getInductionVar());
  };
  if (!index || index->terms.size() != 2 || index->constant > 0 ||
      getFactor(positions[axis]) <= 0 || getFactor(steps[axis]) <= 0)
    return readOpenIndex(nest, axis);
  strides.push_back(getFactor(positions[axis]));
  dilations.push_back(getFactor(steps[axis]));
  padding.push_back(-index->constant);
  isOpen.push_back(false);
  return true;
}

bool NestWindow::readAxes(const NestProduct &nest) {
  ValueRange image = nest.image.indices, weight = nest.weight.indices,
             sums = nest.sums.indices;
  size_t rank = image.size();
  // The runtime knows no windows of one axis.
  if (rank < 4 || weight.size() != rank || sums.size() != rank ||
      nest.loops.size() != 2 * rank - 1)
    return false;
  llvm::SmallDenseSet<unsigned> seen;
  auto read = [&](Value index, unsigned &loop) {
    std::optional<unsigned> found = getLoop(nest, index);
    loop = found.value_or(0);
    return found && seen.insert(*found).second;
  };
  if (!read(image.front(), batch) || !read(image.back(), channels) ||
      !read(weight.back(), features) || getLoop(nest, sums.front()) != batch ||
      getLoop(nest, weight[rank - 2]) != channels ||
      getLoop(nest, sums.back()) != features)
    return false;
  for (size_t axis = 0; axis < rank - 2; ++axis)
    if (!read(sums[1 + axis], positions.emplace_back()) ||
        !read(weight[axis], steps.emplace_back()) || !readIndex(nest, axis))
      return false;
  return true;
}

/// Whether the loops add the products in the order of the window.
bool NestWindow::keepsOrder() const {
  return llvm::is_sorted(steps) && steps.back() < channels;
}

/// Whether a sum that is not negative tells that a subscript of the image is
/// inside, at one of its ends.
bool NestWindow::isInsideOf(const NestProduct &nest,
                            const LinearIndex &least) const {
  auto type = cast<MemRefType>(nest.image.memory.getType());
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    LinearIndex index = *LinearIndex::get(nest.image.indices[1 + axis]);
    if (least.isSame(index))
      return true;
    // The extent, less one and the subscript.
    LinearIndex rest = least;
    rest.add(index, 1);
    if (!type.isDynamicDim(1 + axis) && rest.terms.empty() &&
        rest.constant == type.getDimSize(1 + axis) - 1)
      return true;
    if (rest.constant != -1 || rest.terms.size() != 1 ||
        rest.terms[0].second != 1)
      continue;
    auto dim = rest.terms[0].first.getDefiningOp<memref::DimOp>();
    if (dim && dim.getSource() == nest.image.memory &&
        dim.getConstantIndex() == int64_t(1 + axis))
      return true;
  }
  return false;
}

/// Whether where `condition` does not hold, a subscript is beyond the image.
bool NestWindow::isBeyond(const NestProduct &nest, Value condition) const {
  llvm::SetVector<Value> parts;
  parts.insert(condition);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (auto both = parts[i].getDefiningOp<arith::AndIOp>())
      parts.insert_range(both->getOperands());
    else if (!isPartBeyond(nest, parts[i]))
      return false;
  }
  return true;
}

/// The same for a condition that is no conjunction.
bool NestWindow::isPartBeyond(const NestProduct &nest, Value condition) const {
  if (matchPattern(condition, m_One()))
    return true;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return false;
  std::optional<LinearIndex> x = LinearIndex::get(compare.getLhs()),
                             y = LinearIndex::get(compare.getRhs());
  if (!x || !y)
    return false;
  // What is at least 0 where it holds.
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  bool isLess = predicate == Predicate::slt || predicate == Predicate::sle ||
                predicate == Predicate::ult;
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt ||
                  predicate == Predicate::ult;
  if (!isLess && predicate != Predicate::sgt && predicate != Predicate::sge)
    return false;
  LinearIndex least = isLess ? *y : *x;
  least.add(isLess ? *x : *y, -1);
  least.constant -= isStrict;
  // An unsigned one tells as much of both ends.
  return isInsideOf(nest, least) &&
         (predicate != Predicate::ult || isInsideOf(nest, *x));
}

std::optional<NestWindow> NestWindow::get(const NestProduct &nest) {
  NestWindow window;
  auto beginsAtZero = [](scf::ForOp loop) {
    return isConstantIntValue(loop.getLowerBound(), 0);
  };
  if (nest.image.isPlain || !llvm::all_of(nest.loops, beginsAtZero) ||
      !window.readAxes(nest) || (!nest.mayReorder() && !window.keepsOrder()) ||
      (!nest.values.empty() && !nest.mayLeaveOutZeros()))
    return std::nullopt;
  for (Value condition : nest.conditions)
    if (!window.isBeyond(nest, condition))
      return std::nullopt;
  for (auto [condition, otherwise] : nest.values)
    if (!window.isBeyond(nest, condition) || !isZero(otherwise))
      return std::nullopt;
  return window;
}
