//===- ExtentEmitter.cpp - extents as values of a program -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ExtentEmitter.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include "infer/constraints/ConditionOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

struct ExtentEmitter::Site {
  Site(ExtentEmitter &owner, EmissionPoint point)
      : owner(owner), point(point), builder(point.block->getParentOp()),
        emitter(
            builder, builder.getUnknownLoc(), owner.analysis.getNumbers(),
            [&owner](SymbolId id) { return owner.symbols.lookup(id).value; },
            [&owner](SymbolId id) { return owner.isAvailable(id); },
            [&owner](AtomId id) {
              return owner.analysis.getScalars().getValue(id);
            }) {}

  /// New operations are emitted after those that exist at the point.
  template <typename Emit> Value emit(Location loc, Emit emit) {
    owner.setInsertionPoint(point);
    builder.restoreInsertionPoint(owner.builder.saveInsertionPoint());
    emitter.setLocation(loc);
    Value value = emit();
    if (builder.getInsertionPoint() != point.block->begin())
      if (Operation *op = &*std::prev(builder.getInsertionPoint());
          op != point.after)
        owner.last[{point.block, point.after}] = op;
    return value;
  }

  ExtentEmitter &owner;
  EmissionPoint point;
  OpBuilder builder;
  NumberEmitter emitter;
};

ExtentEmitter::~ExtentEmitter() = default;

