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
  /// Without `mayBeZero`, the distance must be known not to be 0.
  Distance(Value *bound, bool mayBeZero, ScalarEvolution &values)
      : whole(bound), bound(Bits::get(bound)), mayBeZero(mayBeZero),
        values(values) {}

  /// How far behind `start` the bound is at most, on the way from one block to
  /// another; nothing if that is not known, or if the bound may lie in front of
  /// `start` and a loop would not end at once then.
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
    if (auto *constant = dyn_cast<ConstantInt>(start)) {
      // The increment of a small number does not wrap.
      bool isAhead =
          mayBeZero || isKnown(ICmpInst::ICMP_SLT, start, from) ||
          (constant->isZero() && areDifferent(start, bound.mask, from, to));
      return isAhead && constant->getValue().ule(kChunk) ? getLargest(from, to)
                                                         : std::nullopt;
    }
    Bits first = Bits::get(start);
    if (first.number != bound.number || !first.mask.isSubsetOf(bound.mask))
      return std::nullopt;
    APInt rest = bound.mask & ~first.mask;
    // The bits are some of the bound's, so that the bound is not in front.
    if (!mayBeZero && !isKnown(ICmpInst::ICMP_NE, start, from) &&
        !areDifferent(start, rest, from, to))
      return std::nullopt;
    if (values.isKnownPredicateAt(
            ICmpInst::ICMP_SGE, values.getSCEV(bound.number),
            values.getZero(bound.number->getType()), from->getTerminator()))
      rest.clearSignBit();
    return rest.getLimitedValue();
  }

private:
  /// Whether `start` has the relation to the bound at the end of the block.
  bool isKnown(ICmpInst::Predicate predicate, Value *start,
               const BasicBlock *at) {
    return values.isKnownPredicateAt(predicate, values.getSCEV(start),
                                     values.getSCEV(whole),
                                     at->getTerminator());
  }

  /// Looks for a comparison that holds on the way from one block to another:
  /// the first for which `accept` of its relation and operands is true.
  template <typename Accept>
  static bool findBranch(const BasicBlock *from, const BasicBlock *to,
                         Accept accept) {
    constexpr unsigned kMostBlocks = 4;
    for (unsigned i = 0; from && i < kMostBlocks; ++i) {
      auto *branch = dyn_cast<BranchInst>(from->getTerminator());
      auto *compare = branch && branch->isConditional()
                          ? dyn_cast<ICmpInst>(branch->getCondition())
                          : nullptr;
      if (compare && branch->getSuccessor(0) != branch->getSuccessor(1) &&
          accept(branch->getSuccessor(0) == to ? compare->getPredicate()
                                               : compare->getInversePredicate(),
                 compare->getOperand(0), compare->getOperand(1)))
        return true;
      to = from;
      from = from->getSinglePredecessor();
    }
    return false;
  }

  /// Whether a branch on the way says that `start` is not the bound, or that
  /// not all of the bits `rest` are 0, in which they differ.
  bool areDifferent(Value *start, const APInt &rest, const BasicBlock *from,
                    const BasicBlock *to) {
    return findBranch(
        from, to, [&](ICmpInst::Predicate holds, Value *x, Value *y) {
          if (x->getType() != whole->getType())
            return false;
          Bits bits = Bits::get(x);
          return holds == ICmpInst::ICMP_NE &&
                 ((x == start && y == whole) || (x == whole && y == start) ||
                  (match(y, m_Zero()) && bits.number == bound.number &&
                   bits.mask.isSubsetOf(rest)));
        });
  }

  /// The largest value of the bound where a branch on the way says it.
  std::optional<uint64_t> getLargest(const BasicBlock *from,
                                     const BasicBlock *to) {
    std::optional<uint64_t> largest;
    findBranch(from, to, [&](ICmpInst::Predicate holds, Value *x, Value *y) {
      const APInt *limit;
      if (x != bound.number || !match(y, m_APInt(limit)) ||
          !ICmpInst::isUnsigned(holds))
        return false;
      ConstantRange range = ConstantRange::makeExactICmpRegion(holds, *limit);
      if (!range.isFullSet())
        largest = range.getUnsignedMax().getLimitedValue();
      return largest.has_value();
    });
    return largest;
  }

  Value *whole;
  Bits bound;
  bool mayBeZero;
  ScalarEvolution &values;
};

} // namespace

uint64_t broadloom::codegen::getMostOfRest(const Loop &loop,
                                           ScalarEvolution &values) {
  std::optional<CountedLoop> counted = CountedLoop::find(loop);
  const BasicBlock *before = loop.getLoopPredecessor();
  // With a larger step, or `<=`, the counter may pass the largest number.
  if (!counted || !before || counted->step != 1 || counted->getOvershoot() != 0)
    return 0;
  std::optional<uint64_t> most =
      Distance(counted->bound, counted->predicate != ICmpInst::ICMP_NE, values)
          .getMost(counted->counter->getIncomingValueForBlock(before), before,
                   loop.getHeader());
  return most && *most < uint64_t(kChunk) ? *most + 1 : 0;
}
