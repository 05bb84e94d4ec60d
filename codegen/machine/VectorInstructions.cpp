//===- VectorInstructions.cpp - what LLVM expands at length ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/VectorInstructions.h"
#include "codegen/target/CodeTarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Target/TargetMachine.h"

#include <cmath>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned kVectorBits = 512;
/// _MM_FROUND_CUR_DIRECTION: the plain instruction.
constexpr unsigned kPlain = 4;
/// The truth table of `c ? a & b : a | b` for vpternlog.
constexpr unsigned kAndWhereSet = 0xD4;

/// Whether `call` is an extremum that LLVM does not already compile to fast
/// code. It does so if an operand is a constant other than NaN.
bool isExtremum(const IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id != Intrinsic::maximum && id != Intrinsic::minimum)
    return false;
  Type *element = call.getType()->getScalarType();
  return (element->isFloatTy() || element->isDoubleTy()) &&
         !isa<Constant>(call.getOperand(0)) &&
         !isa<Constant>(call.getOperand(1));
}

/// A multiple k of 2^-digits as y = k + shift, where y and shift are floats of
/// the same exponent, so that the difference of their bits is 2^digits k.
struct Rounded {
  Value *y;
  float shift;
};

/// The k for a `call` that computes x 2^floor(k).
std::optional<Rounded> getRoundedExponent(const IntrinsicInst &call) {
  if (call.getIntrinsicID() != Intrinsic::ldexp ||
      !call.getType()->getScalarType()->isFloatTy())
    return std::nullopt;
  Value *exponent = call.getOperand(1), *unshifted, *y;
  uint64_t digits = 0;
  const APInt *difference;
  if (match(exponent, m_AShr(m_Value(unshifted), m_ConstantInt(digits))))
    exponent = unshifted;
  else
    digits = 0;
  // 1.5 times the power of two whose last bit is at 2^-digits.
  float shift = std::ldexp(1.5f, 23 - int(std::min<uint64_t>(digits, 23)));
  if (!match(exponent, m_c_Add(m_BitCast(m_Value(y)), m_APInt(difference))) ||
      *difference != -APFloat(shift).bitcastToAPInt() ||
      y->getType() != call.getType())
    return std::nullopt;
  return Rounded{y, shift};
}

/// The extremum of two vectors of 512 bits. The instruction gives the same
/// result for both orders of its operands, except for a NaN, which only one of
/// the orders gives, and for zeros of different signs. The bitwise or of a NaN
/// and any number is a NaN. Of two zeros, the lesser is their or, the greater
/// their and.
Value *expandExtremum(IRBuilder<> &b, Value *x, Value *y, bool isMaximum) {
  auto *type = cast<FixedVectorType>(x->getType());
  bool isFloat = type->getElementType()->isFloatTy();
  Intrinsic::ID plain = isMaximum ? (isFloat ? Intrinsic::x86_avx512_max_ps_512
                                             : Intrinsic::x86_avx512_max_pd_512)
                        : isFloat ? Intrinsic::x86_avx512_min_ps_512
                                  : Intrinsic::x86_avx512_min_pd_512;
  auto *bits = VectorType::getInteger(type);
  auto inOrder = [&](Value *first, Value *second) {
    Value *result =
        b.CreateIntrinsic(plain, {first, second, b.getInt32(kPlain)});
    return b.CreateBitCast(result, bits);
  };
  Value *one = inOrder(x, y), *other = inOrder(y, x);
  if (!isMaximum)
    return b.CreateBitCast(b.CreateOr(one, other), type);
  Value *signs =
      ConstantInt::get(bits, APInt::getSignMask(type->getScalarSizeInBits()));
  Value *both =
      b.CreateIntrinsic(isFloat ? Intrinsic::x86_avx512_pternlog_d_512
                                : Intrinsic::x86_avx512_pternlog_q_512,
                        {one, other, signs, b.getInt32(kAndWhereSet)});
  return b.CreateBitCast(both, type);
}

/// The instruction rounds its exponent down itself.
Value *scaleVector(IRBuilder<> &b, Value *x, Value *y, float shift) {
  // In the form that InstCombine produces, so that it is computed once.
  Value *exponent = b.CreateFAdd(y, ConstantFP::get(x->getType(), -shift));
  return b.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512,
                           {x, exponent, PoisonValue::get(x->getType()),
                            ConstantInt::getAllOnesValue(b.getInt16Ty()),
                            b.getInt32(kPlain)});
}

using MakeVector = function_ref<Value *(IRBuilder<> &, Value *, Value *)>;

/// Calls `make` for parts of `x` and `y` that are vectors of the machine.
Value *expandParts(Instruction &at, Value *x, Value *y, MakeVector make) {
  IRBuilder<> b(&at);
  auto *type = cast<FixedVectorType>(x->getType());
  int lanes = int(kVectorBits / type->getScalarSizeInBits());
  int all = int(type->getNumElements());
  SmallVector<Value *> parts;
  for (int first = 0; first < all; first += lanes) {
    auto part = [&](Value *whole) {
      return lanes == all ? whole
                          : b.CreateShuffleVector(
                                whole, createSequentialMask(first, lanes, 0));
    };
    parts.push_back(make(b, part(x), part(y)));
  }
  return concatenateVectors(b, parts);
}

/// The replacement of `call`; null if it stays.
Value *expand(IntrinsicInst &call) {
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  if (!type || type->getPrimitiveSizeInBits() % kVectorBits != 0)
    return nullptr;
  if (isExtremum(call)) {
    bool isMaximum = call.getIntrinsicID() == Intrinsic::maximum;
    return expandParts(call, call.getOperand(0), call.getOperand(1),
                       [&](IRBuilder<> &b, Value *x, Value *y) {
                         return expandExtremum(b, x, y, isMaximum);
                       });
  }
  if (std::optional<Rounded> rounded = getRoundedExponent(call))
    return expandParts(call, call.getOperand(0), rounded->y,
                       [&](IRBuilder<> &b, Value *x, Value *y) {
                         return scaleVector(b, x, y, rounded->shift);
                       });
  return nullptr;
}

} // namespace

void broadloom::codegen::useVectorInstructions(Function &function,
                                               const TargetMachine &target) {
  if (!hasWideVectors(target))
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (Value *expanded = expand(*call)) {
        call->replaceAllUsesWith(expanded);
        call->eraseFromParent();
      }
}
