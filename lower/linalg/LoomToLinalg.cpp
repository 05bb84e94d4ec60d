//===- LoomToLinalg.cpp - ranked maps to linalg.generic -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_CONVERTLOOMTOLINALG
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

/// How an axis of an operand is read (decision 65).
enum class Kind { Match, One, RunTime };

/// The lowering of one map to a linalg.generic.
class MapLowering {
public:
  explicit MapLowering(loom::MapOp map)
      : map(map), builder(map), loc(map.getLoc()) {}

  /// Whether all shapes are ranked and none has more axes than the result.
  bool isRanked() {
    result = dyn_cast<RankedTensorType>(map.getResult(0).getType());
    if (!result)
      return false;
    return llvm::all_of(map.getShapedInputs(), [&](Value input) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      return type && type.getRank() <= result.getRank();
    });
  }

  LogicalResult lower();

private:
  /// How axis `axis` of `input` is read.
  Kind getKind(Value input, int64_t axis);
  /// The affine map that reads `input`, or null if an axis is of kind RunTime.
  AffineMap getReadMap(Value input);
  int64_t toResultAxis(Value input, int64_t axis) {
    auto type = cast<RankedTensorType>(input.getType());
    return axis + result.getRank() - type.getRank();
  }
  /// Emits before the loops, for an operand with axes of kind RunTime, an i1
  /// for each such axis that is true for extent 1.
  void prepareRunTimeAxes(Value input);
  /// Reads that operand inside the loops.
  Value readAtRunTime(OpBuilder &body, Value input);
  FailureOr<SmallVector<Value>> makeOutputs();
  void buildBody(OpBuilder &body, ValueRange arguments);

  loom::MapOp map;
  OpBuilder builder;
  Location loc;
  RankedTensorType result;
  /// The operands that affine maps read, in order.
  SmallVector<Value> inputs;
  /// For the others, i1 per axis; null if the axis is not of kind RunTime.
  DenseMap<Value, SmallVector<Value>> isOne;
};

} // namespace

Kind MapLowering::getKind(Value input, int64_t axis) {
  int64_t extent = cast<RankedTensorType>(input.getType()).getDimSize(axis);
  int64_t resultAxis = toResultAxis(input, axis);
  int64_t whole = result.getDimSize(resultAxis);
  if (extent == 1)
    return whole == 1 ? Kind::Match : Kind::One;
  if (extent == whole && !ShapedType::isDynamic(extent))
    return Kind::Match;
  // The result's extent is that of the only operand whose extent may not be 1.
  for (Value other : map.getShapedInputs()) {
    auto type = cast<RankedTensorType>(other.getType());
    int64_t own = resultAxis - (result.getRank() - type.getRank());
    if (other != input && own >= 0 && type.getDimSize(own) != 1)
      return Kind::RunTime;
  }
  return Kind::Match;
}

AffineMap MapLowering::getReadMap(Value input) {
  SmallVector<AffineExpr> read;
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  for (int64_t axis : llvm::seq<int64_t>(0, rank)) {
    Kind kind = getKind(input, axis);
    if (kind == Kind::RunTime)
      return {};
    read.push_back(kind == Kind::One
                       ? builder.getAffineConstantExpr(0)
                       : builder.getAffineDimExpr(toResultAxis(input, axis)));
  }
  return AffineMap::get(result.getRank(), 0, read, builder.getContext());
}

void MapLowering::prepareRunTimeAxes(Value input) {
  SmallVector<Value> &conditions = isOne[input];
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  for (int64_t axis : llvm::seq<int64_t>(0, rank)) {
    conditions.emplace_back();
    if (getKind(input, axis) != Kind::RunTime)
      continue;
    Value extent = tensor::DimOp::create(builder, loc, input, axis);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    conditions.back() = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, extent, one);
  }
}

Value MapLowering::readAtRunTime(OpBuilder &body, Value input) {
  SmallVector<Value> indices;
  Value zero = arith::ConstantIndexOp::create(body, loc, 0);
  for (auto [axis, condition] : llvm::enumerate(isOne.lookup(input))) {
    if (!condition && getKind(input, axis) == Kind::One) {
      indices.push_back(zero);
      continue;
    }
    Value index = linalg::IndexOp::create(body, loc, toResultAxis(input, axis));
    if (condition)
      index = arith::SelectOp::create(body, loc, condition, zero, index);
    indices.push_back(index);
  }
  return tensor::ExtractOp::create(body, loc, input, indices);
}

