//===- RareCases.cpp - where inline arithmetic does not hold --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/RareCases.h"
#include "scalar/VectorVersions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace broadloom::scalar;

static constexpr StringLiteral kRarePrefix = "loom_rare_";
/// The prefix of functions that are not inlined.
static constexpr StringLiteral kCasesPrefix = "loom_cases_";

std::string broadloom::scalar::getRareCaseName(StringRef function) {
  return (kRarePrefix + function).str();
}

namespace {

/// Writes the bodies, for scalars or vectors.
class Writer {
public:
  Writer(Function &function, StringRef name)
      : function(function), name(name), context(function.getContext()),
        b(BasicBlock::Create(context, "", &function)),
        type(function.getReturnType()),
        operands(llvm::make_pointer_range(function.args())) {
    result = operands.pop_back_val();
  }

  void writeTest();
  void writeCases();

private:
  Value *asBits(Value *x) {
    return b.CreateBitCast(x, type->getWithNewType(b.getInt32Ty()));
  }
  /// Whether x is positive and neither subnormal, infinite nor NaN.
  Value *isNormal(Value *x) {
    constexpr uint32_t least = 0x00800000, infinity = 0x7F800000;
    Value *bits = asBits(x);
    return b.CreateICmpULT(
        b.CreateSub(bits, ConstantInt::get(bits->getType(), least)),
        ConstantInt::get(bits->getType(), infinity - least));
  }
  Value *isRare();
  Value *isRarePower(Value *base);
  Value *powerOfNegative();
  void callLibrary(Value *rare);
  Function &getCases();

  Function &function;
  StringRef name;
  LLVMContext &context;
  IRBuilder<> b;
  Type *type;
  SmallVector<Value *> operands;
  Value *result;
};

} // namespace

Value *Writer::isRarePower(Value *base) {
  return b.CreateNot(b.CreateAnd(isNormal(base), isNormal(result)));
}

Value *Writer::isRare() {
  if (name == "pow")
    return isRarePower(operands[0]);
  return b.CreateFCmpUGE(b.CreateUnaryIntrinsic(Intrinsic::fabs, operands[0]),
                         ConstantFP::get(type, kLeastLibraryAngle));
}

/// The function for rare cases, which has all long code.
Function &Writer::getCases() {
  Module &module = *function.getParent();
  std::string symbol =
      (kCasesPrefix + function.getName().drop_front(kRarePrefix.size())).str();
  auto callee = module.getOrInsertFunction(symbol, function.getFunctionType());
  auto &cases = *cast<Function>(callee.getCallee());
  if (cases.isDeclaration()) {
    makeLocal(cases);
    for (auto small :
         {Attribute::Cold, Attribute::MinSize, Attribute::OptimizeForSize})
      cases.addFnAttr(small);
    Writer(cases, name).writeCases();
  }
  return cases;
}

void Writer::writeTest() {
  Value *rare = isRare();
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Type *all = b.getIntNTy(vector->getNumElements());
    rare = b.CreateICmpNE(b.CreateBitCast(rare, all), ConstantInt::get(all, 0));
  }
  BasicBlock *entry = b.GetInsertBlock();
  auto *cases = BasicBlock::Create(context, "", &function);
  auto *end = BasicBlock::Create(context, "", &function);
  b.CreateCondBr(rare, cases, end,
                 MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(cases);
  SmallVector<Value *> all = operands;
  all.push_back(result);
  Value *value = b.CreateCall(&getCases(), all);
  b.CreateBr(end);
  b.SetInsertPoint(end);
  PHINode *either = b.CreatePHI(type, 2);
  either->addIncoming(result, entry);
  either->addIncoming(value, cases);
  b.CreateRet(either);
}

