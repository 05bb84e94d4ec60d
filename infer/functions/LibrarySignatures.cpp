//===- LibrarySignatures.cpp - what a shape function gives ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/LibraryVerifier.h"

#include "mlir/IR/OpDefinition.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

std::optional<unsigned> infer::getNumResults(OperationName name) {
  if (!name.isRegistered())
    return std::nullopt;
  if (name.hasTrait<mlir::OpTrait::ZeroResults>())
    return 0;
  if (name.hasTrait<mlir::OpTrait::OneResult>())
    return 1;
  if (name.hasTrait<mlir::OpTrait::NResults<2>::Impl>())
    return 2;
  if (name.hasTrait<mlir::OpTrait::NResults<3>::Impl>())
    return 3;
  if (name.hasTrait<mlir::OpTrait::NResults<4>::Impl>())
    return 4;
  return std::nullopt;
}

/// Components of results, in the order in which they are given; none follows a
/// whole result.
enum Component : unsigned { kShape, kElementType, kEncoding, kWhole };

/// The component that a value of the type is; nothing if it is none.
static std::optional<unsigned> getComponent(Type type) {
  if (isa<shape::ShapeType>(type))
    return kShape;
  if (isa<loom::ElementTypeType>(type))
    return kElementType;
  if (isa<loom::EncodingType>(type))
    return kEncoding;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (isa<shape::ValueShapeType>(type) || loom::isOperandList(type) ||
      (tensor && tensor.getElementType().isIndex()))
    return kWhole;
  return std::nullopt;
}

LogicalResult infer::readSignature(shape::FuncOp function, StringRef operation,
                                   ShapeFunction &found) {
  auto error = [&] {
    return function.emitError("shape function '@")
           << function.getSymName() << "' of '" << operation << "' ";
  };
  found.op = function;
  for (Type type : function.getArgumentTypes()) {
    if (!isa<shape::ValueShapeType>(type) && !loom::isOperandList(type))
      return error() << "has a parameter of type " << type
                     << "; operands are !shape.value_shape, or "
                        "tensor<?x!shape.value_shape> where there may be any "
                        "number";
    found.isList.push_back(loom::isOperandList(type));
  }
  // A component belongs to the current result, unless that already has it or a
  // later one. sf-10
  unsigned last = kWhole;
  for (Type type : function.getResultTypes()) {
    std::optional<unsigned> component = getComponent(type);
    if (!component)
      return error() << "gives a " << type
                     << "; results are !shape.shape, !loom.element_type and "
                        "!loom.encoding, each alone or in this order, or "
                        "!shape.value_shape, tensor<?xindex>, or "
                        "tensor<?x!shape.value_shape>";
    if (*component <= last || *component == kWhole) {
      if (found.hasListResult)
        return error() << "gives a result behind a list of any number";
      ++found.numResults;
      found.hasListResult = loom::isOperandList(type);
    }
    last = *component;
    found.resultOf.push_back(found.numResults - 1);
  }
  std::optional<unsigned> count =
      getNumResults(OperationName(operation, function.getContext()));
  if (count && (found.hasListResult || *count != found.numResults))
    return error() << "gives "
                   << (found.hasListResult ? "any number of"
                                           : Twine(found.numResults).str())
                   << " results but the operation has " << *count;
  return success();
}
