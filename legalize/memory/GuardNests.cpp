//===- GuardNests.cpp - one guard in front of a loop nest -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In front of the nest stands the exact condition under which all accesses are
// inside. Where it does not hold, or where a number is too large for it, the
// nest runs once with its checks alone, in the program's order: the first
// failing iteration is told, and nothing has been written. So the condition
// decides only how fast a check is, and never whether there is one.
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "infer/report/CollectedReport.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/NestReader.h"
#include "legalize/memory/NestReport.h"
#include "poly/Inside.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMGUARDNESTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

/// The accesses that are checked in front of one loop.
class NestGuard {
public:
  NestGuard(affine::AffineForOp nest, ArrayRef<CheckedAccess> accesses,
            int bits)
      : nest(nest), accesses(accesses), bits(bits), b(nest),
        loc(nest.getLoc()) {}

  void insert() {
    for (const CheckedAccess &access : accesses) {
      for (const auto &[variable, symbol] : access.reader->symbols)
        if (access.reader->isLimited(symbol))
          limit(symbol);
      for (const poly::Clause &clause : access.condition.clauses)
        add(getClause(access, clause));
    }
    for (const CheckedAccess &access : accesses)
      access.op->setAttr(loom::kChecked, b.getUnitAttr());
    if (!holds)
      return;
    Value one = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value fails = arith::XOrIOp::create(b, loc, holds, one);
    auto branch = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
    branch->setAttr(loom::kFindsFailure, b.getUnitAttr());
    b.setInsertionPointToStart(branch.thenBlock());
    for (const CheckedAccess &access : accesses)
      for (Operation *op = access.op; op != nest; op = op->getParentOp())
        needed.insert(op);
    repeat(nest);
  }

private:
  Value get(const NestSymbol &symbol) {
    if (!symbol.isExtent())
      return symbol.value;
    for (auto &[known, value] : extents)
      if (known == symbol)
        return value;
    Value extent = memref::DimOp::create(b, loc, symbol.value, symbol.axis);
    extents.push_back({symbol, extent});
    return extent;
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

  void add(Value condition) {
    if (!conditions.insert(condition).second)
      return;
    holds = holds ? Value(arith::AndIOp::create(b, loc, holds, condition))
                  : condition;
  }

  /// Requires that the symbol is less than 2 to the power of `bits`, of either
  /// sign.
  void limit(const NestSymbol &symbol) {
    if (llvm::is_contained(limited, symbol))
      return;
    limited.push_back(symbol);
    Value shifted = arith::AddIOp::create(b, loc, get(symbol),
                                          getConstant(int64_t(1) << bits));
    add(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, shifted,
                              getConstant(int64_t(2) << bits)));
  }

  Value getVariable(const CheckedAccess &access, poly::Variable variable) {
    const poly::Space &space = access.condition.space;
    if (const poly::Space::Quotient *quotient = space.getQuotient(variable))
      return getOnce<arith::FloorDivSIOp>(getForm(access, quotient->numerator),
                                          getConstant(quotient->divisor));
    for (const auto &[known, symbol] : access.reader->symbols)
      if (known == variable)
        return get(symbol);
    llvm_unreachable("a condition is about symbols");
  }

  Value getForm(const CheckedAccess &access, const poly::Form &form) {
    Value sum;
    for (const poly::Form::Term &term : form.getTerms()) {
      Value product;
      for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
        Value factor = getVariable(access, term.monomial.getFactor(i));
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

  Value getClause(const CheckedAccess &access, const poly::Clause &clause) {
    Value any;
    for (const poly::Form &form : clause) {
      Value one = isNotNegative(getForm(access, form));
      any = any ? getOnce<arith::OrIOp>(any, one) : one;
    }
    return any ? any : Value(arith::ConstantIntOp::create(b, loc, 0, 1));
  }

  /// The value that `value` has in the loops with checks alone.
  Value map(Value value) {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    Operation *op = value.getDefiningOp();
    if (!op || !nest->isAncestor(op))
      return value;
    // What an access's map has among its operands but does not use, nobody has
    // read.
    if (!isa<affine::AffineApplyOp>(op) && !matchPattern(op, m_Constant()))
      return arith::ConstantIndexOp::create(b, loc, 0);
    for (Value operand : op->getOperands())
      if (Value mapped = map(operand); mapped != operand)
        mapping.map(operand, mapped);
    made.push_back(value);
    return b.clone(*op, mapping)->getResult(0);
  }
  SmallVector<Value> mapAll(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value it) { return map(it); });
  }

  void repeat(affine::AffineForOp loop) {
    auto made = affine::AffineForOp::create(
        b, loop.getLoc(), mapAll(loop.getLowerBoundOperands()),
        loop.getLowerBoundMap(), mapAll(loop.getUpperBoundOperands()),
        loop.getUpperBoundMap(), loop.getStepAsInt());
    mapping.map(loop.getInductionVar(), made.getInductionVar());
    repeatBlock(*loop.getBody(), *made.getBody());
  }

  void repeat(affine::AffineIfOp branch) {
    bool hasElse = branch.hasElse() &&
                   llvm::any_of(*branch.getElseBlock(), [&](Operation &op) {
                     return needed.contains(&op);
                   });
    auto made = affine::AffineIfOp::create(
        b, branch.getLoc(), TypeRange(), branch.getIntegerSet(),
        mapAll(branch->getOperands()), hasElse);
    repeatBlock(*branch.getThenBlock(), *made.getThenBlock());
    if (hasElse)
      repeatBlock(*branch.getElseBlock(), *made.getElseBlock());
  }

