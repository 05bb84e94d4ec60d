//===- Broadcastable.cpp - the traits, for any dialect ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Broadcastable.h"

#include "dialect/ShapeConversion.h"
#include "shape/Message.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace broadloom {

DynamicToStatic dynamicToStaticOf(Operation *op) {
  if (Dialect *dialect = op->getDialect())
    if (auto *policy =
            dialect->getRegisteredInterface<DynamicToStaticInterface>())
      return policy->getPolicy();
  return DynamicToStatic::Allow;
}

static Container containerOf(Type type) {
  return isa<TensorType>(type)   ? Container::Tensor
         : isa<VectorType>(type) ? Container::Vector
                                 : Container::Other;
}

static std::vector<Container> containersOf(TypeRange types) {
  std::vector<Container> containers;
  containers.reserve(types.size());
  for (Type type : types)
    containers.push_back(containerOf(type));
  return containers;
}

static std::string say(const ShapeConstraint &error,
                       const Situation &situation) {
  PlainSpelling spelling;
  return describe(error, situation, spelling);
}

static LogicalResult report(Operation *op, const ShapeConstraint &error,
                            const Situation &situation) {
  return op->emitOpError(say(error, situation));
}

LogicalResult verifyBroadcastable(Operation *op, DynamicToStatic policy) {
  // Checks the structure first: the code below requires one result and operands
  // that all have shapes.
  if (std::optional<ShapeConstraint> error =
          verifyStructure(containersOf(op->getOperandTypes()),
                          containersOf(op->getResultTypes())))
    return report(op, *error, {});

  ShapesOf operands(op->getOperandTypes());
  ShapesOf results(op->getResultTypes());
  VerifyOptions options;
  options.dynamicToStatic = policy;
  // verify-3: the trait compares with the ranked operands, unknown ones aside.
  options.unrankedOperands = UnrankedOperands::Ignore;
  options.broadcast.listConstraints = false;
  Verification verification =
      verifyBroadcast(operands, results[0], staticProver(), options);
  if (verification.error)
    return report(op, *verification.error,
                  {operands, verification.inferred, results});
  return success();
}

LogicalResult verifyAllRanksMatch(Operation *op) {
  // A value without a shape has no rank to compare. It keeps its index, so that
  // the error has the operation's operand numbers.
  auto shapesOf = [](TypeRange types) {
    return llvm::map_to_vector(types, [](Type type) {
      return shapeOf(type).value_or(Shape::unranked());
    });
  };
  auto viewsOf = [](ArrayRef<Shape> shapes) {
    return std::vector<ShapeView>(shapes.begin(), shapes.end());
  };
  SmallVector<Shape> operandShapes = shapesOf(op->getOperandTypes());
  SmallVector<Shape> resultShapes = shapesOf(op->getResultTypes());
  std::vector<ShapeView> operands = viewsOf(operandShapes);
  std::vector<ShapeView> results = viewsOf(resultShapes);
  if (std::optional<ShapeConstraint> error =
          verifyRanksMatch(operands, results))
    return report(op, *error, {operands, ShapeView(), results});
  return success();
}

std::optional<Shape> inferBroadcastShape(std::optional<Location> location,
                                         TypeRange operandTypes) {
  ShapesOf operands(operandTypes);
  BroadcastOptions options;
  options.listConstraints = false;
  Broadcast result = broadcast(operands, staticProver(), options);
  if (!result.error)
    return result.refined();
  (void)emitOptionalError(location,
                          say(*result.error, {operands, result.inferred, {}}));
  return std::nullopt;
}

Type inferBroadcastType(std::optional<Location> location, TypeRange operands,
                        Type elementType) {
  // Assumes a result with the first operand's container, so that only the
  // operands can be wrong.
  std::vector<Container> containers = containersOf(operands);
  std::vector<Container> result(1, containers.empty() ? Container::Other
                                                      : containers.front());
  if (std::optional<ShapeConstraint> error =
          verifyStructure(containers, result)) {
    (void)emitOptionalError(location, say(*error, {}));
    return Type();
  }
  std::optional<Shape> shape = inferBroadcastShape(location, operands);
  if (!shape)
    return Type();
  Type type = typeOf(operands.front(), *shape, elementType);
  if (!type)
    (void)emitOptionalError(location, "there is no ",
                            isa<VectorType>(operands.front()) ? "vector"
                                                              : "tensor",
                            " type of shape '", toString(*shape),
                            "' and element type ", elementType);
  return type;
}

bool sameElementTypes(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto types) {
           auto [first, second] = types;
           return getElementTypeOrSelf(first) == getElementTypeOrSelf(second);
         });
}

} // namespace broadloom
