//===- ShapeAnalysis.cpp - the shapes of a function's tensors -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"

#include "infer/analysis/CallSummaries.h"
#include "infer/analysis/TensorMemory.h"
#include "infer/functions/UserDialects.h"
#include "infer/report/OperationNumber.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

std::optional<ArrayRef<int64_t>> infer::getDeclaredExtents(Type type) {
  if (auto shape = dyn_cast<loom::ShapeType>(type)) {
    if (shape.getRanked())
      return shape.getExtents();
    return std::nullopt;
  }
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    shaped = dyn_cast_or_null<ShapedType>(getCarriedType(type));
  if (shaped && shaped.hasRank())
    return shaped.getShape();
  return std::nullopt;
}

/// One of the type's extents. ext-4
static Extent getDeclared(Type type, ArrayRef<int64_t> extents, size_t axis) {
  if (auto vector = dyn_cast<VectorType>(type);
      vector && vector.getScalableDims()[axis])
    return Extent::scalable(extents[axis]);
  return ShapedType::isDynamic(extents[axis]) ? Extent()
                                              : Extent::fixed(extents[axis]);
}

bool ShapeAnalysis::hasShape(Type type) {
  return isa<ShapedType, loom::ShapeType>(type) || getCarriedType(type);
}

//===----------------------------------------------------------------------===//
// Leaves and symbols
//===----------------------------------------------------------------------===//

void ShapeAnalysis::setSource(Extent symbol, NodeId node, int64_t axis) {
  // A carried type has no extents that the program can read.
  if (Value value = table.getNode(node).value;
      value && !isa<ShapedType, loom::ShapeType>(value.getType()))
    return;
  facts.setSource(symbol.symbolId(), node, axis);
}

/// A name for an extent; names of arguments are shorter.
static std::string nameAxis(Value value, int64_t axis) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  return op ? "(axis " + std::to_string(axis) + " of the result of '" +
                  getOriginalName(op).str() + "')"
            : "";
}

/// Whether the caller of the function must show that the tensor exists.
static bool isChecked(Value value) {
  auto argument = dyn_cast_or_null<BlockArgument>(value);
  auto func = argument
                  ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
                  : func::FuncOp();
  return func && func.isPublic() && argument.getOwner()->isEntryBlock() &&
         isa<TensorType>(value.getType());
}

void ShapeAnalysis::limitExtent(Extent symbol, NodeId node) {
  if (Value value = table.getNode(node).value) {
    if (!isChecked(value))
      return;
    int64_t most = getMostElements(value.getType());
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      most = getMostBeside(most, type.getShape());
    return numbers.limitExtent(symbol, most, node);
  }
  // The extent of a broadcast is 1 or that of an operand. Their product has no
  // limit, so that each extent is an owner of its own.
  int64_t most = 1;
  for (NodeId leaf : table.getLeaves(node)) {
    Value value = table.getNode(leaf).value;
    if (!value || !isChecked(value))
      return;
    most = std::max(most, getMostElements(value.getType()));
  }
  numbers.limitExtent(symbol, most, ~symbol.symbolId());
}

Extent ShapeAnalysis::createSymbol(NodeId node, int64_t axis) {
  Extent symbol = symbols.create(
      namesResults ? nameAxis(table.getNode(node).value, axis) : "");
  setSource(symbol, node, axis);
  limitExtent(symbol, node);
  return symbol;
}

ShapeInfo ShapeAnalysis::makeLeaf(Value value) {
  NodeId node = table.addValue(value);
  std::optional<ArrayRef<int64_t>> extents =
      getDeclaredExtents(value.getType());
  if (!extents)
    return {node, Shape::unranked()};
  Shape shape;
  for (size_t axis = 0; axis < extents->size(); ++axis) {
    Extent extent = getDeclared(value.getType(), *extents, axis);
    shape.push_back(extent.isDynamic() ? createSymbol(node, axis) : extent);
  }
  return {node, shape};
}

void ShapeAnalysis::setInfo(ValueRange values, const ShapeInfo &info) {
  if (infos.empty() || infos.back().node != info.node ||
      infos.back().shape != info.shape)
    infos.push_back(info);
  for (Value value : values)
    infoOf[value] = infos.size() - 1;
}

void ShapeAnalysis::setUnknown(Value value) {
  // A list of integers has a shape and, in the scalar analysis, its elements.
  scalars.forget(value);
  if (hasShape(value.getType()))
    setInfo(value, makeLeaf(value));
}

void ShapeAnalysis::setOpen(Value value) {
  setUnknown(value);
  if (hasShape(value.getType()))
    if (const Shape &shape = infos.back().shape; shape.isRanked())
      for (Extent extent : shape)
        if (extent.isSymbol())
          openSymbols.insert(extent.symbolId());
}

bool ShapeAnalysis::isOpen(Extent extent) const {
  if (openSymbols.empty() || !extent.isSymbol())
    return false;
  SmallVector<SymbolId> work{extent.symbolId()};
  llvm::SmallDenseSet<SymbolId> seen;
  while (!work.empty() && seen.size() <= Symbols::kMaxMembers) {
    SymbolId id = work.pop_back_val();
    if (openSymbols.contains(id))
      return true;
    const Number *definition = getDefinition(numbers, id);
    if (!definition || !seen.insert(id).second)
      continue;
    forEachLeaf(numbers, *definition, [&](AtomId leaf) {
      if (numbers.getAtom(leaf).kind == Atom::Kind::Symbol)
        work.push_back(numbers.getAtom(leaf).symbol);
    });
  }
  return false;
}

void ShapeAnalysis::setSame(Value value, Value other) {
  if (hasShape(value.getType()))
    setInfo(value, getInfo(other));
  else if (value.getType() == other.getType())
    scalars.setSame(value, other);
}

