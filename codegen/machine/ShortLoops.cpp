//===- ShortLoops.cpp - loops of few iterations ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ShortLoops.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace broadloom;

namespace {

/// Some bits of a value; all of them where it is no such choice.
struct Masked {
  const Value *whole;
  APInt mask;

  explicit Masked(const Value *value)
      : whole(value),
        mask(APInt::getAllOnes(value->getType()->getIntegerBitWidth())) {
    const Value *operand;
    const APInt *bits;
    if (PatternMatch::match(value,
                            PatternMatch::m_And(PatternMatch::m_Value(operand),
                                                PatternMatch::m_APInt(bits)))) {
      whole = operand;
      mask = *bits;
    }
  }
};

class Distance {
public:
  Distance(const Value *bound, APInt most, const DataLayout &layout)
      : bound(bound), most(std::move(most)), layout(layout) {}

  /// Whether the bound is at least `from`, and at most so much more.
  bool isShortFrom(const Value *from) const {
    Masked end(bound), begin(from);
    if (end.whole == begin.whole && begin.mask.isSubsetOf(end.mask))
      return (end.mask ^ begin.mask).ule(most);
    if (PatternMatch::match(from, PatternMatch::m_Zero()))
      return computeKnownBits(bound, layout).getMaxValue().ule(most);
    auto *phi = dyn_cast<PHINode>(from);
    return phi && all_of(phi->blocks(), [&](const BasicBlock *block) {
             return isShortFrom(*phi, block);
           });
  }

private:
  /// The same where `phi` is reached from `block`. Other phis are not followed,
  /// so that this ends.
  bool isShortFrom(const PHINode &phi, const BasicBlock *block) const {
    const Value *from = phi.getIncomingValueForBlock(block);
    if (isa<PHINode>(from))
      return false;
    if (isShortFrom(from))
      return true;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!PatternMatch::match(from, PatternMatch::m_Zero()) || !branch ||
        !branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return false;
    // The bound is at most the value of which it has some bits.
    CmpPredicate predicate;
    const APInt *limit;
    if (!PatternMatch::match(
            branch->getCondition(),
            PatternMatch::m_ICmp(predicate,
                                 PatternMatch::m_Specific(Masked(bound).whole),
                                 PatternMatch::m_APInt(limit))))
      return false;
    CmpInst::Predicate holds = branch->getSuccessor(0) == phi.getParent()
                                   ? CmpInst::Predicate(predicate)
                                   : CmpInst::getInversePredicate(predicate);
    return ConstantRange::makeExactICmpRegion(holds, *limit)
        .getUnsignedMax()
        .ule(most);
  }

  const Value *bound;
  const APInt most;
  const DataLayout &layout;
};

} // namespace

bool codegen::meetsSoon(const Value *first, const Value *bound, int64_t step,
                        int64_t steps) {
  auto *instruction = dyn_cast<Instruction>(bound);
  if (!instruction)
    instruction = dyn_cast<Instruction>(first);
  unsigned bits = bound->getType()->getIntegerBitWidth();
  if (!instruction || step <= 0 || bits > 64 ||
      APInt(64, uint64_t(step) * uint64_t(steps)).getActiveBits() >= bits)
    return false;
  const DataLayout &layout = instruction->getModule()->getDataLayout();
  // Steps do not jump over the bound.
  if (!isPowerOf2_64(uint64_t(step)))
    return false;
  unsigned zeros = Log2_64(uint64_t(step));
  for (const Value *value : {first, bound})
    if (computeKnownBits(value, layout).countMinTrailingZeros() < zeros)
      return false;
  return Distance(bound, APInt(bits, uint64_t(step) * uint64_t(steps)), layout)
      .isShortFrom(first);
}
