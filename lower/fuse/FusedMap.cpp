//===- FusedMap.cpp - one map that does the work of several ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/fuse/FusedMap.h"

#include "dialect/ShapeConversion.h"
#include "shape/Verify.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using loom::MapOp;

bool lower::isRefutedByTypes(ValueRange operands, Type result) {
  SmallVector<Type> types;
  for (Value operand : operands)
    if (isa<ShapedType>(operand.getType()))
      types.push_back(operand.getType());
  VerifyOptions options;
  options.unrankedOperands = UnrankedOperands::Unknown;
  options.broadcast.listConstraints = false;
  return verifyBroadcast(ShapesOf(types), *shapeOf(result), staticProver(),
                         options)
      .answer.isRefuted();
}

Type lower::mergeShapes(Type a, Type b) {
  auto rankedA = dyn_cast<RankedTensorType>(a);
  auto rankedB = dyn_cast<RankedTensorType>(b);
  if (!rankedA || !rankedB)
    return rankedA ? a : b;
  if (rankedA.getRank() != rankedB.getRank())
    return Type();
  SmallVector<int64_t> extents(rankedA.getShape());
  for (auto [extent, other] : llvm::zip_equal(extents, rankedB.getShape())) {
    if (ShapedType::isDynamic(extent))
      extent = other;
    else if (!ShapedType::isDynamic(other) && other != extent)
      return Type();
  }
  return rankedA.clone(extents);
}

namespace {

/// Builds the fused map of a cluster, member by member in program order.
class MapBuilder {
public:
  MapBuilder(ArrayRef<MapOp> members, Type shape)
      : members(members), shape(cast<ShapedType>(shape)) {
    memberSet.insert(members.begin(), members.end());
  }

  void build() {
    body = new Block();
    for (MapOp member : llvm::reverse(members))
      absorb(member);
    // Results with users outside the members; the root's come first.
    SmallVector<Value> replaced, yielded;
    MapOp root = members.front();
    for (MapOp member : members)
      for (Value result : member->getResults())
        if (member == root || isReadOutside(result)) {
          replaced.push_back(result);
          yielded.push_back(scalars.lookup(result));
        }
    SmallVector<Type> types = llvm::map_to_vector(
        replaced, [&](Value result) { return withShape(result.getType()); });

    OpBuilder builder(root);
    looseOperands(builder, root.getLoc(), types.front());
    MapOp fused = MapOp::create(builder, root.getLoc(), types, operands);
    fused.getBody().push_back(body);
    for (auto [old, result] : llvm::zip_equal(replaced, fused.getResults()))
      replaceOutside(builder, old, result);
    builder.setInsertionPointToEnd(body);
    loom::YieldOp::create(builder, root.getLoc(), yielded);
    eraseDead();
    // Users first.
    for (MapOp member : members)
      member->erase();
  }

private:
  /// Appends a member's body.
  void absorb(MapOp member) {
    Block &own = member.getBodyBlock();
    for (auto [argument, operand] :
         llvm::zip_equal(own.getArguments(), member.getInputs())) {
      Value &scalar = scalars[operand];
      if (!scalar) {
        operands.push_back(operand);
        scalar = body->addArgument(argument.getType(), argument.getLoc());
      }
      argument.replaceAllUsesWith(scalar);
    }
    auto yield = cast<loom::YieldOp>(own.getTerminator());
    for (auto [result, value] :
         llvm::zip_equal(member.getResults(), yield.getValues()))
      scalars[result] = value;
    yield.erase();
    body->getOperations().splice(body->end(), own.getOperations());
  }

  bool isReadOutside(Value result) const {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      return !memberSet.contains(user);
    });
  }

  /// All results have one shape, merged from the types of the members.
  Type withShape(Type type) const {
    Type elementType = cast<ShapedType>(type).getElementType();
    if (!shape.hasRank())
      return UnrankedTensorType::get(elementType);
    auto ranked = dyn_cast<RankedTensorType>(type);
    return RankedTensorType::get(shape.getShape(), elementType,
                                 ranked ? ranked.getEncoding() : Attribute());
  }

  /// Types along a chain may contradict each other if a guard always fails, or
  /// in unreachable code; the types of one map must not.
  void looseOperands(OpBuilder &builder, Location loc, Type resultType) {
    if (!isRefutedByTypes(operands, resultType))
      return;
    for (Value &operand : operands)
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        operand = tensor::CastOp::create(
            builder, loc, UnrankedTensorType::get(type.getElementType()),
            operand);
  }

  void replaceOutside(OpBuilder &builder, Value old, Value result) {
    if (result.getType() != old.getType())
      result = tensor::CastOp::create(builder, result.getLoc(), old.getType(),
                                      result);
    old.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !memberSet.contains(use.getOwner());
    });
  }

  /// A body may ignore an operand, of which only the extents count (rt-6): the
  /// operand stays, but operations that read it are erased.
  void eraseDead() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  ArrayRef<MapOp> members;
  ShapedType shape;
  llvm::DenseSet<Operation *> memberSet;
  Block *body = nullptr;
  SmallVector<Value> operands;
  /// The scalar that stands for an operand or a member's result.
  llvm::DenseMap<Value, Value> scalars;
};

} // namespace

void lower::buildFusedMap(ArrayRef<MapOp> members, Type shape) {
  MapBuilder(members, shape).build();
}
