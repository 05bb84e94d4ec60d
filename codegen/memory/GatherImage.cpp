//===- GatherImage.cpp - the first factor of a nest, as rows --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/GatherImage.h"
#include "codegen/memory/MovableValues.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

class ImageGatherer {
public:
  ImageGatherer(OpBuilder &b, const NestProduct &nest, ArrayRef<NestPart> parts,
                const IRMapping &first)
      : b(b), nest(nest), root(nest.loops.front()), loc(root.getLoc()),
        parts(parts), first(first) {}

  Value gather() {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    for (unsigned loop : nest.image.loops) {
      OpFoldResult extent = parts[loop].count;
      std::optional<int64_t> known = getConstantIntValue(extent);
      shape.push_back(known.value_or(ShapedType::kDynamic));
      if (!known)
        dynamic.push_back(cast<Value>(extent));
    }
    Type element =
        cast<MemRefType>(nest.image.memory.getType()).getElementType();
    Value memory =
        loom::AllocOp::create(b, loc, MemRefType::get(shape, element), dynamic,
                              Value(), -1)
            .getMemref();
    OpBuilder::InsertionGuard guard(b);
    IRMapping mapping;
    SmallVector<Value> indices;
    // What a condition does not depend on is within it.
    ArrayRef<unsigned> loops = nest.image.loops;
    size_t numAround = loops.size();
    while (numAround > 0 &&
           !llvm::is_contained(nest.conditionLoops, loops[numAround - 1]) &&
           !llvm::is_contained(nest.valueLoops, loops[numAround - 1]))
      --numAround;
    SmallVector<std::pair<Value, Value>> conditions = getConditions();
    openLoops(loops.take_front(numAround), mapping, indices);
    gatherPart(memory, loops.drop_front(numAround), conditions, mapping,
               indices);
    return memory;
  }

private:
  /// The conditions under which an element is gathered, and what it is where
  /// one does not hold. Null stands for 0: a product that is left out is one
  /// with 0.
  using Conditions = ArrayRef<std::pair<Value, Value>>;
  SmallVector<std::pair<Value, Value>> getConditions() {
    SmallVector<std::pair<Value, Value>> all;
    for (Value condition : nest.conditions)
      all.push_back({condition, Value()});
    llvm::append_range(all, nest.values);
    return all;
  }

  void openLoops(ArrayRef<unsigned> loops, IRMapping &mapping,
                 SmallVectorImpl<Value> &indices) {
    for (unsigned loop : loops) {
      auto made = scf::ForOp::create(
          b, loc, getNumber(0),
          getValueOrCreateConstantIndexOp(b, loc, parts[loop].count),
          getNumber(1));
      b.setInsertionPoint(made.getBody()->getTerminator());
      Value variable = made.getInductionVar();
      indices.push_back(variable);
      if (auto done = dyn_cast<Value>(parts[loop].first))
        variable = arith::AddIOp::create(b, loc, done, variable);
      scf::ForOp original = nest.loops[loop];
      Value lower = first.lookup(original.getInductionVar());
      variable = b.createOrFold<arith::AddIOp>(loc, lower, variable);
      mapping.map(original.getInductionVar(), variable);
    }
  }

  /// Stores the elements that `loops` go through, or what they are otherwise.
  void gatherPart(Value memory, ArrayRef<unsigned> loops, Conditions conditions,
                  IRMapping &mapping, SmallVector<Value> indices) {
    OpBuilder::InsertionGuard guard(b);
    if (!conditions.empty()) {
      Value condition = compute(conditions.front().first, mapping);
      auto branch =
          scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
      fill(memory, loops, indices, conditions.front().second, mapping);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
      return gatherPart(memory, loops, conditions.drop_front(), mapping,
                        indices);
    }
    openLoops(loops, mapping, indices);
    SmallVector<Value> from;
    for (Value index : nest.image.indices)
      from.push_back(compute(index, mapping));
    auto load = memref::LoadOp::create(b, loc, nest.image.memory, from);
    load->setDiscardableAttrs(
        memref::LoadOp(nest.imageLoad)->getDiscardableAttrDictionary());
    memref::StoreOp::create(b, loc, load, memory, indices);
  }

  void fill(Value memory, ArrayRef<unsigned> loops, SmallVector<Value> indices,
            Value value, IRMapping &around) {
    if (value)
      value = compute(value, around);
    IRMapping mapping;
    openLoops(loops, mapping, indices);
    Type element = cast<MemRefType>(memory.getType()).getElementType();
    if (!value)
      value = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    memref::StoreOp::create(b, loc, value, memory, indices);
  }

  /// What `value` is in an iteration of the loops that gather.
  Value compute(Value value, IRMapping &mapping) {
    return codegen::compute(b, value, root, mapping);
  }

  Value getNumber(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  OpBuilder &b;
  const NestProduct &nest;
  scf::ForOp root;
  Location loc;
  ArrayRef<NestPart> parts;
  const IRMapping &first;
};

} // namespace

Value codegen::gatherImage(OpBuilder &b, const NestProduct &nest,
                           ArrayRef<NestPart> parts, const IRMapping &first) {
  return ImageGatherer(b, nest, parts, first).gather();
}
