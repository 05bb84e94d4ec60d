//===- Signatures.cpp - what the functions of a program take and give -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ShapeConversion.h"
#include "driver/CompilerImpl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace broadloom;

/// The element type of the C API for an MLIR one.
static std::optional<BroadloomElementType> getElementType(Type type) {
  if (isa<IndexType>(type))
    return BROADLOOM_I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return BROADLOOM_I1;
    case 8:
      return isUnsigned ? BROADLOOM_U8 : BROADLOOM_I8;
    case 16:
      return isUnsigned ? BROADLOOM_U16 : BROADLOOM_I16;
    case 32:
      return isUnsigned ? BROADLOOM_U32 : BROADLOOM_I32;
    case 64:
      return isUnsigned ? BROADLOOM_U64 : BROADLOOM_I64;
    default:
      return std::nullopt;
    }
  }
  if (isa<Float8E4M3FNType>(type))
    return BROADLOOM_F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return BROADLOOM_F8E5M2;
  if (type.isF16())
    return BROADLOOM_F16;
  if (type.isBF16())
    return BROADLOOM_BF16;
  if (type.isF32())
    return BROADLOOM_F32;
  if (type.isF64())
    return BROADLOOM_F64;
  return std::nullopt;
}

static LogicalResult readType(func::FuncOp func, StringRef what, unsigned index,
                              Type type, TensorSignature &signature) {
  auto tensor = dyn_cast<TensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  std::optional<BroadloomElementType> known = getElementType(element);
  if (!known || (isa<ShapedType>(type) && !tensor))
    return func.emitError() << what << " " << index << " of '" << func.getName()
                            << "' has type " << type
                            << ", which has no form outside the program; make "
                               "it a tensor of an element type of 1, 8, 16, 32 "
                               "or 64 bits";
  signature.elementType = *known;
  signature.signless = element.isSignlessInteger();
  if (tensor)
    signature.shape = *shapeOf(tensor);
  if (signature.shape.isRanked() && signature.shape.rank() > BROADLOOM_MAX_RANK)
    return func.emitError()
           << what << " " << index << " of '" << func.getName() << "' has "
           << signature.shape.rank() << " axes; at most " << BROADLOOM_MAX_RANK
           << " are possible";
  return success();
}

bool broadloom::readSignatures(ModuleOp module,
                               std::vector<FunctionSignature> &signatures) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic())
      continue;
    FunctionSignature &signature = signatures.emplace_back();
    signature.name = func.getName().str();
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      if (failed(readType(func, "argument", i, type,
                          signature.arguments.emplace_back())))
        return false;
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (failed(readType(func, "result", i, type,
                          signature.results.emplace_back())))
        return false;
  }
  return true;
}
