//===- SetReader.cpp - sets of accesses and calls in a function -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/SetReader.h"

#include "dialect/MemoryLayouts.h"
#include "dialect/MemoryViews.h"
#include "poly/FormVariables.h"
#include "poly/RelationText.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <cmath>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static constexpr llvm::StringLiteral kUnknownExtents =
    "extents of the memory that it accesses are not affine in the function's "
    "arguments";
/// Conjunctions that the way to an access is made of.
static constexpr size_t kMostParts = 16;

Value legalize::stripCasts(Value memory) {
  for (;;) {
    Operation *op = memory.getDefiningOp();
    if (!isa_and_nonnull<memref::CastOp, memref::MemorySpaceCastOp>(op) ||
        !isa<MemRefType>(op->getOperand(0).getType()) ||
        !isa<MemRefType>(memory.getType()))
      return memory;
    memory = op->getOperand(0);
  }
}

/// Leaves out the symbols that no row has.
static void leaveOutUnused(EffectSet &effect) {
  const poly::Relation &all = effect.set;
  const poly::Space &space = all.getSpace();
  std::vector<bool> isUsed(all.getNumVariables());
  auto visit = [&](auto &&self, const poly::Form &form) -> void {
    for (const poly::Form::Term &term : form.getTerms()) {
      poly::Variable factor = term.monomial.getFactor(0);
      if (const poly::Space::Quotient *quotient = space.getQuotient(factor))
        self(self, quotient->numerator);
      else if (factor < isUsed.size())
        isUsed[factor] = true;
    }
  };
  for (const poly::Rows &part : all.getParts())
    for (const poly::Row &row : part)
      visit(visit, row.form);
  poly::Signature signature;
  signature.outputs = all.getSignature().outputs;
  SmallVector<loom::ScalarReference> scalars;
  for (size_t i = 0; i < effect.scalars.size(); ++i)
    if (isUsed[i]) {
      signature.symbols.push_back(all.getSignature().symbols[i]);
      scalars.push_back(effect.scalars[i]);
    }
  poly::Relation left(signature);
  std::vector<poly::Form> base;
  for (size_t i = 0, next = 0; i < effect.scalars.size(); ++i)
    base.push_back(isUsed[i] ? left.getSymbol(next++) : poly::Form(0));
  llvm::append_range(base, left.getOutputs());
  poly::Import import(all, left.getSpace(), std::move(base));
  for (const poly::Rows &part : all.getParts())
    left.addPart(import.take(part));
  effect.set = std::move(left);
  effect.scalars = std::move(scalars);
}

/// Whether the text of a relation is surely within the limits for one.
static bool isShort(const poly::Relation &set) {
  constexpr size_t kMostNames = 16, kMostRows = 16;
  size_t numRows = 0;
  for (const poly::Rows &part : set.getParts())
    for (const poly::Row &row : part) {
      bool isPlain =
          llvm::all_of(row.form.getTerms(), [&](const poly::Form::Term &term) {
            return term.monomial.isVariable() &&
                   term.monomial.getFactor(0) < set.getNumVariables();
          });
      if (!isPlain || ++numRows > kMostRows)
        return false;
    }
  return set.getNumVariables() <= kMostNames;
}

