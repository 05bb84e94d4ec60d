//===- NestNumbers.cpp - the numbers of a loop nest -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestNumbers.h"

#include "dialect/MemoryFunction.h"
#include "poly/FormVariables.h"
#include "shape/Memory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Bounded = NestNumbers::Bounded;
using Arithmetic = NestNumbers::Arithmetic;

/// No number of a nest is larger.
static const double kMostSize = std::ldexp(1.0, 61);

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static bool isNumber(Type type) {
  return type.isIndex() || (type.isSignlessInteger() && !type.isInteger(1) &&
                            type.getIntOrFloatBitWidth() <= 64);
}

/// What a word of the type surely holds is less, of either sign.
static double getLimit(Type type) {
  if (type.isIndex() || !type.isIntOrFloat())
    return kMostSize;
  return std::min(kMostSize, std::ldexp(1.0, type.getIntOrFloatBitWidth() - 1));
}

static std::optional<Bounded> limit(std::optional<Bounded> number,
                                    double most = kMostSize) {
  if (!number || !number->form.isExact() || number->size >= most)
    return std::nullopt;
  return number;
}

std::optional<Bounded> NestNumbers::take(std::optional<Bounded> number,
                                         double most) {
  number = limit(number, most);
  if (number && !number->form.isConstant())
    room = std::min(room, most / number->size);
  return number;
}

void NestNumbers::enter(func::CallOp entered, func::FuncOp function) {
  for (auto [argument, operand] :
       llvm::zip_equal(function.getArguments(), entered.getOperands()))
    if (std::optional<Bounded> number = get(operand))
      numbers[argument] = number;
  call = entered;
  callee = function;
}

bool NestNumbers::isInFront(Value value) const {
  if (callee && callee->isAncestor(value.getParentRegion()->getParentOp()))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && isa<func::FuncOp>(nest) &&
      argument.getOwner() == &nest->getRegion(0).front())
    return true;
  return !nest->isAncestor(value.getParentRegion()->getParentOp());
}

bool NestNumbers::isExtent(const NestSymbol &symbol) const {
  return symbol.isExtent() || roots.isExtent(symbol.value, nest);
}

bool NestNumbers::isLimited(const NestSymbol &symbol) const {
  if (isExtent(symbol))
    return sizes.limitsExtents;
  return getLimit(symbol.value.getType()) > std::ldexp(1.0, sizes.bits);
}

double NestNumbers::getSize(const NestSymbol &symbol) const {
  if (isLimited(symbol))
    return std::ldexp(1.0, sizes.bits);
  return isExtent(symbol) ? double(kMaxTensorBytes) // ext-5
                          : getLimit(symbol.value.getType());
}

bool NestNumbers::fits(const poly::Form &form, const poly::Space &space,
                       std::optional<poly::Variable> extra,
                       double sizeOfExtra) const {
  auto getSizeOf = [&](auto &&self, const poly::Form &form) -> double {
    double size = std::abs(double(form.getConstant()));
    for (const poly::Form::Term &term : form.getTerms()) {
      double product = std::abs(double(term.coefficient));
      for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
        poly::Variable factor = term.monomial.getFactor(i);
        auto it = llvm::find_if(
            symbols, [&](const auto &entry) { return entry.first == factor; });
        if (const poly::Space::Quotient *quotient = space.getQuotient(factor))
          product *= self(self, quotient->numerator) + 1;
        else if (it != symbols.end())
          product *= getSize(it->second);
        else
          product *= factor == extra ? sizeOfExtra : kMostSize;
      }
      size += product;
    }
    return size;
  };
  return getSizeOf(getSizeOf, form) < kMostSize;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

std::optional<Bounded> NestNumbers::getSymbol(const NestSymbol &symbol) {
  for (auto &[before, bounded] : known)
    if (before == symbol)
      return bounded;
  poly::Form form = domain.addSymbol("s" + std::to_string(known.size()));
  if (!form.isExact())
    return std::nullopt;
  bool isBoolean = !symbol.isExtent() && symbol.value.getType().isInteger(1);
  if (isBoolean || isExtent(symbol))
    domain.assume(poly::isNotNegative(form));
  if (isBoolean)
    domain.assume(poly::isAtMost(form, 1));
  symbols.push_back({poly::getVariable(form), symbol});
  known.push_back({symbol, {form, getSize(symbol)}});
  return known.back().second;
}

