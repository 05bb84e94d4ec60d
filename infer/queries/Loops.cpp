//===- Loops.cpp - loops in shape queries ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that extents decide is one in the shape query too. Where data decides,
// what is the same in each turn is known.
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// How often a loop's body is translated before nothing is assumed of what it
/// carries.
static constexpr unsigned kMaxAttempts = 3;

/// Of what is carried, no more than that it is as at the start. Returns whether
/// anything changed.
bool Translator::keepEqual(Carried &starts, const Carried &next) {
  bool changed = false;
  for (size_t i : llvm::seq(starts.values.size())) {
    Certainty &known = starts.certainty[i];
    if (known == Certainty::Unknown || next.isFree(i) ||
        (starts.values[i] == next.values[i] &&
         next.certainty[i] == Certainty::Exact))
      continue;
    // A value without a reader in the first turn may be that of the others.
    if (starts.isFree(i) && next.certainty[i] == Certainty::Exact)
      starts.values[i] = next.values[i];
    else
      known = Certainty::Unknown;
    changed = true;
  }
  return changed;
}

/// Only what surely is the same in each turn is known in the first.
static void forgetBounds(SmallVectorImpl<Certainty> &certainty) {
  for (Certainty &known : certainty)
    if (known == Certainty::Bound)
      known = Certainty::Unknown;
}

/// Forgets what is not known in the next turn; whether there is something.
bool Translator::dropInexact(Carried &starts, const Carried &next) {
  bool isLess = false;
  for (auto [known, after] : llvm::zip_equal(starts.certainty, next.certainty))
    if (known == Certainty::Exact && after != Certainty::Exact) {
      known = Certainty::Unknown;
      isLess = true;
    }
  return isLess;
}

/// Translates the body of a loop of which it is not known how often it runs.
/// Returns whether all that it carries stays what it was.
bool Translator::translateInvariant(Block &body, ValueRange arguments,
                                    ValueRange inits, ValueRange yielded,
                                    ValueRange results) {
  llvm::SaveAndRestore path(certain, false);
  Carried starts;
  flattenAll(inits, starts);
  forgetBounds(starts.certainty);
  bool isWhole = true;
  for (unsigned attempt = 0;; ++attempt) {
    if (attempt == kMaxAttempts)
      llvm::fill(starts.certainty, Certainty::Unknown);
    unflattenAll(arguments, starts);
    translate(body);
    Carried next;
    flattenAll(yielded, next);
    if (!keepEqual(starts, next))
      break;
    isWhole = false;
  }
  unflattenAll(results, starts);
  return isWhole;
}

