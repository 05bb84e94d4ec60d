//===- NestGuard.cpp - the check in front of a loop nest ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In front of the nest, or where its arguments are known (NestPlaces.h), stands
// the exact condition under which all accesses are
// inside. Where it does not hold, or where a number is too large for it, the
// nest runs once with its checks alone (NestChecks.h). So the condition decides
// only how fast a check is, and never whether there is one.
//
// These checks begin at the first iteration of the outermost loop that has an
// access outside, which a binary search finds: the condition for all iterations
// before a given one is known too.
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestGuard.h"

#include "dialect/CheckedAxes.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/NestChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

class NestGuard {
public:
  NestGuard(OpBuilder builder, Operation *nest,
            ArrayRef<CheckedAccess> accesses)
      : nest(nest), accesses(accesses), b(builder), loc(nest->getLoc()) {}

  void insert() {
    Value fits = getLimits(), holds = getConditions();
    for (const CheckedAccess &access : accesses)
      markChecked(access.op, access.axes);
    Value passes = both(fits, holds);
    if (!passes)
      return;
    Value one = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value fails = arith::XOrIOp::create(b, loc, passes, one);
    auto branch = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
    branch->setAttr(loom::kFindsFailure, b.getUnitAttr());
    b.setInsertionPointToStart(branch.thenBlock());
    NestChecks checks(b, nest, accesses);
    NestChecks::Bounds bounds = checks.computeBounds();
    if (holds && isLong())
      bounds.lower = search(bounds, fits);
    checks.emit(bounds);
  }

  /// Whether all accesses are inside; null for always.
  Value compute() { return both(getLimits(), getConditions()); }

private:
  Value both(Value x, Value y) { return legalize::both(b, loc, x, y); }

