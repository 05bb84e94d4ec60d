//===- ProjectedBounds.cpp - bounds of loops in another order -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/ProjectedBounds.h"

#include "codegen/schedule/FormValues.h"
#include "legalize/memory/NestGuard.h"
#include "poly/FormVariables.h"
#include "poly/Implication.h"
#include "poly/OutputBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::NestNumbers;
using poly::Form;
using poly::Row;
using poly::Rows;

ProjectedBounds::ProjectedBounds(RewriterBase &b, ArrayRef<scf::ForOp> given,
                                 const InTiles &inTiles)
    : b(b), loops(given), loc(scf::ForOp(given.front()).getLoc()),
      roots(scf::ForOp(given.front())->getParentOfType<func::FuncOp>()),
      numbers(scf::ForOp(given.front()), NestNumbers::kAllSizes.front(),
              roots) {
  for (scf::ForOp loop : loops) {
    Form variable = numbers.domain.addLoop("loop", {}, {});
    read.push_back({variable, {}, {}, loop.getConstantStep()->getSExtValue()});
    // Whether numbers fit is asked of the loops that are made.
    numbers.set(loop.getInductionVar(), {variable, 1});
    InTile inTile = inTiles.lookup(loop);
    // The grid is that of the first iteration, wherever the tile begins.
    if (!readBounds(loop, inTile.first ? inTile.first : loop.getLowerBound(),
                    /*isUpper=*/false, variable, read.back().lowers) ||
        (inTile.begin && !readBounds(loop, inTile.begin, /*isUpper=*/false,
                                     variable, read.back().uppers)) ||
        !readBounds(loop, loop.getUpperBound(), /*isUpper=*/true, variable,
                    read.back().uppers))
      return;
  }
}

bool ProjectedBounds::refuse(const Twine &text, scf::ForOp loop) {
  because = text.str();
  culprit = loop;
  return false;
}

//===----------------------------------------------------------------------===//
// Projection
//===----------------------------------------------------------------------===//

/// The position of the innermost loop that `form` depends on.
std::optional<size_t> ProjectedBounds::getLast(const Form &form) const {
  for (size_t position = loops.size(); position-- > 0;)
    if (form.contains(poly::getVariable(relation.getOutput(position))))
      return position;
  return std::nullopt;
}

