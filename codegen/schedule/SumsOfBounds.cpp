//===- SumsOfBounds.cpp - sums of edits behind one another ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each edit computes the number that a loop's body sees of the one of the edit
// before. Sums of sums would become deeper than NestNumbers reads: so equal
// parts cancel, as those of a loop that is reversed twice.
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// A sum of products of a value and a factor, and of a constant, which all wrap
/// as the operations do.
class Sum {
public:
  void add(Value value, uint64_t factor, unsigned depth = 0) {
    constexpr unsigned kMostDepth = 8;
    if (std::optional<int64_t> number = getConstantIntValue(value)) {
      constant += factor * uint64_t(*number);
      ++numParts;
      return;
    }
    Operation *op = value.getDefiningOp();
    if (op && op->hasAttr(loom::kOfBounds) && depth < kMostDepth) {
      if (isa<arith::AddIOp, arith::SubIOp>(op)) {
        add(op->getOperand(0), factor, depth + 1);
        add(op->getOperand(1), isa<arith::AddIOp>(op) ? factor : 0 - factor,
            depth + 1);
        return;
      }
      std::optional<int64_t> by = isa<arith::MulIOp>(op)
                                      ? getConstantIntValue(op->getOperand(1))
                                      : std::nullopt;
      if (by)
        return add(op->getOperand(0), factor * uint64_t(*by), depth + 1);
    }
    ++numParts;
    auto *it = llvm::find_if(
        terms, [&](const auto &term) { return areSame(term.first, value); });
    if (it == terms.end())
      terms.push_back({value, factor});
    else
      it->second += factor;
  }

  /// Whether parts have joined.
  bool isShorter() {
    llvm::erase_if(terms, [](const auto &term) { return term.second == 0; });
    return terms.size() + (constant != 0) < numParts;
  }

  Value compute(RewriterBase &b, Location loc) const {
    auto getNumber = [&](uint64_t number) -> Value {
      return arith::ConstantIndexOp::create(b, loc, int64_t(number));
    };
    Value sum = constant == 0 && !terms.empty() ? Value() : getNumber(constant);
    for (auto [value, factor] : terms) {
      if (factor == uint64_t(-1) && sum) {
        sum = makeOfBounds<arith::SubIOp>(b, loc, sum, value);
        continue;
      }
      Value product = value;
      if (factor != 1)
        product = makeOfBounds<arith::MulIOp>(b, loc, value, getNumber(factor));
      sum = sum ? makeOfBounds<arith::AddIOp>(b, loc, sum, product) : product;
    }
    return sum;
  }

private:
  SmallVector<std::pair<Value, uint64_t>> terms;
  uint64_t constant = 0;
  size_t numParts = 0;
};

} // namespace

Value LoopEdit::joinParts(Value value) {
  Sum sum;
  sum.add(value, 1);
  if (!sum.isShorter())
    return value;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(value.getDefiningOp());
  return sum.compute(b, value.getLoc());
}

void LoopEdit::replaceVariable(scf::ForOp loop, Value number) {
  Operation *op = number.getDefiningOp();
  b.replaceAllUsesExcept(loop.getInductionVar(), number, op);
  llvm::SmallSetVector<Operation *, 8> users(op->user_begin(), op->user_end());
  for (Operation *user : users)
    if (isa<arith::AddIOp, arith::SubIOp>(user) &&
        user->hasAttr(loom::kOfBounds))
      if (Value joined = joinParts(user->getResult(0));
          joined != user->getResult(0))
        b.replaceOp(user, joined);
}