ExtentEmitter::ExtentEmitter(FunctionOpInterface func, ShapeAnalysis &analysis)
    : analysis(analysis), entry(&func.getFunctionBody().front()),
      builder(func.getContext()) {
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.try_emplace(op, order.size());
    return isa<loom::MapOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

//===----------------------------------------------------------------------===//
// Insertion points
//===----------------------------------------------------------------------===//

static EmissionPoint getDefinitionPoint(Value value) {
  if (Operation *op = value.getDefiningOp())
    return {op->getBlock(), op};
  return {value.getParentBlock(), nullptr};
}

EmissionPoint ExtentEmitter::getLater(EmissionPoint a, EmissionPoint b) {
  if (a.block != b.block)
    return dominance.properlyDominates(a.block, b.block) ? b : a;
  if (!a.after || !b.after)
    return a.after ? a : b;
  return order.lookup(a.after) < order.lookup(b.after) ? b : a;
}

void ExtentEmitter::setInsertionPoint(EmissionPoint point) {
  if (Operation *op = last.lookup({point.block, point.after}))
    builder.setInsertionPointAfter(op);
  else if (point.after)
    builder.setInsertionPointAfter(point.after);
  else
    builder.setInsertionPointToStart(point.block);
}

EmissionPoint ExtentEmitter::getPoint(Extent extent) const {
  return extent.isSymbol() ? symbols.lookup(extent.symbolId()).point
                           : EmissionPoint{entry, nullptr};
}

EmissionPoint ExtentEmitter::getPoint(NodeId node) const {
  return shapes.lookup(node).point;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ExtentEmitter::getConstant(Location loc, int64_t value) {
  Value &constant = constants[value];
  if (!constant)
    constant = create<arith::ConstantIndexOp>({entry, nullptr}, loc, value);
  return constant;
}

Value ExtentEmitter::getFalse(Location loc) {
  if (!falseValue)
    falseValue = create<arith::ConstantIntOp>({entry, nullptr}, loc,
                                              /*value=*/0, /*width=*/1);
  return falseValue;
}

/// Emits `wanted` and the parts of it that do not exist yet, smaller numbers
/// first. Not recursive, because chains may be as long as the program.
template <typename EmittedMap, typename PartsOf, typename Emit>
static void emitInOrder(unsigned wanted, const EmittedMap &emitted,
                        PartsOf partsOf, Emit emit) {
  if (emitted.contains(wanted))
    return;
  SmallVector<unsigned> needed{wanted};
  llvm::DenseSet<unsigned> seen{wanted};
  for (size_t i = 0; i < needed.size(); ++i)
    partsOf(needed[i], [&](unsigned part) {
      if (!emitted.contains(part) && seen.insert(part).second)
        needed.push_back(part);
    });
  llvm::sort(needed);
  for (unsigned id : needed)
    emit(id);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

ExtentEmitter::Site &ExtentEmitter::getSite(EmissionPoint point) {
  std::unique_ptr<Site> &site = sites[{point.block, point.after}];
  if (!site)
    site = std::make_unique<Site>(*this, point);
  return *site;
}

bool ExtentEmitter::isAvailable(SymbolId symbol) {
  return analysis.getFacts().getSource(symbol).isKnown || isComputed(symbol);
}

bool ExtentEmitter::isComputed(SymbolId wanted) {
  const Numbers &numbers = analysis.getNumbers();
  // Definitions use smaller symbols only.
  emitInOrder(
      wanted, computed,
      [&](SymbolId id, auto need) {
        if (const Number *definition = getDefinition(numbers, id))
          forEachLeaf(numbers, *definition, [&](AtomId leaf) {
            if (numbers.getAtom(leaf).kind == Atom::Kind::Symbol)
              need(numbers.getAtom(leaf).symbol);
          });
      },
      [&](SymbolId id) {
        const Number *definition = getDefinition(numbers, id);
        bool isGood = definition != nullptr;
        if (definition)
          forEachLeaf(numbers, *definition, [&](AtomId leaf) {
            const Atom &atom = numbers.getAtom(leaf);
            if (atom.kind == Atom::Kind::Symbol)
              isGood &= analysis.getFacts().getSource(atom.symbol).isKnown ||
                        computed.lookup(atom.symbol);
            else
              isGood &= bool(analysis.getScalars().getValue(leaf));
          });
        computed[id] = isGood;
      });
  return computed.lookup(wanted);
}

EmissionPoint ExtentEmitter::getLeafPoint(Location loc, AtomId leaf) {
  const Atom &atom = analysis.getNumbers().getAtom(leaf);
  if (atom.kind == Atom::Kind::Unknown)
    return getDefinitionPoint(analysis.getScalars().getValue(leaf));
  getExtent(loc, Extent::symbol(atom.symbol));
  return getPoint(Extent::symbol(atom.symbol));
}

EmissionPoint ExtentEmitter::getPoint(Location loc, const Number &number) {
  EmissionPoint point{entry, nullptr};
  forEachLeaf(analysis.getNumbers(), number, [&](AtomId leaf) {
    point = getLater(point, getLeafPoint(loc, leaf));
  });
  return point;
}

EmissionPoint ExtentEmitter::getConditionPoint(Location loc,
                                               ConditionId condition) {
  EmissionPoint point{entry, nullptr};
  forEachLeafOf(analysis.getNumbers(), condition, [&](AtomId leaf) {
    point = getLater(point, getLeafPoint(loc, leaf));
  });
  return point;
}

bool ExtentEmitter::canEmit(const Number &number) {
  return getSite({entry, nullptr}).emitter.canEmit(number);
}

bool ExtentEmitter::canEmitCondition(ConditionId condition) {
  return getSite({entry, nullptr}).emitter.canEmitCondition(condition);
}

Value ExtentEmitter::getNumber(Location loc, const Number &number,
                               EmissionPoint point) {
  if (number.isConstant())
    return getConstant(loc, number.constant);
  // Its symbols are emitted before it, each at its own point.
  getPoint(loc, number);
  Site &site = getSite(point);
  return site.emit(loc, [&] { return site.emitter.emit(number); });
}

Value ExtentEmitter::getShown(Location loc, const Number &number,
                              EmissionPoint point) {
  if (isWord(analysis.getNumbers(), number))
    return getNumber(loc, number, point);
  getPoint(loc, number);
  Site &site = getSite(point);
  return site.emit(loc, [&] { return site.emitter.emitShown(number); });
}

Value ExtentEmitter::getCondition(Location loc, ConditionId condition,
                                  EmissionPoint point) {
  getConditionPoint(loc, condition);
  Site &site = getSite(point);
  return site.emit(loc, [&] { return site.emitter.emitCondition(condition); });
}

Value ExtentEmitter::getExtent(Location loc, Extent extent) {
  if (!extent.isSymbol())
    return getConstant(loc, extent.value());
  const Numbers &numbers = analysis.getNumbers();
  emitInOrder(
      extent.symbolId(), symbols,
      [&](SymbolId id, auto need) {
        if (isComputed(id))
          forEachLeaf(numbers, *getDefinition(numbers, id), [&](AtomId leaf) {
            if (numbers.getAtom(leaf).kind == Atom::Kind::Symbol)
              need(numbers.getAtom(leaf).symbol);
          });
      },
      [&](SymbolId id) { emitSymbol(loc, id); });
  return symbols.lookup(extent.symbolId()).value;
}

void ExtentEmitter::emitSymbol(Location loc, SymbolId id) {
  if (isComputed(id)) {
    const Number &definition = *getDefinition(analysis.getNumbers(), id);
    EmissionPoint point = getPoint(loc, definition);
    symbols[id] = {getNumber(loc, definition, point), point};
    return;
  }
  ExtentSource source = analysis.getFacts().getSource(id);
  const ShapeNode &node = analysis.getTable().getNode(source.node);
  if (node.value && isa<RankedTensorType>(node.value.getType())) {
    EmissionPoint point = getDefinitionPoint(node.value);
    Value axis = getConstant(loc, source.axis);
    Value dim = create<tensor::DimOp>(point, loc, node.value, axis);
    symbols[id] = {dim, point};
    return;
  }
  Value shape = getShape(loc, source.node);
  EmissionPoint point = getPoint(source.node);
  Value extent = create<loom::ExtentOp>(point, loc, shape,
                                        static_cast<uint64_t>(source.axis));
  symbols[id] = {extent, point};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value ExtentEmitter::getShape(Location loc, NodeId wanted) {
  emitInOrder(
      wanted, shapes,
      [&](NodeId id, auto need) {
        llvm::for_each(analysis.getTable().getNode(id).operands, need);
      },
      [&](NodeId id) { emitNode(loc, id); });
  return shapes.lookup(wanted).value;
}

/// Whether all extents of a tensor are known before the tensor is computed.
bool ExtentEmitter::isKnownBefore(const ShapeInfo &info) {
  return info.shape.isRanked() && llvm::all_of(info.shape, [&](Extent extent) {
           if (!extent.isSymbol() || isComputed(extent.symbolId()))
             return true;
           ExtentSource source =
               analysis.getFacts().getSource(extent.symbolId());
           return source.isKnown && source.node != info.node;
         });
}

/// Emits the shape of an operation's result from its extents if these are
/// available before the tensor, so that a guard on it can stand earlier (rt-1).
bool ExtentEmitter::emitBefore(Location loc, NodeId id) {
  // The source of an extent may again be the shape of a tensor.
  constexpr unsigned kDeep = 64;
  Value value = analysis.getTable().getNode(id).value;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  EmissionPoint definition = getDefinitionPoint(value), point{entry, nullptr};
  if (!type || !definition.after || depth > kDeep)
    return false;
  ShapeInfo info = analysis.getInfo(value);
  if (info.node != id || !isKnownBefore(info))
    return false;
  llvm::SaveAndRestore level(depth, depth + 1);
  SmallVector<Value> extents;
  for (Extent extent : info.shape) {
    extents.push_back(getExtent(loc, extent));
    point = getLater(point, getPoint(extent));
  }
  if (!(getLater(point, definition) == definition))
    return false;
  Value shape = create<loom::FromExtentsOp>(
      point, loc, loom::ShapeType::get(loc.getContext(), type), extents);
  shapes[id] = {shape, point};
  return true;
}

void ExtentEmitter::emitNode(Location loc, NodeId id) {
  const ShapeNode &node = analysis.getTable().getNode(id);
  if (node.value) {
    if (emitBefore(loc, id))
      return;
    EmissionPoint point = getDefinitionPoint(node.value);
    Value shape = node.value;
    if (auto type = dyn_cast<ShapedType>(shape.getType()))
      shape = create<loom::ShapeOfOp>(
          point, loc, loom::ShapeType::get(loc.getContext(), type), shape);
    shapes[id] = {shape, point};
    return;
  }
  EmissionPoint point{entry, nullptr};
  SmallVector<Value> operands;
  for (NodeId operand : node.operands) {
    operands.push_back(getShape(loc, operand));
    point = getLater(point, getPoint(operand));
  }
  Type type = loom::ShapeType::get(loc.getContext(), /*ranked=*/false, {});
  Value shape = create<loom::BroadcastOp>(point, loc, type, operands);
  shapes[id] = {shape, point};
}