FailureOr<SmallVector<Value>> MapLowering::makeOutputs() {
  ReifiedRankedShapedTypeDims extents;
  if (failed(map.reifyResultShapes(builder, extents)))
    return failure();
  SmallVector<Value> outputs;
  for (auto [type, shape] : llvm::zip(map.getResultTypes(), extents))
    outputs.push_back(tensor::EmptyOp::create(
        builder, loc, shape, cast<TensorType>(type).getElementType()));
  return outputs;
}

void MapLowering::buildBody(OpBuilder &body, ValueRange arguments) {
  IRMapping mapping;
  for (auto [input, argument] :
       llvm::zip(map.getInputs(), map.getBodyBlock().getArguments())) {
    Value element = input;
    if (isa<ShapedType>(input.getType()))
      element = isOne.count(input)
                    ? readAtRunTime(body, input)
                    : arguments[llvm::find(inputs, input) - inputs.begin()];
    mapping.map(argument, element);
  }
  // The guard of a division comes after the map, so that the division must not
  // trap.
  bool isGuarded = llvm::any_of(
      map->getUsers(), [](Operation *user) { return isa<loom::AnyOp>(user); });
  for (Operation &op : map.getBodyBlock().without_terminator()) {
    Operation *made = body.clone(op, mapping);
    if (isGuarded)
      made->walk(scalar::makeDivisionSafe);
  }
  SmallVector<Value> yielded =
      llvm::map_to_vector(map.getBodyBlock().getTerminator()->getOperands(),
                          [&](Value value) { return mapping.lookup(value); });
  linalg::YieldOp::create(body, loc, yielded);
}

LogicalResult MapLowering::lower() {
  FailureOr<SmallVector<Value>> outputs = makeOutputs();
  if (failed(outputs))
    return map.emitOpError("has a result whose extents cannot be computed");
  SmallVector<AffineMap> maps;
  for (Value input : map.getShapedInputs()) {
    if (llvm::is_contained(inputs, input) || isOne.count(input))
      continue;
    if (AffineMap read = getReadMap(input)) {
      inputs.push_back(input);
      maps.push_back(read);
    } else {
      prepareRunTimeAxes(input);
    }
  }
  maps.append(outputs->size(),
              builder.getMultiDimIdentityMap(result.getRank()));
  SmallVector<utils::IteratorType> iterators(result.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, map.getResultTypes(), inputs, *outputs, maps, iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        buildBody(body, arguments);
      });
  map.replaceAllUsesWith(generic.getResults());
  map.erase();
  return success();
}

/// Whether any element is true, as a reduction over all axes.
static void lowerAny(loom::AnyOp any) {
  auto type = dyn_cast<RankedTensorType>(any.getFlags().getType());
  if (!type)
    return;
  OpBuilder builder(any);
  Location loc = any.getLoc();
  Value reduced = any.getFlags();
  if (type.getRank() != 0) {
    Value none = arith::ConstantIntOp::create(builder, loc, 0, 1);
    Value start = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(),
                                          builder.getI1Type());
    start = linalg::FillOp::create(builder, loc, none, start).getResult(0);
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    reduced = linalg::ReduceOp::create(
                  builder, loc, reduced, start, axes,
                  [](OpBuilder &body, Location loc, ValueRange arguments) {
                    Value either = arith::OrIOp::create(body, loc, arguments[0],
                                                        arguments[1]);
                    linalg::YieldOp::create(body, loc, either);
                  })
                  .getResult(0);
  }
  Value flag = tensor::ExtractOp::create(builder, loc, reduced, ValueRange());
  any.replaceAllUsesWith(flag);
  any.erase();
}

namespace {

struct ConvertLoomToLinalgPass
    : lower::impl::ConvertLoomToLinalgBase<ConvertLoomToLinalgPass> {
  void runOnOperation() override {
    SmallVector<loom::MapOp> maps;
    getOperation().walk([&](loom::MapOp map) { maps.push_back(map); });
    for (loom::MapOp map : maps) {
      MapLowering lowering(map);
      if (lowering.isRanked() && failed(lowering.lower()))
        return signalPassFailure();
    }
    getOperation().walk([](loom::AnyOp any) { lowerAny(any); });
  }
};

} // namespace
