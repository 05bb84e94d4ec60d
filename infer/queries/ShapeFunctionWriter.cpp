//===- ShapeFunctionWriter.cpp - shape queries as shape functions ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/ShapeFunctionWriter.h"

#include "dialect/LoomShapeOps.h"
#include "infer/functions/Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class Writer {
public:
  Writer(func::FuncOp query, const ShapeQueryInfo &info)
      : query(query), info(info), builder(query.getContext()),
        loc(query.getLoc()) {}

  std::optional<std::string> run(unsigned numOperands, StringRef name,
                                 shape::FunctionLibraryOp library);

private:
  void bindArguments(Block &body, unsigned numOperands);
  void requireExtent(Value extent, int64_t wanted, unsigned operand,
                     int64_t axis);
  void translate(Block &block);
  void translate(Operation *op);
  void constrain(loom::RequireOp op);
  SmallVector<Value> makeResults();
  Value makeExtent(Value extent, Certainty certainty);

  Value lookup(Value value) { return mapping.lookup(value); }
  SmallVector<Value> lookupAll(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value v) { return lookup(v); });
  }

  func::FuncOp query;
  const ShapeQueryInfo &info;
  OpBuilder builder;
  Location loc;
  IRMapping mapping;
  std::optional<std::string> obstacle;
};

} // namespace

/// A function that takes operands, at the end of a library.
static shape::FuncOp makeFunction(OpBuilder &builder, Location loc,
                                  unsigned numOperands, StringRef name,
                                  shape::FunctionLibraryOp library) {
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types(numOperands, shape::ValueShapeType::get(context));
  builder.setInsertionPointToEnd(&library.getBody().front());
  auto function = shape::FuncOp::create(builder, loc, name,
                                        builder.getFunctionType(types, {}));
  Block &body = function.getBody().emplaceBlock();
  body.addArguments(types, SmallVector<Location>(numOperands, loc));
  builder.setInsertionPointToStart(&body);
  return function;
}

static void finishFunction(OpBuilder &builder, shape::FuncOp function,
                           ValueRange results) {
  shape::ReturnOp::create(builder, function.getLoc(), results);
  function.setType(
      builder.getFunctionType(function.getArgumentTypes(), results.getTypes()));
}

static Value makeElementType(OpBuilder &builder, Location loc, Type type) {
  return loom::TypeOp::create(builder, loc,
                              loom::ElementTypeType::get(builder.getContext()),
                              TypeAttr::get(getElementTypeOrSelf(type)));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void Writer::requireExtent(Value extent, int64_t wanted, unsigned operand,
                           int64_t axis) {
  Value number = arith::ConstantIndexOp::create(builder, loc, wanted);
  Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     extent, number);
  loom::ConstraintOp::create(
      builder, loc, same,
      builder.getStringAttr("axis " + Twine(axis) + " of operand " +
                            Twine(operand) + " must be " + Twine(wanted) +
                            ", but is {0}"),
      extent);
}

void Writer::bindArguments(Block &body, unsigned numOperands) {
  auto next = query.getArguments().begin();
  for (unsigned i = 0; i < info.type.getNumInputs(); ++i) {
    auto type = dyn_cast<TensorType>(info.type.getInput(i));
    if (!type)
      continue;
    // Attributes come last; their shapes are static.
    if (i >= numOperands)
      break;
    Value operand = body.getArgument(i);
    if (!type.hasRank()) {
      mapping.map(*next++,
                  shape::ShapeOfOp::create(
                      builder, loc, shape::ShapeType::get(builder.getContext()),
                      operand));
      continue;
    }
    SmallVector<Type> extents(type.getRank(), builder.getIndexType());
    auto all = loom::ExtentsOp::create(
        builder, loc, extents, operand,
        builder.getStringAttr("operand " + Twine(i) + " must have " +
                              Twine(type.getRank()) + " axes, but has {0}"));
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      if (type.isDynamicDim(axis))
        mapping.map(*next++, all.getResult(axis));
      else
        requireExtent(all.getResult(axis), type.getDimSize(axis), i, axis);
    }
  }
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

void Writer::constrain(loom::RequireOp op) {
  loom::ConstraintOp::create(builder, op.getLoc(), lookup(op.getCondition()),
                             op.getMessageAttr(), lookupAll(op.getValues()));
}

/// Whether the results of `op` are used only as extents of results: these
/// become extents that depend on data.
static bool isReturnedAlone(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<func::ReturnOp>(user);
  });
}