bool ProjectedBounds::project(ArrayRef<int64_t> order, bool ofTiles) {
  const poly::Space &space = numbers.domain.getSpace();
  poly::Signature signature;
  std::vector<poly::Variable> given;
  symbols.clear();
  auto add = [&](poly::Variable variable, Value value) {
    signature.symbols.push_back(space.getName(variable));
    given.push_back(variable);
    symbols.push_back(value);
  };
  b.setInsertionPoint(loops.front());
  for (auto &[variable, symbol] : numbers.symbols)
    add(variable, legalize::computeSymbol(b, loc, symbol));
  for (auto &[variable, value] : opaque)
    add(variable, value);
  signature.outputs.assign(order.size(), "loop");
  relation = poly::Relation(std::move(signature));
  poly::Import import(space, relation.getSpace(), {});
  for (auto [number, variable] : llvm::enumerate(given))
    import.set(variable, relation.getSymbol(number));
  for (auto [position, number] : llvm::enumerate(order))
    import.set(poly::getVariable(read[number].variable),
               relation.getOutput(position));

  Rows all;
  std::vector<std::pair<Rows, Rows>> own;
  for (const Loop &loop : read) {
    own.push_back({import.take(loop.lowers), import.take(loop.uppers)});
    llvm::append_range(all, own.back().first);
    llvm::append_range(all, own.back().second);
  }
  // The elimination is for sets that have a point for some symbols.
  isEmpty = poly::provesEmpty(relation.getSpace(), all);
  if (isEmpty)
    return true;
  poly::OutputBounds bounds = poly::boundOutputs(relation, all);
  if (bounds.limit != poly::Limit::None)
    return refuse(std::string("the bounds of the loops in the new order are "
                              "not known, because ") +
                      poly::describe(bounds.limit),
                  loops.front());

  placed.clear();
  Rows facts;
  for (size_t position = 0; position < order.size(); ++position) {
    const Loop &loop = read[order[position]];
    auto isHere = [&](const Row &row) { return getLast(row.form) == position; };
    auto &[lowers, uppers] = own[order[position]];
    // Where the first iteration of a loop depends on those inside of it, the
    // loop has all numbers, and what is inside asks which are of its grid.
    bool hasGrid = loop.step != 1 && !ofTiles && llvm::all_of(lowers, isHere);
    Placed here = {{}, {}, hasGrid ? loop.step : 1, {}};
    if (loop.step != 1 && !ofTiles && !hasGrid)
      here.asked = lowers;
    // The program's own inequalities stay, whatever follows from them.
    for (const auto &[ofLowers, ofUppers] : own)
      for (const Rows *rows : {&ofLowers, &ofUppers})
        if (!hasGrid || rows != &lowers)
          llvm::copy_if(*rows, std::back_inserter(here.rows), isHere);
    if (hasGrid) {
      here.origin = lowers;
      llvm::append_range(facts, lowers);
    }
    const poly::BoundedVariable &bounded = bounds.variables[position];
    Form variable = Form::variable(bounded.variable);
    // Lower bounds that follow are not those of a step's grid.
    if (!hasGrid)
      for (const poly::Bound &bound : bounded.lowers)
        here.rows.push_back(poly::getRow(variable, bound, /*isUpper=*/false));
    for (const poly::Bound &bound : bounded.uppers)
      here.rows.push_back(poly::getRow(variable, bound, /*isUpper=*/true));
    poly::leaveOutImplied(relation.getSpace(), facts, here.rows);
    llvm::append_range(facts, here.rows);
    placed.push_back(std::move(here));
  }
  steps = llvm::map_to_vector(
      order, [&](int64_t number) { return read[number].step; });
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value ProjectedBounds::getNumber(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value ProjectedBounds::compute(const Form &form) {
  return computeForm(
      b, loc, relation.getSpace(), form, [&](poly::Variable variable) {
        return variable < symbols.size() ? symbols[variable]
                                         : variables[variable - symbols.size()];
      });
}

Value ProjectedBounds::solve(const Row &row, size_t position) {
  auto [factor, rest] =
      row.form.split(poly::getVariable(relation.getOutput(position)));
  int64_t coefficient = factor.getConstant();
  Form value = coefficient > 0 ? -rest : rest;
  int64_t by = std::abs(coefficient);
  // x <= floor(v / d) is x < floor((v + d) / d).
  if (coefficient < 0)
    value = value + by;
  return divideBound(b, loc, compute(value), by, coefficient < 0);
}

SmallVector<Value> ProjectedBounds::solveAll(const Rows &rows, size_t position,
                                             bool ofUppers) {
  poly::Variable variable = poly::getVariable(relation.getOutput(position));
  SmallVector<Value> bounds;
  for (const Row &row : rows) {
    bool isUpper = row.form.split(variable).first.getConstant() < 0;
    if (isUpper == ofUppers)
      bounds.push_back(solve(row, position));
    if (row.isZero && isUpper != ofUppers)
      bounds.push_back(solve({-row.form, true}, position));
  }
  return bounds;
}

std::pair<Value, Value> ProjectedBounds::compute(size_t position,
                                                 ArrayRef<Value> outer) {
  if (isEmpty)
    return {getNumber(0), getNumber(0)};
  variables = outer.vec();
  const Placed &here = placed[position];
  SmallVector<Value> lowers = solveAll(here.rows, position, /*ofUppers=*/false);
  if (here.step != 1) {
    Value origin = joinBounds(
              b, loc, solveAll(here.origin, position, /*ofUppers=*/false),
              /*isLeast=*/false),
          step = getNumber(here.step);
    for (Value &lower : lowers)
      lower = makeOfBounds<arith::AddIOp>(
          b, loc, origin,
          makeOfBounds<arith::MulIOp>(
              b, loc,
              makeOfBounds<arith::CeilDivSIOp>(
                  b, loc, makeOfBounds<arith::SubIOp>(b, loc, lower, origin),
                  step),
              step));
    lowers.insert(lowers.begin(), origin);
  }
  return {joinBounds(b, loc, lowers, /*isLeast=*/false),
          joinBounds(b, loc, solveAll(here.rows, position, /*ofUppers=*/true),
                     /*isLeast=*/true)};
}

Value ProjectedBounds::computeIsOfGrids(ArrayRef<Value> outer) {
  Value all;
  if (isEmpty)
    return all;
  variables = outer.vec();
  for (size_t position = 0; position < placed.size(); ++position) {
    if (placed[position].asked.empty())
      continue;
    Value first = joinBounds(
              b, loc,
              solveAll(placed[position].asked, position, /*ofUppers=*/false),
              /*isLeast=*/false),
          step = getNumber(steps[position]);
    Value distance =
        makeOfBounds<arith::SubIOp>(b, loc, variables[position], first);
    Value whole = makeOfBounds<arith::MulIOp>(
        b, loc, makeOfBounds<arith::FloorDivSIOp>(b, loc, distance, step),
        step);
    Value isOf = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       distance, whole);
    all = legalize::both(b, loc, all, isOf);
  }
  return all;
}

std::pair<Value, Value> ProjectedBounds::computeTiles(int64_t size) {
  if (isEmpty)
    return {getNumber(0), getNumber(0)};
  variables.clear();
  const Placed &first = placed.front();
  SmallVector<Value> lowers;
  for (const Rows *rows : {&first.origin, &first.rows})
    for (Value lower : solveAll(*rows, 0, /*ofUppers=*/false))
      lowers.push_back(makeOfBounds<arith::MulIOp>(
          b, loc,
          makeOfBounds<arith::FloorDivSIOp>(b, loc, lower, getNumber(size)),
          getNumber(size)));
  return {joinBounds(b, loc, lowers, /*isLeast=*/false),
          joinBounds(b, loc, solveAll(first.rows, 0, /*ofUppers=*/true),
                     /*isLeast=*/true)};
}
