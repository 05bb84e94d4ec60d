//===- Legalizer.cpp - checked element-wise operations, one by one --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/Legalizer.h"

#include "dialect/MemoryFunction.h"
#include "dialect/ShapeConversion.h"
#include "infer/constraints/Refiner.h"
#include "infer/constraints/TosaConstraints.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "legalize/BlockOrder.h"
#include "legalize/DefineWords.h"
#include "legalize/MapDivisions.h"
#include "legalize/TosaConstants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

/// The passes that a conversion needs. A report has the types and operations of
/// the program, so that those that change them are not needed for it.
static SmallVector<StringLiteral> getNeeded(const LegalizeOptions &options) {
  SmallVector<StringLiteral> needed = {
      "loom-expand-sparse-constants", "loom-mark-memory-functions",
      "loom-normalize-memory",        "loom-lift-state",
      "loom-erase-identities",        "loom-cast-calls",
      "loom-clear-arithmetic-flags",  "loom-locate-bodies",
      "loom-check-program",           "loom-normalize-blocks",
      "loom-lower-parallel-loops",    "loom-decompose-linalg",
      "loom-lower-buffers",           "loom-lower-vectors",
      "loom-bind-externals",          "loom-lower-affine-accesses",
      "loom-normalize-indices"};
  if (!options.report)
    needed.append({"loom-generalize-maps", "loom-isolate-padding",
                   "loom-match-extents", "loom-widen-elements"});
  if (options.constraints)
    needed.push_back("loom-constrain-assertions");
  return needed;
}

/// Erases the accesses and views that stand for their checks alone.
static void eraseChecks(ModuleOp module) {
  SmallVector<Operation *> checks;
  for (auto func : module.getOps<func::FuncOp>())
    if (loom::isOverMemory(func))
      func.walk([&](Operation *op) {
        if (op->hasAttr(loom::kCheckOnly))
          checks.push_back(op);
      });
  for (Operation *op : checks)
    op->erase();
}

LogicalResult Legalizer::run(const Pass &pass, CachedSteps steps) {
  if (failed(requireSteps(module, pass, steps, getNeeded(options))) ||
      failed(visit(module.getBodyRegion())))
    return failure();
  eraseUnused();
  eraseChecks(module);
  if (options.report)
    options.report->isRefused |= isRefused;
  return success();
}

void Legalizer::eraseUnused() {
  for (Operation *op : llvm::reverse(made))
    if (op->use_empty())
      op->erase();
  made.clear();
}

void Legalizer::refine(Value cast, Value value) {
  if (!options.refine)
    return;
  refined[cast] = value;
  made.push_back(cast.getDefiningOp());
}