void Writer::translate(Operation *op) {
  Type shapeType = shape::ShapeType::get(op->getContext());
  auto broadcast = [&](ValueRange shapes) -> Value {
    SmallVector<Value> values = lookupAll(shapes);
    if (values.size() == 1)
      return values.front();
    return shape::BroadcastOp::create(builder, op->getLoc(), shapeType, values,
                                      StringAttr());
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](loom::RequireOp require) { constrain(require); })
      // The broadcast in the shape function has this constraint itself.
      .Case([&](loom::RequireBroadcastOp require) {
        broadcast(require.getShapes());
      })
      .Case([&](loom::BroadcastOp op) {
        mapping.map(op.getResult(), broadcast(op.getShapes()));
      })
      .Case([&](loom::FromExtentsOp op) {
        mapping.map(op.getResult(), shape::FromExtentsOp::create(
                                        builder, op.getLoc(), shapeType,
                                        lookupAll(op.getExtents())));
      })
      .Case([&](loom::RankOp op) {
        mapping.map(op.getResult(),
                    shape::RankOp::create(builder, op.getLoc(),
                                          builder.getIndexType(),
                                          lookup(op.getShape())));
      })
      .Default([&](Operation *other) {
        // The number of iterations is not known when shapes are inferred.
        if (isa<scf::ForOp, scf::WhileOp>(other) && other->use_empty())
          return;
        if (isa<scf::WhileOp>(other) && isReturnedAlone(other))
          return;
        bool isKnown = other->getNumRegions() == 0
                           ? Evaluator::getHandler(other) != nullptr
                           : isa<scf::IfOp, scf::ForOp>(other);
        if (!isKnown || isa<loom::LoomDialect>(other->getDialect())) {
          obstacle = "no shape function can say what '" +
                     other->getName().getStringRef().str() + "' does";
          return;
        }
        // Regions are translated, not copied.
        Operation *clone = other->cloneWithoutRegions(mapping);
        builder.insert(clone);
        for (auto [from, to] :
             llvm::zip(other->getRegions(), clone->getRegions())) {
          if (from.empty())
            continue;
          Block &block = to.emplaceBlock();
          for (BlockArgument argument : from.getArguments())
            mapping.map(argument, block.addArgument(argument.getType(),
                                                    argument.getLoc()));
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPointToStart(&block);
          translate(from.front());
          if (!obstacle)
            scf::YieldOp::create(
                builder, other->getLoc(),
                lookupAll(from.front().getTerminator()->getOperands()));
        }
      });
}

void Writer::translate(Block &block) {
  for (Operation &op : block.without_terminator()) {
    translate(&op);
    if (obstacle)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value Writer::makeExtent(Value extent, Certainty certainty) {
  if (certainty == Certainty::Exact)
    return extent;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return loom::DataExtentOp::create(builder, loc, builder.getIndexType(), zero,
                                    certainty == Certainty::Bound ? extent
                                                                  : Value());
}

SmallVector<Value> Writer::makeResults() {
  SmallVector<Value> results;
  auto next = query.getBody().front().getTerminator()->getOperands().begin();
  for (auto [type, certainties] :
       llvm::zip(info.type.getResults(), info.results)) {
    if (!certainties) {
      results.push_back(lookup(*next++));
    } else {
      SmallVector<Value> extents;
      for (Certainty certainty : *certainties) {
        Value extent = *next++;
        extents.push_back(extent.getDefiningOp<scf::WhileOp>()
                              ? makeExtent({}, Certainty::Unknown)
                              : makeExtent(lookup(extent), certainty));
      }
      results.push_back(shape::FromExtentsOp::create(
          builder, loc, shape::ShapeType::get(builder.getContext()), extents));
    }
    results.push_back(makeElementType(builder, loc, type));
  }
  return results;
}

std::optional<std::string> Writer::run(unsigned numOperands, StringRef name,
                                       shape::FunctionLibraryOp library) {
  shape::FuncOp function =
      makeFunction(builder, loc, numOperands, name, library);
  bindArguments(function.getBody().front(), numOperands);
  translate(query.getBody().front());
  if (obstacle) {
    function.erase();
    return obstacle;
  }
  finishFunction(builder, function, makeResults());
  return std::nullopt;
}

std::optional<std::string>
infer::writeShapeFunction(func::FuncOp query, unsigned numOperands,
                          StringRef name, shape::FunctionLibraryOp library) {
  std::optional<ShapeQueryInfo> info = readShapeQuery(query);
  if (!info)
    return "'@" + query.getName().str() + "' is no query";
  return Writer(query, *info).run(numOperands, name, library);
}

void infer::writeElementwiseFunction(func::FuncOp function,
                                     unsigned numOperands, StringRef name,
                                     shape::FunctionLibraryOp library) {
  Location loc = function.getLoc();
  OpBuilder builder(function.getContext());
  shape::FuncOp made = makeFunction(builder, loc, numOperands, name, library);
  Type shapeType = shape::ShapeType::get(builder.getContext());
  SmallVector<Value> shapes;
  for (BlockArgument operand : made.getBody().getArguments())
    shapes.push_back(
        shape::ShapeOfOp::create(builder, loc, shapeType, operand));
  Value shape = shapes.front();
  if (shapes.size() > 1)
    shape = shape::BroadcastOp::create(builder, loc, shapeType, shapes,
                                       StringAttr());
  SmallVector<Value> results;
  for (Type type : function.getResultTypes()) {
    results.push_back(shape);
    results.push_back(makeElementType(builder, loc, type));
  }
  finishFunction(builder, made, results);
}
