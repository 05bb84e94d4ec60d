//===- Expander.cpp - users' operations by their references ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/user/Expander.h"

#include "dialect/BroadcastableOpInterface.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "infer/functions/UserDialects.h"
#include "legalize/BlockOrder.h"
#include "legalize/user/AttributeArguments.h"
#include "legalize/user/ScalarBodies.h"
#include "legalize/user/Unimplemented.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

/// The limit of nested references.
static constexpr unsigned maxDepth = 200;

bool legalize::becomesAnother(Operation *op) {
  return isa<BroadcastableOpInterface>(op) || infer::isElementwiseOnTensors(op);
}

LogicalResult Expander::visit(Region &region, unsigned depth) {
  for (Block *block : getBlocksInDominanceOrder(region))
    for (Operation &op : llvm::make_early_inc_range(*block))
      if (failed(visit(&op, depth)))
        return failure();
  return success();
}

LogicalResult Expander::visit(Operation *op, unsigned depth) {
  if (auto call = dyn_cast<func::CallOp>(op); call && depth != 0)
    return expand(op, references.getCallee(call, text), depth);
  bool hasReference = references.has(infer::getOperationKey(op));
  infer::Refiner::Effects effects;
  // Only operations that are replaced here get constraints here. All others get
  // them later, and those of the input program keep their types until then
  // (decision 70).
  bool standsIn = standIns && !hasReference && op->getNumResults() != 0 &&
                  (isUserOperation(op) || isa<tosa::CustomOp>(op));
  effects.constraints = hasReference || standsIn;
  effects.types = effects.constraints || depth != 0;
  effects.isWalk = false;
  effects.errors = effects.types;
  effects.certain = infer::isCertain(op);
  if (failed(refiner.refine(op, effects)))
    return failure();
  // The function that a library adds for such an operation is applied while the
  // operation exists.
  if (becomesAnother(op) && analysis.hasAddition(op)) {
    effects.constraints = effects.errors = true;
    if (failed(refiner.refineAddition(op, effects)))
      return failure();
  }
  if (standsIn && refiner.replaceByShapes(op))
    return success();
  if (standsIn && analysis.hasFunction(op))
    for (OpResult result : op->getResults())
      if (isa<TensorType>(result.getType()) &&
          !analysis.getInfo(result).shape.isRanked())
        return legalize::reportUnknownRank(result);
  if (hasReference) {
    const Reference *reference = references.choose(op);
    return reference ? expand(op, *reference, depth) : failure();
  }
  for (Region &region : op->getRegions())
    if (failed(visit(region, depth)))
      return failure();
  return success();
}

LogicalResult Expander::mapOperands(OpBuilder &builder, Operation *op,
                                    Reference reference, IRMapping &mapping) {
  Block &body = reference.function.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands())) {
    Value value = operand;
    if (Value known = getRepresentation(value))
      value = known;
    if (value.getType() != argument.getType()) {
      value = tensor::CastOp::create(builder, op->getLoc(), argument.getType(),
                                     value);
      infer::setOrigin(value.getDefiningOp(), op);
      made.push_back(value.getDefiningOp());
    }
    mapping.map(argument, value);
  }
  return success();
}

LogicalResult Expander::mapAttributes(OpBuilder &builder, Operation *op,
                                      Reference reference, IRMapping &mapping) {
  func::FuncOp function = reference.function;
  // A call has only operands.
  unsigned first = isa<func::CallOp>(op) ? function.getNumArguments()
                                         : reference.numOperands;
  for (unsigned i = first; i < function.getNumArguments(); ++i) {
    FailureOr<Value> value = makeAttributeValue(builder, op, function, i);
    if (failed(value))
      return failure();
    mapping.map(function.getArgument(i), *value);
  }
  return success();
}

FailureOr<SmallVector<Operation *>> Expander::cloneBody(OpBuilder &builder,
                                                        Operation *op,
                                                        Reference reference,
                                                        IRMapping &mapping) {
  SmallVector<Operation *> clones;
  bool isGood = true;
  Block &body = reference.function.getBody().front();
  for (Operation &inner : body.without_terminator()) {
    Operation *clone = builder.clone(inner, mapping);
    clone->walk([&](Operation *part) {
      infer::setOrigin(part, op);
      isGood = isGood && succeeded(takeAttributes(part, op));
      if (budget != 0)
        --budget;
    });
    clones.push_back(clone);
  }
  if (!isGood)
    return failure();
  return clones;
}

