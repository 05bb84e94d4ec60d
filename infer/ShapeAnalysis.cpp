//===- ShapeAnalysis.cpp - the shapes of a function's tensors -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/ShapeAnalysis.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Beyond this many leaves a broadcast of unranked shapes is taken as it is:
/// sets of them would make a long chain quadratic.
static constexpr size_t kMaxLeaves = 64;

/// The extents of a shaped type or of a `!loom.shape`; none where unranked.
static std::optional<ArrayRef<int64_t>> getExtents(Type type) {
  if (auto shape = dyn_cast<loom::ShapeType>(type)) {
    if (shape.getRanked())
      return shape.getExtents();
    return std::nullopt;
  }
  if (auto shaped = dyn_cast<ShapedType>(type))
    if (shaped.hasRank())
      return shaped.getShape();
  return std::nullopt;
}

static bool hasShape(Type type) {
  return isa<ShapedType, loom::ShapeType>(type);
}

//===----------------------------------------------------------------------===//
// Leaves and symbols
//===----------------------------------------------------------------------===//

Extent ShapeAnalysis::createSymbol(ExtentSource source) {
  Extent symbol = symbols.create();
  sources.resize(symbol.symbolId() + 1);
  sources.back() = std::move(source);
  return symbol;
}

ShapeInfo ShapeAnalysis::makeLeaf(Value value) {
  NodeId node = nodes.size();
  nodes.push_back({value, {}});
  std::optional<ArrayRef<int64_t>> extents = getExtents(value.getType());
  if (!extents)
    return {node, Shape::unranked()};
  Shape shape;
  for (auto [axis, extent] : llvm::enumerate(*extents))
    shape.push_back(ShapedType::isDynamic(extent)
                        ? createSymbol({node, static_cast<int64_t>(axis), {}})
                        : Extent::fixed(extent));
  return {node, shape};
}

void ShapeAnalysis::setInfo(ValueRange values, const ShapeInfo &info) {
  if (infos.empty() || infos.back().node != info.node ||
      infos.back().shape != info.shape)
    infos.push_back(info);
  for (Value value : values)
    infoOf.try_emplace(value, infos.size() - 1);
}

ShapeInfo ShapeAnalysis::getInfo(Value value) {
  auto it = infoOf.find(value);
  if (it == infoOf.end()) {
    setInfo(value, makeLeaf(value));
    return infos.back();
  }
  ShapeInfo info = infos[it->second];
  if (!info.shape.isRanked())
    if (auto rank = ranks.find(info.node); rank != ranks.end())
      info.shape = viewWithRank(info.node, rank->second);
  return info;
}

