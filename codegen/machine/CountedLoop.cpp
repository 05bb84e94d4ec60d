//===- CountedLoop.cpp - loops of machine code that count -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/CountedLoop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace broadloom::codegen;

/// What decides at the end of an iteration whether the loop goes on, in the
/// form `compared predicate bound`; without a counter.
static std::optional<std::pair<CountedLoop, Value *>>
findComparison(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() ||
      loop.contains(branch->getSuccessor(0)) ==
          loop.contains(branch->getSuccessor(1)))
    return std::nullopt;
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  CountedLoop found{branch, compare->getPredicate(), nullptr, nullptr, 0, 0};
  Value *compared = compare->getOperand(0);
  found.bound = compare->getOperand(1);
  if (!loop.isLoopInvariant(found.bound)) {
    std::swap(compared, found.bound);
    found.predicate = ICmpInst::getSwappedPredicate(found.predicate);
  }
  if (!loop.isLoopInvariant(found.bound))
    return std::nullopt;
  if (loop.contains(branch->getSuccessor(1)))
    found.predicate = ICmpInst::getInversePredicate(found.predicate);
  return std::pair(found, compared);
}

std::optional<CountedLoop> CountedLoop::find(const Loop &loop) {
  auto comparison = findComparison(loop);
  if (!comparison)
    return std::nullopt;
  auto [found, compared] = *comparison;
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *next = dyn_cast<BinaryOperator>(
        phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || (&phi != compared && next != compared) ||
        next->getOpcode() != Instruction::Add || next->getOperand(0) != &phi)
      continue;
    auto *step = dyn_cast<ConstantInt>(next->getOperand(1));
    if (!step || step->getBitWidth() > 64)
      continue;
    found.counter = &phi;
    found.step = step->getSExtValue();
    found.ahead = next == compared ? found.step : 0;
  }
  return found.counter && found.isBounded() ? std::optional(found)
                                            : std::nullopt;
}

bool CountedLoop::isBounded() const {
  unsigned bits = counter->getType()->getIntegerBitWidth();
  constexpr int64_t most = int64_t(1) << 32;
  if (step == 0 || step > most || step < -most || bits < 16 ||
      (bits < 64 && std::abs(step) * kChunk >= int64_t(1) << (bits - 1)))
    return false;
  if (predicate == ICmpInst::ICMP_NE)
    return true;
  return predicate != ICmpInst::ICMP_EQ &&
         (step > 0) == (ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate));
}

Value *CountedLoop::getDistance(IRBuilder<> &b, Value *first) const {
  return step > 0 ? b.CreateSub(bound, first) : b.CreateSub(first, bound);
}

Value *CountedLoop::isNear(IRBuilder<> &b, Value *at) const {
  uint64_t size = std::abs(step);
  bool isExact = predicate == ICmpInst::ICMP_NE;
  if (!isPowerOf2_64(size) ||
      (!isExact && (size > 1 || !ICmpInst::isStrictPredicate(predicate))))
    return nullptr;
  Value *left = getDistance(
      b, b.CreateAdd(at, ConstantInt::getSigned(at->getType(), ahead)));
  // A multiple of the step that is less than a chunk has these bits alone.
  uint64_t bits = size * (uint64_t(kChunk) - 1);
  static_assert((kChunk & (kChunk - 1)) == 0, "bits of a chunk");
  return b.CreateIsNull(
      b.CreateAnd(left, ConstantInt::getSigned(left->getType(), ~bits)));
}

Value *CountedLoop::getLimit(IRBuilder<> &b, Value *at) const {
  Type *type = at->getType();
  auto number = [&](int64_t value) {
    return ConstantInt::getSigned(type, value);
  };
  Value *first = b.CreateAdd(at, number(ahead));
  Value *left = getDistance(b, first);
  Value *isLong = b.CreateICmpUGT(left, number(std::abs(step) * kChunk));
  // Where the distance is no multiple of the step, the counter passes the bound
  // and wraps. No chunk is long enough to come back to it.
  if (predicate == ICmpInst::ICMP_NE && std::abs(step) != 1)
    isLong = b.CreateOr(
        isLong, b.CreateIsNotNull(b.CreateURem(left, number(std::abs(step)))));
  // A loop that ends at once may have a bound behind the counter.
  if (predicate != ICmpInst::ICMP_NE)
    isLong = b.CreateAnd(
        isLong,
        b.CreateICmp(ICmpInst::getStrictPredicate(predicate), first, bound));
  Value *end = b.CreateAdd(first, number(step * kChunk - getOvershoot()));
  Value *last = bound;
  // Where the counter wraps as it passes the bound, the loop goes on from the
  // other end of the numbers. So the chunk ends at the last number that the
  // counter has in front of the bound.
  if (Value *wraps = mayWrap(b)) {
    bool isStrict = ICmpInst::isStrictPredicate(predicate);
    Value *steps = b.CreateUDiv(isStrict ? b.CreateSub(left, number(1)) : left,
                                number(std::abs(step)));
    Value *reached = b.CreateAdd(first, b.CreateMul(steps, number(step)));
    Value *goesOn = b.CreateICmp(predicate, first, bound);
    last = b.CreateSelect(b.CreateAnd(wraps, goesOn),
                          b.CreateSub(reached, number(getOvershoot())), bound);
  }
  return b.CreateSelect(isLong, end, last);
}

Value *CountedLoop::mayWrap(IRBuilder<> &b) const {
  if (predicate == ICmpInst::ICMP_NE)
    return nullptr;
  int64_t most =
      std::abs(step) - (ICmpInst::isStrictPredicate(predicate) ? 1 : 0);
  if (most == 0)
    return nullptr;
  unsigned bits = bound->getType()->getIntegerBitWidth();
  bool isSigned = ICmpInst::isSigned(predicate);
  APInt end = step > 0 ? (isSigned ? APInt::getSignedMaxValue(bits)
                                   : APInt::getMaxValue(bits)) -
                             most
                       : (isSigned ? APInt::getSignedMinValue(bits)
                                   : APInt::getMinValue(bits)) +
                             most;
  return b.CreateICmp(
      ICmpInst::getStrictPredicate(ICmpInst::getSwappedPredicate(predicate)),
      bound, ConstantInt::get(bound->getType(), end));
}

int64_t CountedLoop::getOvershoot() const {
  bool isStrict =
      predicate == ICmpInst::ICMP_NE || ICmpInst::isStrictPredicate(predicate);
  return isStrict ? 0 : step;
}
