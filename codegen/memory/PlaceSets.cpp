//===- PlaceSets.cpp - accesses to memory whose shape is a set ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/PlaceSets.h"

#include "legalize/sets/CountCheck.h"
#include "legalize/sets/SetFormulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using broadloom::legalize::SetFormulas;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Such a set has one symbol: the one for which there are as many elements as
/// in `memory`.
Value SetPlacer::findSymbol(Value memory, loom::SetShapeAttr set) {
  OpBuilder b(func.getContext());
  b.setInsertionPointAfterValue(memory);
  Location loc = memory.getLoc();
  SetFormulas formulas(b, loc);
  const poly::PackedSet &packed = set.getPacked();
  Value given =
      memref::DimOp::create(b, loc, memory, formulas.get(0)).getResult();
  Value symbol = formulas.findSymbol(packed, given);
  if (isOfCaller(memory))
    requireCount(b, cast<BlockArgument>(memory), set, given, symbol);
  return symbol;
}

/// Whether the memory may be any array.
bool SetPlacer::isOfCaller(Value memory) {
  auto argument = dyn_cast<BlockArgument>(memory);
  return func.isPublic() && argument &&
         argument.getOwner() == &func.getBody().front();
}

/// The caller's array has exactly the elements for the symbol.
void SetPlacer::requireCount(OpBuilder &b, BlockArgument argument,
                             loom::SetShapeAttr set, Value given,
                             Value symbol) {
  legalize::CountCheck check =
      legalize::checkCount(b, argument, set, given, symbol);
  loom::RequireOp::create(b, func.getLoc(), check.isExact,
                          b.getStringAttr(func::FuncOp::getOperationName()),
                          b.getStringAttr(check.message),
                          b.getI64IntegerAttr(-1), check.numbers);
}

/// Whether something asks for the extents of `memory`, or has places that
/// depend on them.
static bool needsSymbols(Value memory, loom::SetShapeAttr set) {
  const poly::CountFormula &place = set.getPacked().place;
  bool isByAll = false;
  for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol) {
    isByAll |= place.polynomial.contains(symbol);
    for (const poly::Rising &piece : place.pieces)
      isByAll |= piece.of.contains(symbol);
  }
  return llvm::any_of(memory.getUsers(), [&](Operation *user) {
    return isa<memref::DimOp>(user) ||
           (isByAll && isa<memref::LoadOp, memref::StoreOp>(user));
  });
}

/// The values of the symbols of the set, as far as they are needed. Numbers of
/// types stand at the function's entry.
SmallVector<Value> SetPlacer::getSymbols(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  loom::SetShapeAttr set = loom::getSetShape(type);
  OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
  SmallVector<Value> symbols;
  for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol)
    if (!type.isDynamicDim(symbol)) {
      symbols.push_back(arith::ConstantIndexOp::create(
          b, memory.getLoc(), type.getDimSize(symbol)));
    } else if (Operation *made = memory.getDefiningOp();
               isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(made)) {
      symbols.push_back(made->getOperand(type.getDynamicDimIndex(symbol)));
    } else if (isOfCaller(memory) || needsSymbols(memory, set)) {
      memory.setType(loom::getPlaces(type));
      symbols.push_back(findSymbol(memory, set));
    } else {
      symbols.push_back(Value());
    }
  return symbols;
}

//===----------------------------------------------------------------------===//
// What uses the memory
//===----------------------------------------------------------------------===//

/// The extent of an axis that may be computed, and has been checked.
static Value chooseExtent(memref::DimOp dim, loom::SetShapeAttr set,
                          MemRefType type, ArrayRef<Value> symbols) {
  OpBuilder b(dim);
  SetFormulas formulas(b, dim.getLoc());
  Value extent = formulas.get(0);
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    Value is = set.getNumSymbols() == 0 ? formulas.get(type.getDimSize(axis))
                                        : symbols[set.getSymbolAxis(axis)];
    Value isAxis =
        arith::CmpIOp::create(b, dim.getLoc(), arith::CmpIPredicate::eq,
                              dim.getIndex(), formulas.get(axis));
    extent = arith::SelectOp::create(b, dim.getLoc(), isAxis, is, extent);
  }
  return extent;
}

void SetPlacer::placeUser(Operation *user, MemRefType type,
                          ArrayRef<Value> symbols) {
  loom::SetShapeAttr set = loom::getSetShape(type);
  OpBuilder b(user);
  auto getPlace = [&](ValueRange indices) {
    SmallVector<Value> values(symbols);
    llvm::append_range(values, indices);
    return SetFormulas(b, user->getLoc())
        .compute(set.getPacked().place, values);
  };
  if (auto load = dyn_cast<memref::LoadOp>(user)) {
    load.getIndicesMutable().assign(getPlace(load.getIndices()));
  } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
    store.getIndicesMutable().assign(getPlace(store.getIndices()));
  } else if (auto dim = dyn_cast<memref::DimOp>(user)) {
    dim.replaceAllUsesWith(chooseExtent(dim, set, type, symbols));
    dim.erase();
  } else if (auto packed = dyn_cast<loom::PackedOp>(user)) {
    packed.replaceAllUsesWith(packed.getMemref());
    packed.erase();
  }
}

/// Memory for the elements of the set alone.
Value SetPlacer::replaceAllocation(Value memory, ArrayRef<Value> symbols) {
  Operation *op = memory.getDefiningOp();
  auto type = cast<MemRefType>(memory.getType());
  loom::SetShapeAttr set = loom::getSetShape(type);
  OpBuilder b(op);
  MemRefType places = loom::getPlaces(type);
  SmallVector<Value> sizes;
  if (!places.hasStaticShape())
    sizes.push_back(
        SetFormulas(b, op->getLoc()).compute(set.getPacked().count, symbols));
  auto make = [&](auto old) -> Value {
    using Op = decltype(old);
    auto made = Op::create(b, op->getLoc(), places, sizes);
    if (IntegerAttr alignment = old.getAlignmentAttr())
      made.setAlignmentAttr(alignment);
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return made;
  };
  Value made = isa<memref::AllocOp>(op) ? make(cast<memref::AllocOp>(op))
                                        : make(cast<memref::AllocaOp>(op));
  memory.replaceAllUsesWith(made);
  op->erase();
  return made;
}

void SetPlacer::place(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<Operation *> users = llvm::to_vector(memory.getUsers());
  SmallVector<Value> symbols = getSymbols(memory);
  // An operation may use the memory twice.
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (Operation *user : users)
    if (seen.insert(user).second)
      placeUser(user, type, symbols);
  if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
          memory.getDefiningOp()))
    replaceAllocation(memory, symbols);
  else
    memory.setType(loom::getPlaces(type));
}