Extent ShapeAnalysis::getExtentFromRight(NodeId node, int64_t axis) {
  auto [it, isNew] = extentsFromRight.try_emplace({node, axis});
  if (isNew)
    it->second = createSymbol({node, axis, {}});
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

NodeId ShapeAnalysis::internBroadcast(ArrayRef<ShapeInfo> operands) {
  std::vector<NodeId> key;
  for (const ShapeInfo &operand : operands)
    // A scalar changes nothing; the last one stays, to have an operand.
    if (!operand.shape.isRanked() || operand.shape.rank() > 0 ||
        (key.empty() && &operand == &operands.back()))
      key.push_back(operand.node);
  llvm::sort(key);
  key.erase(std::unique(key.begin(), key.end()), key.end());
  if (key.size() == 1)
    return key.front();
  auto [it, isNew] = broadcasts.try_emplace(key, nodes.size());
  if (isNew)
    nodes.push_back({Value(), SmallVector<NodeId, 2>(key.begin(), key.end())});
  return it->second;
}

ShapeInfo ShapeAnalysis::makeBroadcast(ArrayRef<ShapeInfo> operands,
                                       int64_t rank) {
  std::vector<ShapeView> views;
  for (const ShapeInfo &operand : operands)
    views.push_back(operand.shape);
  BroadcastOptions options;
  options.listObligations = false;
  // What ranked operands give beside an unranked one is not the result's.
  if (llvm::all_of(views, [](ShapeView view) { return view.isRanked(); }))
    options.fresh = &symbols;
  Broadcast result = broadcast(views, prover, options);
  ShapeInfo info{internBroadcast(operands), result.refined()};
  if (result.hasUnranked) {
    if (rank >= 0)
      info.shape = viewWithRank(info.node, rank);
    return info;
  }
  // The recipes of the joins that were made. bcast-2
  for (size_t axis = 0; axis < info.shape.rank(); ++axis) {
    Extent extent = info.shape[axis];
    if (!extent.isSymbol() || extent.symbolId() < sources.size())
      continue;
    sources.resize(extent.symbolId() + 1);
    for (ShapeView view : views)
      if (Extent part = view.alignedTo(info.shape.rank(), axis);
          !part.isFixed(1))
        sources.back().parts.push_back(part);
  }
  return info;
}

std::vector<NodeId> ShapeAnalysis::getLeaves(ArrayRef<NodeId> roots) const {
  std::vector<NodeId> work(roots.begin(), roots.end());
  std::set<NodeId> leaves;
  for (size_t i = 0; i < work.size(); ++i) {
    if (i >= kMaxLeaves) {
      leaves.clear();
      leaves.insert(roots.begin(), roots.end());
      break;
    }
    const ShapeNode &node = nodes[work[i]];
    if (node.value)
      leaves.insert(work[i]);
    else
      work.insert(work.end(), node.operands.begin(), node.operands.end());
  }
  return {leaves.begin(), leaves.end()};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void ShapeAnalysis::visit(Operation *op) {
  auto broadcastOf = [&](ValueRange operands) {
    SmallVector<ShapeInfo> shapes;
    for (Value operand : operands)
      if (hasShape(operand.getType()))
        shapes.push_back(getInfo(operand));
    std::optional<ArrayRef<int64_t>> declared =
        getExtents(op->getResult(0).getType());
    ShapeInfo info =
        shapes.empty()
            ? makeLeaf(op->getResult(0))
            : makeBroadcast(shapes, declared ? declared->size() : -1);
    setInfo(op->getResults(), info);
  };
  if (isa<loom::MapOp, loom::BroadcastOp>(op))
    return broadcastOf(op->getOperands());
  if (auto shapeOf = dyn_cast<loom::ShapeOfOp>(op)) {
    setInfo(shapeOf.getShape(), getInfo(shapeOf.getTensor()));
    return;
  }
  if (auto branch = dyn_cast<tosa::IfOp>(op)) {
    // Each branch sees the operands under names of its own.
    for (Region &region : branch->getRegions())
      for (auto [argument, operand] :
           llvm::zip(region.getArguments(), branch.getInputList()))
        setInfo(argument, getInfo(operand));
    return;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    // It changes what a type says of a shape, not the shape.
    ShapeInfo info = getInfo(cast.getSource());
    auto result = dyn_cast<RankedTensorType>(cast.getType());
    if (!info.shape.isRanked() && result)
      info.shape = viewWithRank(info.node, result.getRank());
    setInfo(cast.getResult(), info);
  }
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

//===----------------------------------------------------------------------===//
// Facts and their scopes
//===----------------------------------------------------------------------===//

void ShapeAnalysis::learnRank(NodeId node, unsigned rank) {
  if (ranks.try_emplace(node, rank).second)
    learnedRanks.push_back(node);
}

void ShapeAnalysis::learnBroadcast(std::vector<NodeId> leaves) {
  if (knownBroadcasts.insert(leaves).second)
    learnedBroadcasts.push_back(std::move(leaves));
}

bool ShapeAnalysis::isKnownToBroadcast(
    const std::vector<NodeId> &leaves) const {
  return leaves.size() < 2 || knownBroadcasts.count(leaves);
}

ShapeAnalysis::Scope::Scope(ShapeAnalysis &analysis)
    : analysis(analysis), symbolsMark(analysis.symbols.mark()),
      ranksMark(analysis.learnedRanks.size()),
      broadcastsMark(analysis.learnedBroadcasts.size()) {}

ShapeAnalysis::Scope::~Scope() {
  analysis.symbols.rollBack(symbolsMark);
  for (; analysis.learnedRanks.size() > ranksMark;
       analysis.learnedRanks.pop_back())
    analysis.ranks.erase(analysis.learnedRanks.back());
  for (; analysis.learnedBroadcasts.size() > broadcastsMark;
       analysis.learnedBroadcasts.pop_back())
    analysis.knownBroadcasts.erase(analysis.learnedBroadcasts.back());
}