/// The sets of the way that `reader` has read, and of one of the alternatives.
/// `set` has all but the relation.
std::optional<EffectSet> SetReader::make(EffectSet set,
                                         const NestReader &reader,
                                         ArrayRef<poly::Form> extents,
                                         GetAlternatives getAlternatives) {
  poly::Signature signature;
  for (const auto &[variable, symbol] : reader.getSymbols()) {
    auto argument = dyn_cast<BlockArgument>(symbol.value);
    if (!argument || argument.getOwner() != &func.getBody().front())
      return refuse("it depends on a number that is no argument and no extent "
                    "of one");
    set.scalars.push_back({argument.getArgNumber(), symbol.axis});
    signature.symbols.push_back(names.get(set.scalars.back()));
  }
  for (unsigned axis = 0; axis < extents.size(); ++axis)
    signature.outputs.push_back(ScalarNames::getOutput(axis));
  set.set = poly::Relation(signature);
  poly::Import import(reader.getDomain().getSpace(), set.set.getSpace(), {});
  for (const auto &[i, symbol] : llvm::enumerate(reader.getSymbols()))
    import.set(symbol.first, set.set.getSymbol(i));

  std::optional<Alternatives> parts = reader.getDomain().getParts(kMostParts);
  if (!parts) {
    set.makeUnsure("there are too many cases in the conditions around it");
    parts = Alternatives{{}};
  }
  Alternatives all, alternatives = getAlternatives(set.set, import);
  for (const poly::Rows &part : *parts) {
    poly::Rows way = import.take(part);
    for (const poly::Rows &alternative : alternatives) {
      llvm::append_range(all.emplace_back(way), alternative);
      size_t before = all.back().size();
      llvm::erase_if(all.back(), [&](const poly::Row &row) {
        return !poly::isAffine(set.set.getSpace(), row.form);
      });
      if (all.back().size() == before)
        continue;
      set.makeUnsure("it depends on a product of numbers that a call gives");
    }
  }
  set.room = std::min(set.room, reader.getRoom());
  poly::Limits limits = poly::relationLimits();
  for (poly::Rows &rows : all) {
    // An element that is accessed is inside.
    for (size_t axis = 0; axis < extents.size() && !set.kind.isSure; ++axis) {
      poly::addInside(set.set.getOutput(axis), import.take(extents[axis]),
                      rows);
    }
    if (poly::Limit limit = poly::addExisting(set.set, std::move(rows), limits);
        limit != poly::Limit::None)
      return refuse(poly::describe(limit));
  }
  leaveOutUnused(set);
  // A call that gets there fails, and accesses nothing.
  if (!extents.empty() &&
      loom::isOutside(set.set,
                      cast<MemRefType>(func.getArgumentTypes()[set.argument])))
    set.set = poly::Relation(set.set.getSignature());
  // What exists may be too much for whoever reads the text.
  if (isShort(set.set))
    return set;
  poly::ParsedRelation text = poly::parseRelation(poly::print(set.set));
  if (!text.relation)
    return refuse("of its set, " + text.error->message);
  return set;
}

std::optional<SmallVector<poly::Form>>
SetReader::getExtents(NestReader &reader, unsigned argument) {
  Value memory = func.getArgument(argument);
  SmallVector<poly::Form> extents;
  for (int64_t axis :
       llvm::seq<int64_t>(0, cast<MemRefType>(memory.getType()).getRank())) {
    std::optional<poly::Form> extent = reader.getExtent(memory, axis);
    if (!extent)
      return std::nullopt;
    extents.push_back(*extent);
  }
  return extents;
}

/// Says that the outputs are these subscripts, where they are known.
static void addEqual(const Subscripts &subscripts, poly::Relation &relation,
                     poly::Import &import, poly::Rows &rows) {
  for (const auto &[axis, index] : llvm::enumerate(subscripts))
    if (index)
      rows.push_back(
          poly::isZero(relation.getOutput(axis) - import.take(index->form)));
}

/// The subscripts in `root` of what an operation accesses by an operand.
static std::optional<Subscripts> getSubscripts(OpOperand &accessed, Value root,
                                               NestReader &reader) {
  Operation *op = accessed.getOwner();
  Value memory = accessed.get();
  if (MemoryAccess::isAccess(op) || MemoryAccess::isAtomic(op))
    return reader.getSubscripts(MemoryAccess::get(op), root);
  // Of memory whose shape is a set, the elements are fewer.
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type || loom::getSetShape(type))
    return std::nullopt;
  if (auto loops = dyn_cast<linalg::LinalgOp>(op))
    return reader.getOfIterations(loops, accessed, root);
  // A call that returns has copied all elements (mem-4).
  std::optional<std::pair<Subscripts, Subscripts>> element =
      reader.getAnyElement(memory, root);
  return element ? std::optional(element->second) : std::nullopt;
}

std::optional<EffectSet>
SetReader::readAccess(OpOperand &accessed, unsigned argument, bool isWrite) {
  Operation *op = accessed.getOwner();
  NestReader reader = makeReader();
  EffectSet set{argument, {isWrite, true}, poly::Relation({}), {}, op, ""};
  if (!reader.readInFunction(op)) {
    set.makeUnsure("a loop or a condition around it is not affine in the "
                   "function's arguments");
  }
  NestReader ofExtents = makeReader(), ofEntry = makeReader();
  bool areKnown =
      ofExtents.readInFunction(op) && readChecks(ofExtents, op).areKnown;
  // Of the entry block, that is an assumption.
  set.comparesExtents =
      (isInEntry(op) ? ofEntry : reader).requireEqualExtents(op);
  set.comparesUnknown = set.comparesExtents && !areKnown;
  std::optional<Subscripts> indices =
      getSubscripts(accessed, func.getArgument(argument), reader);
  if (!indices)
    return refuse(kUnknownExtents.str());
  if (!llvm::all_of(*indices, [](auto &index) { return bool(index); }))
    set.makeUnsure("a subscript is not affine in the function's arguments");
  std::optional<SmallVector<poly::Form>> extents = getExtents(reader, argument);
  if (!extents)
    return refuse(kUnknownExtents.str());
  return make(std::move(set), reader, *extents,
              [&](poly::Relation &relation, poly::Import &import) {
                poly::Rows rows;
                addEqual(*indices, relation, import, rows);
                return Alternatives{rows};
              });
}