  /// Whether symbols are as small as the condition needs them.
  Value getLimits() {
    SmallVector<std::pair<NestSymbol, int>> limited = listLimited();
    llvm::DenseSet<Value> positive;
    Value all;
    for (auto &[symbol, bits] : limited)
      all = both(all, isLess(symbol, bits));
    for (const CheckedAccess &access : accesses) {
      const NestReader &reader = *access.reader;
      for (const poly::Form &step : reader.getSteps())
        if (Value value = getForm(reader, reader.getDomain().getSpace(), step);
            positive.insert(value).second)
          all =
              both(all, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                              value, getConstant(0)));
    }
    return all;
  }

  /// Symbols with limits, and the smallest one of each, in bits.
  SmallVector<std::pair<NestSymbol, int>> listLimited() const {
    SmallVector<std::pair<NestSymbol, int>> limited;
    for (const CheckedAccess &access : accesses)
      for (const auto &entry : access.reader->getSymbols()) {
        const NestSymbol &symbol = entry.second;
        if (!access.reader->isLimited(symbol))
          continue;
        int bits = access.reader->getBits();
        auto known = llvm::find_if(
            limited, [&](const auto &limit) { return limit.first == symbol; });
        if (known == limited.end())
          limited.push_back({symbol, bits});
        else
          known->second = std::min(known->second, bits);
      }
    return limited;
  }

  Value getConditions() {
    llvm::DenseSet<Value> conditions;
    Value all;
    for (const CheckedAccess &access : accesses)
      for (const poly::Clause &clause : access.condition.clauses)
        if (Value one =
                getClause(*access.reader, access.condition.space, clause);
            conditions.insert(one).second)
          all = both(all, one);
    return all;
  }

  /// Whether the loops may run so long that a search pays.
  bool isLong() const {
    auto loop = dyn_cast<affine::AffineForOp>(nest);
    return !loop || !loop.hasConstantBounds() ||
           loop.getConstantUpperBound() - loop.getConstantLowerBound() > 4096;
  }

  /// The first value of the nest's own loop for which an access is outside,
  /// where symbols are small enough for the search; else the lower bound.
  Value search(const NestChecks::Bounds &bounds, Value fits) {
    APInt step;
    if (!matchPattern(bounds.step, m_ConstantInt(&step)) ||
        !bounds.lower.getType().isIndex())
      return bounds.lower;
    std::vector<std::pair<const NestReader *, NestReader::Prefix>> prefixes;
    for (const CheckedAccess &access : accesses) {
      if (access.condition.isTrue() ||
          llvm::any_of(prefixes, [&](const auto &prefix) {
            return prefix.first == access.reader.get();
          }))
        continue;
      std::optional<NestReader::Prefix> prefix = access.reader->getPrefix();
      if (!prefix)
        return bounds.lower;
      prefixes.emplace_back(access.reader.get(), std::move(*prefix));
    }
    Value last = subtract(subtract(bounds.upper, bounds.lower), getConstant(1));
    last = b.createOrFold<arith::FloorDivSIOp>(loc, last, bounds.step);
    if (fits)
      last = arith::SelectOp::create(b, loc, fits, last, getConstant(0));
    auto getAt = [&](Value number) {
      Value distance = b.createOrFold<arith::MulIOp>(loc, number, bounds.step);
      return b.createOrFold<arith::AddIOp>(loc, distance, bounds.lower);
    };
    // One of the iterations from `low` to `high` is the first that fails.
    Value one = getConstant(1);
    auto loop = scf::WhileOp::create(
        b, loc, TypeRange{one.getType(), one.getType()},
        ValueRange{getConstant(0), last},
        [&](OpBuilder &, Location, ValueRange ends) {
          Value goesOn = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::slt, ends[0], ends[1]);
          scf::ConditionOp::create(b, loc, goesOn, ends);
        },
        [&](OpBuilder &, Location, ValueRange ends) {
          Value half =
              arith::ShRUIOp::create(b, loc, subtract(ends[1], ends[0]), one);
          Value middle = arith::AddIOp::create(b, loc, ends[0], half);
          Value next = arith::AddIOp::create(b, loc, middle, one);
          endValue = arith::AddIOp::create(b, loc, getAt(middle), one);
          Value holds;
          for (auto &[reader, prefix] : prefixes) {
            end = prefix.end;
            for (const poly::Clause &clause : prefix.condition.clauses)
              holds = both(holds,
                           getClause(*reader, prefix.condition.space, clause));
          }
          end.reset();
          if (!holds)
            holds = arith::ConstantIntOp::create(b, loc, 1, 1);
          Value low = arith::SelectOp::create(b, loc, holds, next, ends[0]);
          Value high = arith::SelectOp::create(b, loc, holds, ends[1], middle);
          scf::YieldOp::create(b, loc, ValueRange{low, high});
        });
    return getAt(loop.getResult(0));
  }

  Value subtract(Value x, Value y) {
    return b.createOrFold<arith::SubIOp>(loc, x, y);
  }

  Value get(const NestSymbol &symbol) {
    if (!symbol.isExtent() && symbol.value.getType().isIndex())
      return symbol.value;
    for (auto &[known, value] : numbers)
      if (known == symbol)
        return value;
    Value number = computeSymbol(b, loc, symbol);
    numbers.push_back({symbol, number});
    return number;
  }

  Value getConstant(int64_t value) {
    Value &constant = constants[value];
    if (!constant)
      constant = arith::ConstantIndexOp::create(b, loc, value);
    return constant;
  }

  /// One operation for equal ones, so that later stages have less to read.
  template <typename Op> Value getOnce(Value x, Value y) {
    Value &value = results[{TypeID::get<Op>(), x, y}];
    if (!value)
      value = Op::create(b, loc, x, y);
    return value;
  }
  Value isNotNegative(Value x) {
    Value &value = comparisons[x];
    if (!value)
      value = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, x,
                                    getConstant(0));
    return value;
  }

  Value isLess(const NestSymbol &symbol, int bits) {
    return isWithin(b, loc, get(symbol), bits,
                    [&](int64_t value) { return getConstant(value); });
  }

  Value getVariable(const NestReader &reader, const poly::Space &space,
                    poly::Variable variable) {
    if (variable == end)
      return endValue;
    if (const poly::Space::Quotient *quotient = space.getQuotient(variable))
      return getOnce<arith::FloorDivSIOp>(
          getForm(reader, space, quotient->numerator),
          getConstant(quotient->divisor));
    for (const auto &[known, symbol] : reader.getSymbols())
      if (known == variable)
        return get(symbol);
    llvm_unreachable("a condition is about symbols");
  }

  Value getForm(const NestReader &reader, const poly::Space &space,
                const poly::Form &form) {
    Value sum;
    for (const poly::Form::Term &term : form.getTerms()) {
      Value product;
      for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
        Value factor = getVariable(reader, space, term.monomial.getFactor(i));
        product = product ? getOnce<arith::MulIOp>(product, factor) : factor;
      }
      if (term.coefficient != 1)
        product =
            getOnce<arith::MulIOp>(product, getConstant(term.coefficient));
      sum = sum ? getOnce<arith::AddIOp>(sum, product) : product;
    }
    if (!sum || form.getConstant() == 0)
      return sum ? sum : getConstant(form.getConstant());
    return getOnce<arith::AddIOp>(sum, getConstant(form.getConstant()));
  }

  Value getClause(const NestReader &reader, const poly::Space &space,
                  const poly::Clause &clause) {
    Value any;
    for (const poly::Form &form : clause) {
      Value one = isNotNegative(getForm(reader, space, form));
      any = any ? getOnce<arith::OrIOp>(any, one) : one;
    }
    return any ? any : Value(arith::ConstantIntOp::create(b, loc, 0, 1));
  }

  Operation *nest;
  ArrayRef<CheckedAccess> accesses;
  OpBuilder b;
  Location loc;
  /// Those of symbols that are no values of type index.
  SmallVector<std::pair<NestSymbol, Value>> numbers;
  llvm::DenseMap<int64_t, Value> constants;
  llvm::DenseMap<std::tuple<TypeID, Value, Value>, Value> results;
  llvm::DenseMap<Value, Value> comparisons;
  /// In a search, the variable where the iterations end, and its value.
  std::optional<poly::Variable> end;
  Value endValue;
};

} // namespace