/// A map of the operation's scalar function (decision 64).
FailureOr<loom::MapOp> Expander::buildMap(OpBuilder &builder, Operation *op,
                                          Reference reference) {
  auto map = loom::MapOp::create(builder, op->getLoc(), op->getResultTypes(),
                                 op->getOperands());
  infer::setOrigin(map, op);
  Block &body = map.getBody().emplaceBlock();
  for (Value operand : op->getOperands())
    body.addArgument(getElementTypeOrSelf(operand.getType()), op->getLoc());
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  IRMapping mapping;
  Block &function = reference.function.getBody().front();
  for (auto [from, to] :
       llvm::zip(function.getArguments(), body.getArguments()))
    mapping.map(from, to);
  if (failed(mapAttributes(inside, op, reference, mapping)))
    return failure();
  if (failed(cloneBody(inside, op, reference, mapping)))
    return failure();
  SmallVector<Value> results;
  for (Value result : function.getTerminator()->getOperands())
    results.push_back(mapping.lookup(result));
  loom::YieldOp::create(inside, op->getLoc(), results);
  analysis.visit(map);
  return map;
}

/// Casts the value of a reference to the operation's result type.
Value Expander::castResult(OpBuilder &builder, Operation *op, Value value,
                           Type type) {
  if (value.getType() == type)
    return value;
  Operation *cast;
  if (infer::isUserType(type)) {
    cast =
        UnrealizedConversionCastOp::create(builder, op->getLoc(), type, value);
  } else {
    cast = tensor::CastOp::create(builder, op->getLoc(), type, value);
    infer::setOrigin(cast, op);
  }
  made.push_back(cast);
  return cast->getResult(0);
}

LogicalResult Expander::expand(Operation *op, Reference reference,
                               unsigned depth) {
  if (depth == maxDepth)
    return op->emitError("reference implementations use each other more than ")
           << maxDepth << " deep";
  OpBuilder builder(op);
  SmallVector<Value> results;
  SmallVector<Operation *> clones;
  bool isElementwise =
      reference.isScalar && llvm::any_of(op->getOperandTypes(), [](Type type) {
        return isa<ShapedType>(type);
      });
  if (isElementwise) {
    FailureOr<loom::MapOp> map = buildMap(builder, op, reference);
    if (failed(map))
      return failure();
    clones.push_back(*map);
    results = map->getResults();
  } else {
    IRMapping mapping;
    if (failed(mapOperands(builder, op, reference, mapping)) ||
        failed(mapAttributes(builder, op, reference, mapping)))
      return failure();
    auto cloned = cloneBody(builder, op, reference, mapping);
    if (failed(cloned))
      return failure();
    clones = std::move(*cloned);
    Operation *end = reference.function.getBody().front().getTerminator();
    for (auto [value, type] :
         llvm::zip(end->getOperands(), op->getResultTypes()))
      results.push_back(castResult(builder, op, mapping.lookup(value), type));
  }
  if (budget == 0)
    return op->emitError("reference implementations make more than ")
           << maxOperations << " operations of this program";
  // Nested expansions may replace the results.
  auto holder = UnrealizedConversionCastOp::create(builder, op->getLoc(),
                                                   TypeRange(), results);
  {
    func::FuncOp function = reference.function;
    llvm::SaveAndRestore inside(text, function->getParentOfType<ModuleOp>());
    for (Operation *clone : clones)
      if (failed(visit(clone, depth + 1)))
        return failure();
  }
  if (isElementwise &&
      failed(readConstantTensors(clones.front()->getRegion(0).front(), op,
                                 reference.function->getLoc())))
    return failure();
  // The reference's results must have the shapes of the shape function.
  if (failed(refiner.constrainResults(op, holder.getOperands())))
    return failure();
  for (auto [i, to] : llvm::enumerate(holder.getOperands())) {
    Value from = op->getResult(i);
    analysis.replace(from, to);
    from.replaceAllUsesWith(to);
  }
  holder.erase();
  op->erase();
  return success();
}

/// Whether a cast may fail: its result type has an extent, or a rank, that its
/// operand's type does not have.
static bool saysMore(Operation *op) {
  auto cast = dyn_cast<tensor::CastOp>(op);
  return cast && isa<RankedTensorType>(cast.getType()) &&
         !tensor::preservesStaticInformation(cast.getType(),
                                             cast.getSource().getType());
}

LogicalResult Expander::finish(func::FuncOp function) {
  function.walk([&](UnrealizedConversionCastOp cast) {
    if (infer::isUserType(cast->getResultTypes().front()))
      made.push_back(cast);
  });
  llvm::SmallSetVector<Operation *, 16> casts(made.begin(), made.end());
  for (Operation *next : llvm::to_vector(casts)) {
    // Erases a chain of casts from its end.
    while (next && casts.contains(next) && next->use_empty() &&
           !saysMore(next)) {
      Operation *before = next->getOperand(0).getDefiningOp();
      casts.remove(next);
      next->erase();
      next = before;
    }
  }
  for (Operation *cast : casts) {
    if (!isa<UnrealizedConversionCastOp>(cast))
      continue;
    Operation *user = *cast->user_begin();
    return user->emitError("takes a value of type ")
           << cast->getResult(0).getType()
           << ", which only operations with a reference implementation can";
  }
  return success();
}