void ShapeAnalysis::replace(Value from, Value to) {
  scalars.replace(from, to);
  auto it = infoOf.find(from);
  if (it == infoOf.end())
    return;
  unsigned info = it->second;
  infoOf.erase(it);
  infoOf[to] = info;
  table.replace(infos[info].node, from, to);
}

void ShapeAnalysis::setShape(Value value, const Shape &shape) {
  std::optional<ArrayRef<int64_t>> declared =
      getDeclaredExtents(value.getType());
  if (!shape.isRanked() || (declared && declared->size() != shape.rank()))
    return setUnknown(value);
  NodeId node = table.addValue(value);
  ShapeInfo info{node, Shape()};
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    int64_t counted = declared ? axis : int64_t(axis) - int64_t(shape.rank());
    Extent extent = shape[axis];
    if (extent.isSymbol())
      setSource(extent, node, counted);
    if (declared && !ShapedType::isDynamic((*declared)[axis])) {
      Extent fixed = getDeclared(value.getType(), *declared, axis);
      if (extent.isSymbol())
        learn(
            equal(numbers, numberOf(numbers, extent), numberOf(numbers, fixed)),
            "by a result's type");
      extent = fixed;
    }
    info.shape.push_back(extent.isDynamic() ? createSymbol(node, counted)
                                            : extent);
  }
  setInfo(value, info);
}

void ShapeAnalysis::setNumbers(Value value, ArrayRef<Number> extents) {
  Shape shape;
  for (const Number &extent : extents)
    shape.push_back(extentOf(numbers, extent));
  setShape(value, shape);
}

/// The source of a cast that changes the type and not the shape; null for other
/// values.
static Value getCastSource(Value value) {
  Operation *def = value.getDefiningOp();
  auto between = dyn_cast_or_null<UnrealizedConversionCastOp>(def);
  bool isCast = isa_and_nonnull<tensor::CastOp>(def) ||
                (between && between.getNumOperands() == 1 &&
                 isUserType(between.getOperand(0).getType()));
  return isCast ? def->getOperand(0) : Value();
}

ShapeInfo ShapeAnalysis::getInfo(Value value) {
  auto it = infoOf.find(value);
  if (it == infoOf.end()) {
    // The walk may not have visited a cast.
    Value source = getCastSource(value);
    ShapeInfo info = source ? getInfo(source) : ShapeInfo();
    setInfo(value, source && info.shape.isRanked() ? info : makeLeaf(value));
    it = infoOf.find(value);
  }
  ShapeInfo info = infos[it->second];
  if (!info.shape.isRanked())
    if (std::optional<unsigned> rank = facts.getRank(info.node))
      info.shape = viewWithRank(info.node, *rank);
  return info;
}

Extent ShapeAnalysis::getExtentFromRight(NodeId node, int64_t axis) {
  auto [it, isNew] = extentsFromRight.try_emplace({node, axis});
  if (isNew)
    it->second = createSymbol(node, axis);
  return it->second;
}

Shape ShapeAnalysis::viewWithRank(NodeId node, int64_t rank) {
  Shape shape;
  for (int64_t axis = -rank; axis < 0; ++axis)
    shape.push_back(getExtentFromRight(node, axis));
  return shape;
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

ShapeInfo ShapeAnalysis::makeBroadcast(ArrayRef<ShapeInfo> operands,
                                       int64_t rank) {
  std::vector<ShapeView> views;
  for (const ShapeInfo &operand : operands)
    views.push_back(operand.shape);
  BroadcastOptions options;
  options.listConstraints = false;
  // With an unranked operand, the broadcast of the ranked ones is not the shape
  // of the result.
  if (llvm::all_of(views, [](ShapeView view) { return view.isRanked(); }))
    options.fresh = &symbols;
  SymbolId firstNew = symbols.size();
  Broadcast result = broadcast(views, prover, options);
  ShapeInfo info{table.getBroadcast(operands), result.refined()};
  if (result.hasUnranked) {
    if (rank >= 0)
      info.shape = viewWithRank(info.node, rank);
    return info;
  }
  // Defines the symbols that the broadcast joined. bcast-2
  for (size_t axis = 0; axis < info.shape.rank(); ++axis) {
    Extent extent = info.shape[axis];
    if (!extent.isSymbol() || extent.symbolId() < firstNew)
      continue;
    std::vector<Extent> parts;
    for (ShapeView view : views)
      if (Extent part = view.alignedTo(info.shape.rank(), axis);
          !part.isFixed(1))
        parts.push_back(part);
    defineJoin(numbers, extent, parts);
  }
  return info;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void ShapeAnalysis::forget(Operation *op) {
  if (!revisits)
    return;
  for (Value result : op->getResults()) {
    infoOf.erase(result);
    scalars.forget(result);
  }
}

void ShapeAnalysis::visit(Operation *op) {
  if (op->getNumResults() == 0)
    return;
  forget(op);
  if (visitLoom(op) || visitShape(op) || visitTensor(op) || scalars.visit(op))
    return;
  if (auto call = dyn_cast<func::CallOp>(op)) {
    if (calls)
      calls->apply(call, *this);
    return;
  }
  // The results of regions are known once the regions have been walked.
  if (op->getNumRegions() != 0)
    return;
  visitFunction(op);
}

bool ShapeAnalysis::areEqual(const ShapeInfo &a, const ShapeInfo &b) const {
  if (a.node == b.node)
    return true;
  if (!a.shape.isRanked() || !b.shape.isRanked() ||
      a.shape.rank() != b.shape.rank())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.shape, b.shape))
    if (!prover.equal(x, y).isProved())
      return false;
  return true;
}
