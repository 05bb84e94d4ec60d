//===- KernelParts.cpp - what the builders of kernels share ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/KernelParts.h"
#include "dialect/ScalarBody.h"
#include "runtime/abi/Abi.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom::codegen;

bool broadloom::codegen::isPassedOn(Value value) {
  Operation *def = value.getDefiningOp();
  return !def || def->hasTrait<OpTrait::ConstantLike>();
}

Operation *broadloom::codegen::buildCopy(OpBuilder &builder, Value value) {
  // A select between equal values is a simple operation that is not folded
  // before LLVM.
  Location loc = value.getLoc();
  auto yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::SelectOp::create(builder, loc, yes, value, value);
}

AliasScopes::AliasScopes(MLIRContext *context, size_t numOutputs) {
  auto domain = LLVM::AliasScopeDomainAttr::get(context);
  input = LLVM::AliasScopeAttr::get(domain);
  for (size_t i = 0; i < numOutputs; ++i)
    outputs.push_back(LLVM::AliasScopeAttr::get(domain));
}

SmallVector<Attribute> AliasScopes::getOthers(size_t output) const {
  SmallVector<Attribute> others = {input};
  for (size_t i = 0; i < outputs.size(); ++i)
    if (i != output)
      others.push_back(outputs[i]);
  return others;
}

void AliasScopes::applyToLoad(LLVM::LoadOp load) const {
  MLIRContext *context = load.getContext();
  load.setAliasScopesAttr(ArrayAttr::get(context, {input}));
  load.setNoaliasScopesAttr(ArrayAttr::get(context, outputs));
}

void AliasScopes::applyToLoad(LLVM::LoadOp load, size_t output) const {
  MLIRContext *context = load.getContext();
  load.setAliasScopesAttr(ArrayAttr::get(context, {outputs[output]}));
  load.setNoaliasScopesAttr(ArrayAttr::get(context, getOthers(output)));
}

void AliasScopes::applyToStore(LLVM::StoreOp store, size_t output) const {
  MLIRContext *context = store.getContext();
  store.setAliasScopesAttr(ArrayAttr::get(context, {outputs[output]}));
  store.setNoaliasScopesAttr(ArrayAttr::get(context, getOthers(output)));
}

SmallVector<Value> broadloom::codegen::loadPointers(OpBuilder &builder,
                                                    Location loc, Value array,
                                                    size_t count) {
  Type ptr = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Value> pointers;
  for (size_t i = 0; i < count; ++i) {
    Value address = LLVM::GEPOp::create(builder, loc, ptr, ptr, array,
                                        ArrayRef<LLVM::GEPArg>{int32_t(i)});
    pointers.push_back(LLVM::LoadOp::create(builder, loc, ptr, address));
  }
  return pointers;
}

Value broadloom::codegen::asWholeStrips(OpBuilder &builder, Location loc,
                                        Value n) {
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, n.getType(),
                                    builder.getI64IntegerAttr(value));
  };
  // A shift to the right and back shows LLVM that the trip count is a multiple.
  Value bits = constant(llvm::Log2_64(BROADLOOM_STRIP_MULTIPLE));
  Value strips = LLVM::LShrOp::create(builder, loc, n, bits);
  Value length = LLVM::ShlOp::create(builder, loc, strips, bits,
                                     LLVM::IntegerOverflowFlags::nuw |
                                         LLVM::IntegerOverflowFlags::nsw);
  // With at least one full strip, the vector loop needs no scalar loop.
  Value whole = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, n,
                                     constant(BROADLOOM_STRIP_MULTIPLE));
  LLVM::AssumeOp::create(builder, loc, whole);
  return length;
}

void broadloom::codegen::cloneOperations(OpBuilder &builder,
                                         ArrayRef<Operation *> operations,
                                         IRMapping &mapping) {
  for (Operation *op : operations) {
    for (Value operand : loom::getReads(op)) {
      Operation *def = operand.getDefiningOp();
      if (def && !mapping.contains(operand) &&
          def->hasTrait<OpTrait::ConstantLike>())
        builder.clone(*def, mapping);
    }
    // A division by 0 fails after the map (rt-11), and must not trap in it.
    builder.clone(*op, mapping)->walk(scalar::makeDivisionSafe);
  }
}