std::optional<Bounded> NestNumbers::getExtent(Value memory, int64_t axis) {
  if (auto argument = dyn_cast<BlockArgument>(memory);
      callee && argument && argument.getOwner() == &callee.getBody().front())
    memory = call.getOperand(argument.getArgNumber());
  auto type = cast<MemRefType>(memory.getType());
  if (!type.isDynamicDim(axis))
    return Bounded{poly::Form(type.getDimSize(axis)),
                   double(type.getDimSize(axis))};
  if (auto from = memory.getDefiningOp<memref::CastOp>();
      from && isa<MemRefType>(from.getSource().getType()))
    return getExtent(from.getSource(), axis);
  NestSymbol root = roots.find(memory, axis);
  if (!isInFront(root.isExtent() ? root.value : memory))
    return root.isExtent() ? std::nullopt : get(root.value);
  if (root.isExtent())
    return getSymbol(root);
  // Of numbers that the nest does not have, less is known than of the extent.
  return isKnown(root.value) ? get(root.value) : getSymbol({memory, axis});
}

bool NestNumbers::set(Value value, const Bounded &number) {
  std::optional<Bounded> limited = take(number, getLimit(value.getType()));
  if (limited)
    numbers[value] = limited;
  return limited.has_value();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Those that are computed in front of a nest from other numbers, of which more
/// may be known.
static bool isTransparent(Operation *op) {
  return isa_and_nonnull<affine::AffineApplyOp, memref::DimOp, arith::AddIOp,
                         arith::SubIOp, arith::IndexCastOp, index::AddOp,
                         index::SubOp, index::CastSOp>(op) ||
         (op && op->hasAttr(loom::kOfBounds));
}

bool NestNumbers::isKnown(Value value, unsigned depth) const {
  constexpr unsigned kMostDepth = 4;
  NestSymbol symbol = roots.find(value);
  if (isExtent(symbol) || matchPattern(symbol.value, m_Constant()) ||
      llvm::any_of(known, [&](const auto &e) { return e.first == symbol; }))
    return true;
  Operation *op = symbol.value.getDefiningOp();
  return depth < kMostDepth && isTransparent(op) && !isa<memref::DimOp>(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isKnown(operand, depth + 1); });
}

std::optional<Bounded> NestNumbers::get(Value value) {
  if (!isNumber(value.getType()))
    return std::nullopt;
  if (auto it = numbers.find(value); it != numbers.end())
    return it->second;
  std::optional<Bounded> number = read(value);
  numbers[value] = number;
  return number;
}

std::optional<Bounded> NestNumbers::read(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return limit(Bounded{poly::Form(constant.getSExtValue()),
                         std::abs(double(constant.getSExtValue()))});
  Operation *op = value.getDefiningOp();
  bool isSymbol = isInFront(value);
  if (isSymbol) {
    NestSymbol root = roots.find(value);
    if (root.isExtent())
      return getSymbol(root);
    if (root.value != value)
      return get(root.value);
  }
  // In front, a number that another operation has computed is as good as a
  // symbol.
  bool isRead = op && (!isSymbol || isTransparent(op));
  std::optional<Bounded> number;
  if (isRead && depth < kMostDepth) {
    llvm::SaveAndRestore deeper(depth, depth + 1);
    number = take(compute(op), getLimit(value.getType()));
  }
  return number || !isSymbol ? number : getSymbol({value, -1});
}

static std::optional<Arithmetic> getArithmetic(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return Arithmetic::Add;
  case AffineExprKind::Mul:
    return Arithmetic::Multiply;
  case AffineExprKind::FloorDiv:
    return Arithmetic::FloorDivide;
  case AffineExprKind::CeilDiv:
    return Arithmetic::CeilDivide;
  case AffineExprKind::Mod:
    return Arithmetic::Modulo;
  default:
    return std::nullopt;
  }
}