  void repeatBlock(Block &from, Block &to) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&to);
    size_t numBefore = made.size();
    SmallVector<AffineAccess> repeated;
    for (Operation &op : from) {
      if (!needed.contains(&op))
        continue;
      if (auto loop = dyn_cast<affine::AffineForOp>(op))
        repeat(loop);
      else if (auto branch = dyn_cast<affine::AffineIfOp>(op))
        repeat(branch);
      else if (AffineAccess access = AffineAccess::get(&op);
               !llvm::is_contained(repeated, access))
        repeat(&op, repeated.emplace_back(access));
    }
    // Another block needs numbers of its own.
    for (; made.size() > numBefore; made.pop_back())
      mapping.erase(made.back());
  }

  void repeat(Operation *op, const AffineAccess &access) {
    auto made = affine::AffineLoadOp::create(
        b, op->getLoc(), access.memory, access.map, mapAll(access.operands));
    infer::takeOrigin(made, op);
    made->setAttr(loom::kCheckOnly, b.getUnitAttr());
  }

  affine::AffineForOp nest;
  ArrayRef<CheckedAccess> accesses;
  int bits;
  OpBuilder b;
  Location loc;
  /// Null where nothing is left to be checked.
  Value holds;
  SmallVector<std::pair<NestSymbol, Value>> extents;
  llvm::DenseMap<int64_t, Value> constants;
  llvm::DenseMap<std::tuple<TypeID, Value, Value>, Value> results;
  llvm::DenseMap<Value, Value> comparisons;
  llvm::DenseSet<Value> conditions;
  SmallVector<NestSymbol> limited;
  llvm::DenseSet<Operation *> needed;
  IRMapping mapping;
  /// Values with numbers of their own in the block that is made.
  SmallVector<Value> made;
};

class NestFinder {
public:
  explicit NestFinder(func::FuncOp func) {
    func.walk([&](Operation *op) {
      if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op))
        find(op);
    });
  }

  void insert() {
    for (auto &[key, accesses] : nests)
      NestGuard(cast<affine::AffineForOp>(key.first), accesses,
                getSizes(key.second).bits)
          .insert();
  }

  void report(infer::GuardReport &report) {
    for (auto &[key, accesses] : nests)
      reportNest(cast<affine::AffineForOp>(key.first), accesses, report);
    for (auto &[op, because] : alone)
      reportAlone(op, because, report);
  }

private:
  /// The limits of symbols, from the widest on.
  static constexpr unsigned kNumSizes = 3;
  static NestReader::Sizes getSizes(unsigned number) {
    static constexpr NestReader::Sizes sizes[kNumSizes] = {
        {40, false}, {29, true}, {19, true}};
    return sizes[number];
  }

  /// Takes the outermost loop in front of which the access can be checked.
  void find(Operation *op) {
    if (op->getBlock() != block)
      inBlock.clear();
    block = op->getBlock();
    AffineAccess access = AffineAccess::get(op);
    for (auto &[before, found] : inBlock)
      if (before == access)
        return add(op, found);
    SmallVector<affine::AffineForOp> loops;
    for (Operation *parent = op->getParentOp();
         isa<affine::AffineForOp, affine::AffineIfOp>(parent);
         parent = parent->getParentOp())
      if (auto loop = dyn_cast<affine::AffineForOp>(parent))
        loops.push_back(loop);
    Found found;
    for (affine::AffineForOp loop : llvm::reverse(loops))
      for (unsigned number = 0; number < kNumSizes && !found.reader; ++number)
        found = tryLoop(loop, number, op);
    add(op, found);
    inBlock.emplace_back(access, std::move(found));
  }

  /// Where an access can be checked; without a reader, why it cannot be.
  struct Found {
    std::pair<Operation *, unsigned> nest;
    std::shared_ptr<NestReader> reader;
    poly::Condition condition;
    std::string because = "a bound or a subscript is not affine in numbers "
                          "that are known in front of a loop";
  };

  Found tryLoop(affine::AffineForOp loop, unsigned number, Operation *op) {
    Found found;
    auto reader = std::make_shared<NestReader>(loop, getSizes(number));
    if (!reader->read(op))
      return found;
    poly::Inside inside = poly::whenInside(reader->domain, reader->access);
    if (!inside.condition) {
      found.because = poly::describe(inside.limit);
      return found;
    }
    for (const poly::Clause &clause : inside.condition->clauses)
      for (const poly::Form &form : clause)
        if (!reader->fits(form, inside.condition->space)) {
          found.because = "numbers of its condition may be too large";
          return found;
        }
    return {{loop, number}, std::move(reader), std::move(*inside.condition)};
  }

  void add(Operation *op, const Found &found) {
    if (found.reader)
      nests[found.nest].push_back({op, found.reader, found.condition});
    else if (op->getParentOfType<affine::AffineForOp>())
      alone.push_back({op, found.because});
  }

  llvm::MapVector<std::pair<Operation *, unsigned>, std::vector<CheckedAccess>>
      nests;
  /// Accesses in loops that have no condition in front of one, and why.
  std::vector<std::pair<Operation *, std::string>> alone;
  /// The block that was looked at last, and its accesses.
  Block *block = nullptr;
  std::vector<std::pair<AffineAccess, Found>> inBlock;
};

struct LoomGuardNestsPass
    : legalize::impl::LoomGuardNestsBase<LoomGuardNestsPass> {
  LogicalResult apply(ModuleOp module) override {
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func)) {
        NestFinder finder(func);
        if (report)
          finder.report(*report);
        else
          finder.insert();
      }
    return success();
  }
};

} // namespace