SetReader::Scalars SetReader::getScalars(NestReader &reader, func::CallOp call,
                                         const EffectSet &called) {
  Scalars scalars;
  for (loom::ScalarReference scalar : called.scalars) {
    Value operand = call.getOperand(scalar.argument);
    if (scalar.isExtent()) {
      scalars.numbers.push_back(reader.getExtent(operand, scalar.axis));
      continue;
    }
    std::optional<NestNumbers::Bounded> number = reader.getNumber(operand);
    Type type = operand.getType();
    if (type.isIndex() || type.getIntOrFloatBitWidth() > 40) {
      double times = called.room * std::ldexp(1.0, 40) /
                     (number ? number->size : std::ldexp(1.0, 63));
      scalars.isTooLarge |= times <= 1;
      if (times <= 1)
        number.reset();
      else if (number && !number->form.isConstant())
        scalars.room = std::min(scalars.room, times);
    }
    scalars.numbers.push_back(number ? std::optional(number->form)
                                     : std::nullopt);
  }
  return scalars;
}

/// What stands for the scalars: any number where nothing is known.
std::vector<poly::Form> SetReader::getBase(const Scalars &scalars,
                                           poly::Relation &relation,
                                           poly::Import &import) {
  std::vector<poly::Form> base;
  for (const std::optional<poly::Form> &scalar : scalars.numbers)
    base.push_back(scalar ? import.take(*scalar)
                          : relation.getSpace().addUnknown("any"));
  return base;
}

std::optional<EffectSet> SetReader::readCall(func::CallOp call,
                                             const EffectSet &called,
                                             unsigned argument) {
  NestReader reader = makeReader();
  // Whether it is read first is asked of all sets together.
  EffectSet set{argument,
                {called.kind.isWrite, called.kind.isSure},
                poly::Relation({}),
                {},
                call,
                ""};
  if (!set.kind.isSure)
    set.because = kMayAccess.str();
  bool isReached = reader.readInFunction(call);
  if (!isReached) {
    set.makeUnsure("a loop or a condition around it is not affine in the "
                   "function's arguments");
  }
  Scalars scalars = getScalars(reader, call, called);
  // The called function's numbers may wrap, and be any.
  if (scalars.isTooLarge)
    return refuse("an operand may be so large that numbers of the called "
                  "function wrap around");
  set.room = scalars.room;
  if (!scalars.areKnown())
    set.makeUnsure("an operand is not affine in the function's arguments");
  set.comparesExtents = called.comparesExtents;
  set.comparesUnknown =
      called.comparesUnknown ||
      (called.comparesExtents && (!isReached || !scalars.areKnown()));
  // Of a view, an element and the one of the argument that it is.
  Value memory = call.getOperand(called.argument),
        root = func.getArgument(argument);
  std::optional<std::pair<Subscripts, Subscripts>> element;
  if (stripCasts(memory) != root) {
    element = reader.getAnyElement(memory, root);
    if (!element)
      return refuse(kUnknownExtents.str());
    if (!llvm::all_of(element->second, [](auto &index) { return bool(index); }))
      set.makeUnsure("it is about a view whose elements are not affine");
  }
  std::optional<SmallVector<poly::Form>> extents = getExtents(reader, argument);
  if (!extents)
    return refuse(kUnknownExtents.str());
  return make(
      std::move(set), reader, *extents,
      [&](poly::Relation &relation, poly::Import &import) {
        std::vector<poly::Form> base = getBase(scalars, relation, import);
        poly::Rows rows;
        if (element) {
          for (const auto &index : element->first)
            base.push_back(import.take(index->form));
          addEqual(element->second, relation, import, rows);
        } else {
          llvm::append_range(base, relation.getOutputs());
        }
        poly::Import ofCalled(called.set, relation.getSpace(), std::move(base));
        Alternatives alternatives;
        for (const poly::Rows &part : called.set.getParts()) {
          alternatives.push_back(ofCalled.take(part));
          llvm::append_range(alternatives.back(), rows);
        }
        return alternatives;
      });
}