void Translator::translate(scf::ForOp op) {
  llvm::SaveAndRestore level(depth, depth + 1);
  if (depth > kMaxDepth)
    return;
  Location loc = op.getLoc();
  Block &body = *op.getBody();
  ValueRange yielded = body.getTerminator()->getOperands();
  scalars.erase(op.getInductionVar());
  bool isWhole = translateInvariant(body, op.getRegionIterArgs(),
                                    op.getInitArgs(), yielded, op.getResults());
  Value lower = getScalar(op.getLowerBound()),
        upper = getScalar(op.getUpperBound()), step = getScalar(op.getStep());
  if ((isWhole && !hasGuards(body)) || !certain || !lower || !upper || !step)
    return;

  SmallVector<Type> types;
  for (Value init : op.getInitArgs())
    getCarriedTypes(init.getType(), types);
  Carried starts;
  flattenAll(op.getInitArgs(), starts);
  forgetBounds(starts.certainty);
  for (unsigned attempt = 0;; ++attempt) {
    if (attempt == kMaxAttempts)
      llvm::fill(starts.certainty, Certainty::Unknown);
    Carried carried = starts, next;
    placeholders(carried, types);
    auto made =
        scf::ForOp::create(b, loc, lower, upper, step, carried.values,
                           /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
    llvm::copy(made.getRegionIterArgs(), carried.values.begin());
    setScalar(op.getInductionVar(), made.getInductionVar());
    unflattenAll(op.getRegionIterArgs(), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      if (made.getBody()->mightHaveTerminator())
        made.getBody()->getTerminator()->erase();
      b.setInsertionPointToStart(made.getBody());
      translate(body);
      flattenAll(yielded, next);
      placeholders(next, types);
      scf::YieldOp::create(b, loc, next.values);
    }
    if (dropInexact(starts, next)) {
      made.erase();
      continue;
    }
    Carried result{SmallVector<Value>(made.getResults()), starts.certainty};
    // What stays what it was needs no loop.
    for (auto [after, yields, argument, start] :
         llvm::zip_equal(result.values, next.values, made.getRegionIterArgs(),
                         starts.values))
      if (yields == argument)
        after = start;
    return unflattenAll(op.getResults(), result);
  }
}

void Translator::translate(scf::WhileOp op) {
  llvm::SaveAndRestore level(depth, depth + 1);
  if (depth > kMaxDepth)
    return;
  bool isWhole = translateInvariant(op);
  if (certain && !(isWhole && !hasGuards(*op.getBeforeBody()) &&
                   !hasGuards(*op.getAfterBody())))
    translateTurns(op);
}

/// What holds of such a loop however often it runs; whether all that it carries
/// stays what it was.
bool Translator::translateInvariant(scf::WhileOp op) {
  llvm::SaveAndRestore path(certain, false);
  Block &before = op.getBefore().front(), &after = op.getAfter().front();
  scf::ConditionOp condition = op.getConditionOp();
  Carried starts;
  flattenAll(op.getInits(), starts);
  forgetBounds(starts.certainty);
  bool isWhole = true;
  for (unsigned attempt = 0;; ++attempt) {
    if (attempt == kMaxAttempts)
      llvm::fill(starts.certainty, Certainty::Unknown);
    unflattenAll(before.getArguments(), starts);
    translate(before);
    Carried passed, next;
    flattenAll(condition.getArgs(), passed);
    unflattenAll(after.getArguments(), passed);
    translate(after);
    flattenAll(after.getTerminator()->getOperands(), next);
    if (keepEqual(starts, next)) {
      isWhole = false;
      continue;
    }
    unflattenAll(op.getResults(), passed);
    return isWhole;
  }
}

/// The loop itself, where extents decide whether there is another turn. Of what
/// its results are however often it runs nothing is lost.
void Translator::translateTurns(scf::WhileOp op) {
  Carried known;
  flattenAll(op.getResults(), known);
  Carried starts;
  flattenAll(op.getInits(), starts);
  forgetBounds(starts.certainty);
  std::optional<Carried> made;
  for (unsigned attempt = 0; !made; ++attempt) {
    if (attempt == kMaxAttempts)
      llvm::fill(starts.certainty, Certainty::Unknown);
    if (!tryTurns(op, starts, made)) {
      // What the turns are made of is gone.
      (void)translateInvariant(op);
      return;
    }
  }
  for (size_t i : llvm::seq(known.values.size()))
    if (known.values[i] && known.certainty[i] == Certainty::Exact) {
      made->values[i] = known.values[i];
      made->certainty[i] = Certainty::Exact;
    }
  unflattenAll(op.getResults(), *made);
}

/// Makes the loop and gives what it leaves in `results`, or makes none, where
/// less than `starts` is the same in each turn. False where data decides.
bool Translator::tryTurns(scf::WhileOp op, Carried &starts,
                          std::optional<Carried> &results) {
  Location loc = op.getLoc();
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Type> types, passedTypes;
  for (Type type : op.getInits().getTypes())
    getCarriedTypes(type, types);
  for (Type type : condition.getArgs().getTypes())
    getCarriedTypes(type, passedTypes);
  auto enter = [&](Region &region, TypeRange types, ValueRange arguments,
                   Carried carried) {
    Block *block = b.createBlock(&region, region.end(), types,
                                 SmallVector<Location>(types.size(), loc));
    llvm::copy(block->getArguments(), carried.values.begin());
    unflattenAll(arguments, carried);
  };
  OpBuilder::InsertionGuard guard(b);
  Carried first = starts, passed, next;
  placeholders(first, types);
  auto made = scf::WhileOp::create(b, loc, passedTypes, first.values);
  enter(made.getBefore(), types, before.getArguments(), starts);
  translate(before);
  Value isAnother = getScalar(condition.getCondition());
  if (!isAnother) {
    made.erase();
    return false;
  }
  flattenAll(condition.getArgs(), passed);
  placeholders(passed, passedTypes);
  scf::ConditionOp::create(b, loc, isAnother, passed.values);
  enter(made.getAfter(), passedTypes, after.getArguments(), passed);
  translate(after);
  flattenAll(after.getTerminator()->getOperands(), next);
  placeholders(next, types);
  scf::YieldOp::create(b, loc, next.values);
  if (dropInexact(starts, next))
    made.erase();
  else
    results = Carried{SmallVector<Value>(made.getResults()), passed.certainty};
  return true;
}
