//===- PlaceSets.cpp - accesses to memory whose shape is a set ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/PlaceSets.h"

#include "dialect/ArgumentName.h"
#include "poly/PackedSet.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Computes formulas of words: none of their numbers wraps for extents that
/// have been checked.
class Formulas {
public:
  Formulas(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value get(int64_t number) {
    return arith::ConstantIndexOp::create(b, loc, number);
  }
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(b, loc, x, y);
  }

  /// What the divisor divides anyway is outside the division, so that places
  /// along the innermost axis are seen to follow one another.
  Value compute(const poly::CountFormula &formula, ArrayRef<Value> values) {
    Value whole = get(0), divided;
    auto append = [&](Value term, int64_t coefficient) {
      bool isWhole = coefficient % formula.divisor == 0;
      Value scaled = make<arith::MulIOp>(
          term, get(isWhole ? coefficient / formula.divisor : coefficient));
      Value &sum = isWhole ? whole : divided;
      sum = sum ? make<arith::AddIOp>(sum, scaled) : scaled;
    };
    for (const poly::Form::Term &term : formula.polynomial.getTerms())
      append(compute(term.monomial, values), term.coefficient);
    for (const poly::Rising &piece : formula.pieces)
      append(compute(piece, values), piece.coefficient);
    if (int64_t constant = formula.polynomial.getConstant())
      append(get(1), constant);
    if (!divided)
      return whole;
    Value quotient = formula.divisor == 2
                         ? make<arith::ShRSIOp>(divided, get(1))
                         : make<arith::DivSIOp>(divided, get(formula.divisor));
    return make<arith::AddIOp>(whole, quotient);
  }

private:
  Value compute(poly::Monomial monomial, ArrayRef<Value> values) {
    Value product = values[monomial.getFactor(0)];
    for (unsigned i = 1; i < monomial.getDegree(); ++i)
      product = make<arith::MulIOp>(product, values[monomial.getFactor(i)]);
    return product;
  }

  Value compute(const poly::Rising &piece, ArrayRef<Value> values) {
    Value of = make<arith::MaxSIOp>(compute({piece.of}, values), get(0));
    Value product = of;
    for (unsigned i = 1; i < piece.power; ++i)
      product = make<arith::MulIOp>(product, make<arith::AddIOp>(of, get(i)));
    return product;
  }

  OpBuilder &b;
  Location loc;
};

} // namespace

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Such a set has one symbol. Looks for the least value of it for which there
/// are as many elements as in `memory`, by halves.
Value SetPlacer::findSymbol(Value memory, loom::SetShapeAttr set) {
  OpBuilder b(func.getContext());
  b.setInsertionPointAfterValue(memory);
  Location loc = memory.getLoc();
  Formulas formulas(b, loc);
  const poly::PackedSet &packed = set.getPacked();
  Value given =
      memref::DimOp::create(b, loc, memory, formulas.get(0)).getResult();
  Value low = formulas.get(0),
        high = formulas.get((int64_t(1) << packed.bits) - 1);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{low.getType(), high.getType()}, ValueRange{low, high},
      [](OpBuilder &inner, Location at, ValueRange range) {
        Value isOpen = arith::CmpIOp::create(
            inner, at, arith::CmpIPredicate::slt, range[0], range[1]);
        scf::ConditionOp::create(inner, at, isOpen, range);
      },
      [&](OpBuilder &inner, Location at, ValueRange range) {
        Formulas within(inner, at);
        Value middle = within.make<arith::ShRSIOp>(
            within.make<arith::AddIOp>(range[0], range[1]), within.get(1));
        Value isLess =
            arith::CmpIOp::create(inner, at, arith::CmpIPredicate::slt,
                                  within.compute(packed.count, middle), given);
        Value next = within.make<arith::AddIOp>(middle, within.get(1));
        scf::YieldOp::create(
            inner, at,
            ValueRange{
                arith::SelectOp::create(inner, at, isLess, next, range[0]),
                arith::SelectOp::create(inner, at, isLess, range[1], middle)});
      });
  Value symbol = loop.getResult(0);
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
  Location loc = argument.getLoc();
  Formulas formulas(b, loc);
  const poly::CountFormula &formula = set.getPacked().count;
  Value before = formulas.make<arith::MaxSIOp>(
      formulas.make<arith::SubIOp>(symbol, formulas.get(1)), formulas.get(0));
  Value fewer = formulas.compute(formula, before),
        count = formulas.compute(formula, symbol);
  Value isExact =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count, given);
  std::string name = set.getSet().getSignature().symbols.front();
  std::string message = escapeTemplate(loom::getArgumentText(argument)) +
                        " has {0} elements, but the shape " +
                        set.getText().str() + " has {1} where " + name +
                        " is {2} and {3} where it is {4}";
  loom::RequireOp::create(b, func.getLoc(), isExact,
                          b.getStringAttr(func::FuncOp::getOperationName()),
                          b.getStringAttr(message), b.getI64IntegerAttr(-1),
                          ValueRange{given, fewer, before, count, symbol});
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
  Formulas formulas(b, dim.getLoc());
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
    return Formulas(b, user->getLoc()).compute(set.getPacked().place, values);
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
        Formulas(b, op->getLoc()).compute(set.getPacked().count, symbols));
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
