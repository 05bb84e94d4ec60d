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
    return all(value);
  }
  static Bits all(Value *value) {
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
    // A branch says that the loop has few iterations.
    std::optional<uint64_t> few = getLargest(
        from, to, [&](Value *x) { return isDistance(x, start, whole); });
    if (few && isAhead(start, from, to))
      return few;
    if (auto *constant = dyn_cast<ConstantInt>(start))
      return isAhead(start, from, to) && constant->getValue().ule(kChunk)
                 ? getLargest(from, to,
                              [&](Value *x) { return x == bound.number; })
                 : std::nullopt;
    Ends ends = withoutOffset(start);
    Bits first = Bits::get(ends.start);
    if (first.number != ends.bits.number ||
        !first.mask.isSubsetOf(ends.bits.mask))
      return std::nullopt;
    APInt rest = ends.bits.mask & ~first.mask;
    // The bits are some of the bound's, so that the bound is not in front.
    if (!mayBeZero && !isKnown(ICmpInst::ICMP_NE, start, from) &&
        !areDifferent(ends, rest, from, to))
      return std::nullopt;
    if (values.isKnownPredicateAt(
            ICmpInst::ICMP_SGE, values.getSCEV(ends.bits.number),
            values.getZero(ends.bits.number->getType()), from->getTerminator()))
      rest.clearSignBit();
    return rest.getLimitedValue();
  }

private:
  /// Where the loop begins and where it ends, which has some bits of a number.
  struct Ends {
    Value *start, *end;
    Bits bits;
  };

  bool isDistance(Value *number, Value *from, Value *to) {
    return number->getType() == to->getType() &&
           values.getSCEV(number) ==
               values.getMinusSCEV(values.getSCEV(to), values.getSCEV(from));
  }

  /// Both ends without what is added to both: a loop from `first` begins behind
  /// its vectors at `first + (n & mask)` and ends at `first + n`.
  Ends withoutOffset(Value *start) {
    auto *sum = dyn_cast<BinaryOperator>(start);
    if (sum && match(sum, m_AddLike(m_Value(), m_Value())))
      for (unsigned i : {0, 1}) {
        Value *masked = sum->getOperand(i), *offset = sum->getOperand(1 - i);
        Bits bits = Bits::get(masked);
        if (bits.number != masked && isDistance(bits.number, offset, whole))
          return {masked, bits.number, Bits::all(bits.number)};
      }
    return {start, whole, bound};
  }

  /// Whether a loop from `start` comes to its bound or ends at once.
  bool isAhead(Value *start, const BasicBlock *from, const BasicBlock *to) {
    return mayBeZero || isKnown(ICmpInst::ICMP_SLT, start, from) ||
           (match(start, m_Zero()) &&
            areDifferent({start, whole, bound}, bound.mask, from, to));
  }

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

  /// Whether a branch on the way says that the ends are not equal, or that not
  /// all of the bits `rest` are 0, in which they differ.
  bool areDifferent(const Ends &ends, const APInt &rest, const BasicBlock *from,
                    const BasicBlock *to) {
    return findBranch(
        from, to, [&](ICmpInst::Predicate holds, Value *x, Value *y) {
          if (x->getType() != whole->getType())
            return false;
          Bits bits = Bits::get(x);
          return holds == ICmpInst::ICMP_NE &&
                 ((x == ends.start && y == ends.end) ||
                  (x == ends.end && y == ends.start) ||
                  (match(y, m_Zero()) && bits.number == ends.bits.number &&
                   bits.mask.isSubsetOf(rest)));
        });
  }

  /// The largest value of a number where a branch on the way says it.
  template <typename IsNumber>
  static std::optional<uint64_t>
  getLargest(const BasicBlock *from, const BasicBlock *to, IsNumber isNumber) {
    std::optional<uint64_t> largest;
    findBranch(from, to, [&](ICmpInst::Predicate holds, Value *x, Value *y) {
      const APInt *limit;
      if (!match(y, m_APInt(limit)) || !ICmpInst::isUnsigned(holds) ||
          !isNumber(x))
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