void legalize::markChecked(Operation *op, ArrayRef<unsigned> axes) {
  Builder b(op->getContext());
  SmallVector<int64_t> checked(axes.begin(), axes.end());
  llvm::append_range(checked, loom::getCheckedAxes(op));
  op->removeAttr(loom::kCheckedAxes);
  if (axes.empty() ||
      checked.size() == MemoryAccess::get(op).map.getNumResults())
    return op->setAttr(loom::kChecked, b.getUnitAttr());
  llvm::sort(checked);
  op->setAttr(loom::kCheckedAxes, b.getDenseI64ArrayAttr(checked));
}

Value legalize::computeInside(OpBuilder &b, Operation *nest,
                              ArrayRef<CheckedAccess> accesses) {
  return NestGuard(b, nest, accesses).compute();
}

Value legalize::both(OpBuilder &b, Location loc, Value x, Value y) {
  return x && y ? Value(arith::AndIOp::create(b, loc, x, y)) : x ? x : y;
}

Value legalize::isWithin(OpBuilder &b, Location loc, Value symbol, int bits,
                         llvm::function_ref<Value(int64_t)> getConstant) {
  Value shifted =
      arith::AddIOp::create(b, loc, symbol, getConstant(int64_t(1) << bits));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, shifted,
                               getConstant(int64_t(2) << bits));
}

Value legalize::computeSymbol(OpBuilder &b, Location loc,
                              const NestSymbol &symbol) {
  Type index = b.getIndexType();
  if (symbol.isExtent())
    return memref::DimOp::create(b, loc, symbol.value, symbol.axis);
  if (symbol.value.getType().isIndex())
    return symbol.value;
  if (symbol.value.getType().isInteger(1))
    return arith::IndexCastUIOp::create(b, loc, index, symbol.value);
  return arith::IndexCastOp::create(b, loc, index, symbol.value);
}

void legalize::insertNestGuard(OpBuilder builder, Operation *nest,
                               ArrayRef<CheckedAccess> accesses) {
  NestGuard(builder, nest, accesses).insert();
}
