//===- RestOfLoop.cpp - iterations behind the vectors of a loop -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/RestOfLoop.h"

#include "codegen/machine/CountedLoop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace broadloom::codegen;

namespace {

/// Some bits of a number.
struct Bits {
  Value *number;
  APInt mask;

  static Bits get(Value *value) {
    Value *number;
    const APInt *mask;
    if (match(value, m_And(m_Value(number), m_APInt(mask))))
      return {number, *mask};
    return {value, APInt::getAllOnes(value->getType()->getIntegerBitWidth())};
  }
};

class Distance {
public:
  Distance(Value *bound, ScalarEvolution &values)
      : bound(Bits::get(bound)), values(values) {}

  /// How far behind `start` the bound is at most, on the way from one block to
  /// another; nothing if that is not known.
  std::optional<uint64_t> getMost(Value *start, const BasicBlock *from,
                                  const BasicBlock *to, unsigned depth = 0) {
    constexpr unsigned kMostDepth = 4;
    auto *phi = dyn_cast<PHINode>(start);
    if (phi && phi->getParent() == from && depth < kMostDepth) {
      uint64_t most = 0;
      for (auto [value, block] :
           zip_equal(phi->incoming_values(), phi->blocks())) {
        std::optional<uint64_t> one = getMost(value, block, from, depth + 1);
        if (!one)
          return std::nullopt;
        most = std::max(most, *one);
      }
      return most;
    }
    if (auto *constant = dyn_cast<ConstantInt>(start);
        constant && !constant->isNegative())
      return getLargest(from, to);
    Bits first = Bits::get(start);
    if (first.number != bound.number || !first.mask.isSubsetOf(bound.mask))
      return std::nullopt;
    APInt rest = bound.mask & ~first.mask;
    if (values.isKnownPredicateAt(
            ICmpInst::ICMP_SGE, values.getSCEV(bound.number),
            values.getZero(bound.number->getType()), from->getTerminator()))
      rest.clearSignBit();
    return rest.getLimitedValue();
  }

private:
  /// The largest value of the bound where a branch on the way says it.
  std::optional<uint64_t> getLargest(const BasicBlock *from,
                                     const BasicBlock *to) {
    constexpr unsigned kMostBlocks = 4;
    for (unsigned i = 0; from && i < kMostBlocks; ++i) {
      auto *branch = dyn_cast<BranchInst>(from->getTerminator());
      CmpPredicate predicate;
      const APInt *limit;
      if (branch && branch->isConditional() &&
          branch->getSuccessor(0) != branch->getSuccessor(1) &&
          match(branch->getCondition(),
                m_ICmp(predicate, m_Specific(bound.number), m_APInt(limit)))) {
        ICmpInst::Predicate holds =
            branch->getSuccessor(0) == to
                ? ICmpInst::Predicate(predicate)
                : ICmpInst::getInversePredicate(ICmpInst::Predicate(predicate));
        ConstantRange range = ConstantRange::makeExactICmpRegion(holds, *limit);
        if (ICmpInst::isUnsigned(holds) && !range.isFullSet())
          return range.getUnsignedMax().getLimitedValue();
      }
      to = from;
      from = from->getSinglePredecessor();
    }
    return std::nullopt;
  }

  Bits bound;
  ScalarEvolution &values;
};

} // namespace

uint64_t broadloom::codegen::getMostOfRest(const Loop &loop,
                                           ScalarEvolution &values) {
  std::optional<CountedLoop> counted = CountedLoop::find(loop);
  const BasicBlock *before = loop.getLoopPredecessor();
  if (!counted || !before || counted->step <= 0)
    return 0;
  std::optional<uint64_t> most =
      Distance(counted->bound, values)
          .getMost(counted->counter->getIncomingValueForBlock(before), before,
                   loop.getHeader());
  return most && *most < uint64_t(kChunk) ? *most / counted->step + 1 : 0;
}