LogicalResult Legalizer::visit(Region &region) {
  auto visitBlock = [&](Block &block) -> LogicalResult {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<tosa::ConstOp>(op)) {
        made.push_back(convertTosaConstant(&op));
        continue;
      }
      if (auto elementwise = dyn_cast<BroadcastableOpInterface>(op)) {
        if (failed(replace(elementwise)))
          return failure();
        continue;
      }
      if (auto cast = dyn_cast<tensor::CastOp>(op)) {
        if (options.constraints)
          guardCast(cast, cast.getSource(), cast.getType());
        continue;
      }
      // If the rank is known, the shape function compares the extents.
      if (auto identity = dyn_cast<tosa::IdentityOp>(op);
          identity && options.constraints &&
          isa<UnrankedTensorType>(identity.getInput1().getType()))
        guardCast(identity, identity.getInput1(), identity.getType());
      if (auto map = dyn_cast<loom::MapOp>(op)) { // rt-10
        if (options.constraints && failed(guardMap(map)))
          return failure();
        if (options.constraints)
          map = constrainDivisions(map);
        map.getBody().walk(defineWords);
        continue;
      }
      if (options.constraints)
        constrainUpstream(&op, shapes, /*all=*/options.report != nullptr);
      if (options.constraints)
        constrainTosaIndices(&op, shapes);
      for (Region &inner : op.getRegions())
        if (failed(visit(inner)))
          return failure();
      defineWords(&op);
    }
    return success();
  };
  for (Block *block : getBlocksInDominanceOrder(region))
    if (failed(visitBlock(*block)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The declared and the inferred type of a result, merged.
static Type mergeTypes(Type declared, Type inferred) {
  auto from = dyn_cast<RankedTensorType>(inferred);
  if (!from)
    return declared;
  auto to = dyn_cast<RankedTensorType>(declared);
  if (!to)
    return inferred;
  if (from.getRank() != to.getRank())
    return declared;
  SmallVector<int64_t> extents(to.getShape());
  for (auto [extent, known] : llvm::zip(extents, from.getShape()))
    if (ShapedType::isDynamic(extent))
      extent = known;
  TensorType merged =
      withShape(to, Shape::fromIntegers(extents.data(), extents.size()));
  return merged ? merged : declared;
}

/// Whether a refuted constraint of `op` is an error here. With constraints,
/// private functions are handled later, when constraints are decided. Without
/// constraints, this is the only check.
bool Legalizer::isRefusedHere(Operation *op) const {
  return !isRefused &&
         (options.constraints ? infer::isCertain(op) : infer::alwaysRuns(op));
}

/// After an error: continues if there is a report.
LogicalResult Legalizer::refuse() {
  isRefused = true;
  return success(options.report != nullptr);
}

LogicalResult Legalizer::decideTypes(Elementwise &elementwise,
                                     Verification &verification) {
  BroadcastableOpInterface op = elementwise.op;
  ShapesOf operands{ValueRange(elementwise.operands).getTypes()};
  Type declared = op->getResult(0).getType();
  verification = verifyBroadcast(operands, *shapeOf(declared), staticProver(),
                                 getVerifyOptions(options.dynamicToStatic));
  // The declared types were checked before, so that this error is about refined
  // types: it is one only if the operation surely runs (ext-2).
  if (isRefusedHere(op) && failed(reportRefuted(op, verification, operands)) &&
      failed(refuse()))
    return failure();
  Shape inferred =
      verification.hasUnranked ? Shape::unranked() : verification.inferred;
  elementwise.declaredType = declared;
  elementwise.inferredType =
      typeOf(declared, inferred, cast<TensorType>(declared).getElementType());
  elementwise.refinedType =
      verification.error ? declared
                         : mergeTypes(declared, elementwise.inferredType);
  return success();
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Whether a type has a static extent.
static bool saysSomething(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && !llvm::all_of(ranked.getShape(), ShapedType::isDynamic);
}

Value Legalizer::recordShapes(Operation *op, ArrayRef<Value> operands,
                              Type declared, const Verification &verification,
                              SmallVectorImpl<Value> &operandShapes) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  StringRef name = infer::getOrigin(op);
  for (Value operand : operands)
    operandShapes.push_back(shapes.get(operand, op));

  bool ofOperands = false, ofResult = false;
  auto count = [&](const ShapeConstraint &constraint) {
    (isAboutResult(constraint) ? ofResult : ofOperands) = true;
  };
  llvm::for_each(verification.constraints, count);
  if (verification.error)
    count(*verification.error);
  // A single shape always broadcasts.
  bool all = options.report;
  if (all ? operandShapes.size() > 1
          : ofOperands && !llvm::all_equal(operandShapes))
    loom::ConstrainBroadcastOp::create(builder, loc, name, operandShapes);
  Value result = shapes.broadcast(builder, loc, operandShapes);
  if (ofResult || (all && saysSomething(declared)))
    loom::ConstrainResultOp::create(builder, loc, name, result, declared);
  return result;
}

void Legalizer::guardCast(Operation *op, Value source, Type type) {
  auto to = dyn_cast<RankedTensorType>(type);
  if (!to)
    return;
  auto from = dyn_cast<RankedTensorType>(source.getType());
  bool saysMore = !from || (options.report && saysSomething(to));
  for (int64_t axis = 0; !saysMore && axis < to.getRank(); ++axis)
    saysMore = from.isDynamicDim(axis) && !to.isDynamicDim(axis);
  if (!saysMore)
    return;
  OpBuilder builder(op);
  loom::ConstrainResultOp::create(builder, op->getLoc(), infer::getOrigin(op),
                                  shapes.get(source, op), type);
}

LogicalResult Legalizer::guardMap(loom::MapOp map) {
  SmallVector<Value> operands = map.getShapedInputs();
  // Without a shaped operand the result must have a scalar type.
  ShapesOf operandShapes{ValueRange(operands).getTypes()};
  for (Type declared : map.getResultTypes()) {
    Verification verification =
        verifyBroadcast(operandShapes, *shapeOf(declared), staticProver(),
                        getVerifyOptions(options.dynamicToStatic));
    if (isRefusedHere(map) &&
        failed(reportRefuted(map, verification, operandShapes)) &&
        failed(refuse()))
      return failure();
    SmallVector<Value> values;
    recordShapes(map, operands, declared, verification, values);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Replacement
//===----------------------------------------------------------------------===//

LogicalResult Legalizer::replace(BroadcastableOpInterface op) {
  OpBuilder builder(op);
  Elementwise elementwise;
  elementwise.op = op;
  for (Value operand : getBroadcastingValues(op)) {
    Value known = refined.lookup(operand);
    elementwise.operands.push_back(known ? known : operand);
  }
  Verification verification;
  if (failed(decideTypes(elementwise, verification)))
    return failure();
  Value shape;
  if (options.constraints)
    shape = recordShapes(op, elementwise.operands, elementwise.declaredType,
                         verification, elementwise.shapes);
  addScalars(builder, elementwise);

  FailureOr<Value> converted = convert(builder, elementwise);
  if (failed(converted))
    return failure();
  Value value = *converted;
  if (shape)
    shapes.set(value, shape);
  if (Type declared = elementwise.declaredType; value.getType() != declared) {
    auto cast = tensor::CastOp::create(builder, op->getLoc(), declared, value);
    refine(cast, value);
    if (shape)
      shapes.set(cast, shape);
    value = cast;
  }
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return success();
}