std::optional<Bounded> NestNumbers::get(AffineExpr expr, unsigned numDims,
                                        ValueRange operands) {
  return compute(expr, numDims,
                 [&](unsigned number) { return get(operands[number]); });
}

std::optional<Bounded> NestNumbers::get(AffineExpr expr, unsigned numDims,
                                        ArrayRef<Bounded> operands) {
  return compute(expr, numDims, [&](unsigned number) {
    return std::optional(operands[number]);
  });
}

std::optional<Bounded> NestNumbers::compute(
    AffineExpr expr, unsigned numDims,
    llvm::function_ref<std::optional<Bounded>(unsigned)> getOperand) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return limit(Bounded{poly::Form(constant.getValue()),
                         std::abs(double(constant.getValue()))});
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getOperand(dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getOperand(numDims + symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Bounded> a = compute(binary.getLHS(), numDims, getOperand), b;
  if (a)
    b = compute(binary.getRHS(), numDims, getOperand);
  if (!b)
    return std::nullopt;
  return take(compute(*getArithmetic(expr.getKind()), *a, *b), kMostSize);
}

std::optional<Bounded> NestNumbers::get(OpFoldResult number) {
  if (auto value = dyn_cast<Value>(number))
    return get(value);
  int64_t constant = *getConstantIntValue(number);
  return limit(Bounded{poly::Form(constant), std::abs(double(constant))});
}

std::optional<Bounded> NestNumbers::apply(Arithmetic kind,
                                          const std::optional<Bounded> &a,
                                          const std::optional<Bounded> &b) {
  return a && b ? take(compute(kind, *a, *b), kMostSize) : std::nullopt;
}

std::optional<Bounded> NestNumbers::compute(Arithmetic kind, const Bounded &a,
                                            const Bounded &b) {
  switch (kind) {
  case Arithmetic::Add:
    return Bounded{a.form + b.form, a.size + b.size};
  case Arithmetic::Subtract:
    return Bounded{a.form - b.form, a.size + b.size};
  case Arithmetic::Multiply:
    return Bounded{a.form * b.form, a.size * b.size};
  case Arithmetic::Least:
  case Arithmetic::Greatest: {
    const Bounded &less = kind == Arithmetic::Least ? a : b,
                  &more = kind == Arithmetic::Least ? b : a;
    if (poly::Form distance = more.form - less.form;
        distance.isExact() && distance.isConstant())
      return distance.getConstant() >= 0 ? a : b;
    return Bounded{
        domain.addChoice("choice",
                         {{a.form, {poly::isAtMost(less.form, more.form)}},
                          {b.form, {poly::isLess(more.form, less.form)}}}),
        std::max(a.size, b.size)};
  }
  default:
    break;
  }
  if (!b.form.isConstant() || b.form.getConstant() <= 0)
    return std::nullopt;
  int64_t by = b.form.getConstant();
  switch (kind) {
  case Arithmetic::FloorDivide:
    return Bounded{domain.floorDivide(a.form, by), a.size + 1};
  case Arithmetic::CeilDivide:
    return Bounded{domain.ceilDivide(a.form, by), a.size + double(by)};
  case Arithmetic::Modulo:
    return Bounded{domain.remainder(a.form, by), a.size + double(by)};
  default:
    break;
  }
  poly::Form quotient = domain.addChoice(
      "quotient",
      {{domain.floorDivide(a.form, by), {poly::isNotNegative(a.form)}},
       {domain.ceilDivide(a.form, by), {poly::isLess(a.form, 0)}}});
  if (kind == Arithmetic::Divide)
    return Bounded{quotient, a.size};
  return Bounded{a.form - poly::Form(by) * quotient,
                 std::min(a.size, double(by))};
}

static std::optional<Arithmetic> getArithmetic(Operation *op) {
  using Kind = std::optional<Arithmetic>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddIOp, index::AddOp>([](auto) { return Arithmetic::Add; })
      .Case<arith::SubIOp, index::SubOp>(
          [](auto) { return Arithmetic::Subtract; })
      .Case<arith::MulIOp, index::MulOp>(
          [](auto) { return Arithmetic::Multiply; })
      .Case<arith::FloorDivSIOp, index::FloorDivSOp>(
          [](auto) { return Arithmetic::FloorDivide; })
      .Case<arith::CeilDivSIOp, index::CeilDivSOp>(
          [](auto) { return Arithmetic::CeilDivide; })
      .Case<arith::DivSIOp, index::DivSOp>(
          [](auto) { return Arithmetic::Divide; })
      .Case<arith::RemSIOp, index::RemSOp>(
          [](auto) { return Arithmetic::Remainder; })
      .Case<arith::MinSIOp, index::MinSOp>(
          [](auto) { return Arithmetic::Least; })
      .Case<arith::MaxSIOp, index::MaxSOp>(
          [](auto) { return Arithmetic::Greatest; })
      .Default([](Operation *) { return Kind(); });
}

/// A shift or a mask as a product, a quotient or a remainder by the constant.
static std::optional<Arithmetic> getBitArithmetic(Operation *op,
                                                  APInt &constant) {
  if (isa<arith::AndIOp, index::AndOp>(op)) {
    ++constant;
    return constant.isPowerOf2() && !constant.isNegative()
               ? std::optional(Arithmetic::Modulo)
               : std::nullopt;
  }
  // Multiplied or divided by more, hardly any number would fit.
  if (constant.uge(std::min(constant.getBitWidth() - 1, 40u)))
    return std::nullopt;
  constant = APInt(constant.getBitWidth(), 1) << constant;
  if (isa<arith::ShLIOp, index::ShlOp>(op))
    return Arithmetic::Multiply;
  if (isa<arith::ShRSIOp, index::ShrSOp>(op))
    return Arithmetic::FloorDivide;
  return std::nullopt;
}

std::optional<Bounded> NestNumbers::compute(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return get(apply.getAffineMap().getResult(0),
               apply.getAffineMap().getNumDims(), apply.getMapOperands());
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!axis || !type || *axis < 0 || *axis >= type.getRank())
      return std::nullopt;
    return getExtent(dim.getSource(), *axis);
  }
  // Of a number that fits the result too; compute's caller limits it.
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, index::CastSOp>(
          op))
    return get(op->getOperand(0));
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    AffineMap map = isa<affine::AffineMinOp>(op)
                        ? cast<affine::AffineMinOp>(op).getMap()
                        : cast<affine::AffineMaxOp>(op).getMap();
    std::optional<Bounded> chosen;
    for (AffineExpr expr : map.getResults()) {
      std::optional<Bounded> next =
          get(expr, map.getNumDims(), op->getOperands());
      if (!next)
        return std::nullopt;
      chosen =
          chosen ? compute(isa<affine::AffineMinOp>(op) ? Arithmetic::Least
                                                        : Arithmetic::Greatest,
                           *chosen, *next)
                 : next;
    }
    return chosen;
  }
  if (isa<arith::SelectOp>(op))
    return choose(op);
  if (isa<math::AbsIOp>(op)) {
    std::optional<Bounded> number = get(op->getOperand(0));
    return number ? compute(Arithmetic::Greatest, *number,
                            {-number->form, number->size})
                  : std::nullopt;
  }
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<Arithmetic> kind = getArithmetic(op);
  APInt constant;
  std::optional<Bounded> b;
  if (kind) {
    b = get(op->getOperand(1));
  } else if (isa<arith::ShLIOp, arith::ShRSIOp, arith::AndIOp, index::ShlOp,
                 index::ShrSOp, index::AndOp>(op) &&
             matchPattern(op->getOperand(1), m_ConstantInt(&constant))) {
    kind = getBitArithmetic(op, constant);
    b = Bounded{poly::Form(constant.getSExtValue()),
                std::abs(double(constant.getSExtValue()))};
  }
  std::optional<Bounded> a;
  if (kind && b)
    a = get(op->getOperand(0));
  return a ? compute(*kind, *a, *b) : std::nullopt;
}