/// The power of negative normal x, where |x|^y is `result`: negative if y is an
/// odd integer, NaN if y is not an integer. Other elements stay.
Value *Writer::powerOfNegative() {
  Value *x = operands[0], *y = operands[1];
  auto isInteger = [&](Value *v) {
    return b.CreateFCmpOEQ(v, b.CreateUnaryIntrinsic(Intrinsic::trunc, v));
  };
  Value *isOdd =
      b.CreateNot(isInteger(b.CreateFMul(y, ConstantFP::get(type, 0.5))));
  Value *power = b.CreateSelect(isOdd, b.CreateFNeg(result), result);
  power = b.CreateSelect(isInteger(y), power, ConstantFP::getNaN(type));
  Value *isNegative = b.CreateAnd(isNormal(b.CreateFNeg(x)), isNormal(result));
  return b.CreateSelect(isNegative, power, result);
}

/// Calls the C library's function for the elements where `rare` is true, one
/// after the other.
void Writer::callLibrary(Value *rare) {
  Module &module = *function.getParent();
  Type *f32 = b.getFloatTy(), *i32 = b.getInt32Ty();
  auto *vector = dyn_cast<FixedVectorType>(type);
  unsigned lanes = vector ? vector->getNumElements() : 1;
  auto library = module.getOrInsertFunction(
      (name + "f").str(),
      FunctionType::get(f32, SmallVector<Type *>(operands.size(), f32), false));
  auto keep = [&](Value *value) {
    Value *slot = b.CreateAlloca(value->getType());
    b.CreateStore(value, slot);
    return slot;
  };
  SmallVector<Value *> slots;
  for (Value *operand : operands)
    slots.push_back(keep(operand));
  Value *slot = keep(result);
  Value *bits =
      b.CreateZExtOrBitCast(b.CreateBitCast(rare, b.getIntNTy(lanes)), i32);

  BasicBlock *entry = b.GetInsertBlock();
  auto *loop = BasicBlock::Create(context, "", &function);
  auto *call = BasicBlock::Create(context, "", &function);
  auto *next = BasicBlock::Create(context, "", &function);
  auto *end = BasicBlock::Create(context, "", &function);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *lane = b.CreatePHI(i32, 2);
  lane->addIncoming(b.getInt32(0), entry);
  b.CreateCondBr(b.CreateTrunc(b.CreateLShr(bits, lane), b.getInt1Ty()), call,
                 next);
  b.SetInsertPoint(call);
  SmallVector<Value *> arguments;
  for (Value *from : slots)
    arguments.push_back(b.CreateLoad(f32, b.CreateGEP(f32, from, lane)));
  b.CreateStore(b.CreateCall(library, arguments), b.CreateGEP(f32, slot, lane));
  b.CreateBr(next);
  b.SetInsertPoint(next);
  Value *following = b.CreateAdd(lane, b.getInt32(1));
  lane->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpEQ(following, b.getInt32(lanes)), end, loop);
  b.SetInsertPoint(end);
  b.CreateRet(b.CreateLoad(type, slot));
}

void Writer::writeCases() {
  if (name != "pow")
    return callLibrary(isRare());
  // Negative x are handled on vectors, other rare elements one by one.
  Value *rare =
      isRarePower(b.CreateUnaryIntrinsic(Intrinsic::fabs, operands[0]));
  result = powerOfNegative();
  callLibrary(rare);
}

void broadloom::scalar::defineRareCases(Module &module, bool hasVectors) {
  SmallVector<GlobalValue *> versions;
  for (StringRef name : {"sin", "cos", "pow"}) {
    Function *function = module.getFunction(getRareCaseName(name));
    if (!function || !function->isDeclaration() || function->use_empty())
      continue;
    auto define = [&](Function &made) { Writer(made, name).writeTest(); };
    makeLocal(*function);
    define(*function);
    if (hasVectors)
      addVersions(*function, define, versions);
  }
  keepVersions(module, versions);
}

void broadloom::scalar::inlineRareCases(Module &module) {
  inlineVersions(module, kRarePrefix,
                 [](Function &function) { function.eraseFromParent(); });
  // Erases versions that the vectoriser did not use.
  for (Function &function : make_early_inc_range(module))
    if (function.getName().starts_with(kCasesPrefix) && function.use_empty())
      function.eraseFromParent();
}
