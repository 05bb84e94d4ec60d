//===- VectorExtrema.cpp - maxima and minima of vectors -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/VectorExtrema.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

constexpr unsigned kVectorBits = 512;
/// _MM_FROUND_CUR_DIRECTION: the plain instruction.
constexpr unsigned kPlain = 4;
/// Of three bits the truth table of `c ? a & b : a | b`, for vpternlog.
constexpr unsigned kAndWhereSet = 0xD4;

/// Whether this is a call that is expanded. Of a constant that is no NaN LLVM
/// makes as much itself.
bool isExpanded(const IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id != Intrinsic::maximum && id != Intrinsic::minimum)
    return false;
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  return type &&
         (type->getElementType()->isFloatTy() ||
          type->getElementType()->isDoubleTy()) &&
         type->getPrimitiveSizeInBits() % kVectorBits == 0 &&
         !isa<Constant>(call.getOperand(0)) &&
         !isa<Constant>(call.getOperand(1));
}

/// The extremum of two vectors of 512 bits. In either order the instruction
/// gives the same, but for a NaN, which one of the two orders gives, and for
/// zeros of two signs. A NaN or'ed with anything is a NaN; of two zeros only
/// the signs differ: the lesser is their or, the greater their and.
Value *expandVector(IRBuilder<> &b, Value *x, Value *y, bool isMaximum) {
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

Value *expand(IntrinsicInst &call) {
  IRBuilder<> b(&call);
  auto *type = cast<FixedVectorType>(call.getType());
  int lanes = int(kVectorBits / type->getScalarSizeInBits());
  int all = int(type->getNumElements());
  SmallVector<Value *> parts;
  for (int first = 0; first < all; first += lanes) {
    auto part = [&](Value *whole) {
      return lanes == all ? whole
                          : b.CreateShuffleVector(
                                whole, createSequentialMask(first, lanes, 0));
    };
    parts.push_back(expandVector(b, part(call.getOperand(0)),
                                 part(call.getOperand(1)),
                                 call.getIntrinsicID() == Intrinsic::maximum));
  }
  return concatenateVectors(b, parts);
}

} // namespace

void broadloom::codegen::useVectorExtrema(Function &function,
                                          const TargetMachine &target) {
  if (target.getTargetTriple().getArch() != Triple::x86_64 ||
      !target.getMCSubtargetInfo()->checkFeatures("+avx512f"))
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && isExpanded(*call)) {
      call->replaceAllUsesWith(expand(*call));
      call->eraseFromParent();
    }
}
