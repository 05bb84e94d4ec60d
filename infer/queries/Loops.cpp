//===- Loops.cpp - loops in shape queries ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose number of iterations depends on extents becomes a loop in the
// shape query. If it depends on data, values that are the same in each
// iteration are known.
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// How often a loop's body is translated before all assumptions about carried
/// values are given up.
static constexpr unsigned kMaxAttempts = 3;

/// Keeps only the carried values that are the same as at the start. Returns
/// whether anything changed.
bool Translator::keepEqual(Carried &starts, const Carried &next) {
  bool changed = false;
  for (size_t i : llvm::seq(starts.values.size())) {
    Certainty &known = starts.certainty[i];
    if (known == Certainty::Unknown || next.isFree(i) ||
        (starts.values[i] == next.values[i] &&
         next.certainty[i] == Certainty::Exact))
      continue;
    // A value without a reader in the first iteration may be that of the later
    // ones.
    if (starts.isFree(i) && next.certainty[i] == Certainty::Exact)
      starts.values[i] = next.values[i];
    else
      known = Certainty::Unknown;
    changed = true;
  }
  return changed;
}

/// Drops bounds: a carried value is either exact and the same in each
/// iteration, or unknown.
static void forgetBounds(SmallVectorImpl<Certainty> &certainty) {
  for (Certainty &known : certainty)
    if (known == Certainty::Bound)
      known = Certainty::Unknown;
}

/// Forgets values that are not exact in the next iteration; returns whether
/// there are any.
bool Translator::dropInexact(Carried &starts, const Carried &next) {
  bool isLess = false;
  for (auto [known, after] : llvm::zip_equal(starts.certainty, next.certainty))
    if (known == Certainty::Exact && after != Certainty::Exact) {
      known = Certainty::Unknown;
      isLess = true;
    }
  return isLess;
}

/// Translates an iteration of a loop until what is assumed of `inits` also
/// holds for the next iteration. Otherwise `iteration` returns false and has
/// dropped an assumption. Returns whether the first attempt succeeded.
bool Translator::settle(ValueRange inits,
                        llvm::function_ref<bool(Carried &)> iteration) {
  Carried starts;
  flattenAll(inits, starts);
  forgetBounds(starts.certainty);
  unsigned attempt = 1;
  for (; !iteration(starts); ++attempt)
    if (attempt == kMaxAttempts)
      llvm::fill(starts.certainty, Certainty::Unknown);
  return attempt == 1;
}

/// Sets `results` to `made`, the results of a loop in the shape query. Results
/// that do not depend on the number of iterations stay known.
void Translator::receiveIterations(ValueRange results, Carried made) {
  Carried known;
  flattenAll(results, known);
  for (size_t i : llvm::seq(known.values.size()))
    if (known.values[i] && known.certainty[i] == Certainty::Exact) {
      made.values[i] = known.values[i];
      made.certainty[i] = Certainty::Exact;
    }
  unflattenAll(results, made);
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

void Translator::translate(scf::ForOp op) {
  llvm::SaveAndRestore level(depth, depth + 1);
  if (depth > kMaxDepth)
    return;
  scalars.erase(op.getInductionVar());
  bool isWhole = translateInvariant(op);
  if (certain && !(isWhole && !hasGuards(*op.getBody())))
    translateIterations(op);
}

/// Translates what holds for any number of iterations; returns whether all
/// carried values stay the same.
bool Translator::translateInvariant(scf::ForOp op) {
  llvm::SaveAndRestore path(certain, false);
  return settle(op.getInitArgs(), [&](Carried &starts) {
    unflattenAll(op.getRegionIterArgs(), starts);
    translate(*op.getBody());
    Carried next;
    flattenAll(op.getYieldedValues(), next);
    if (keepEqual(starts, next))
      return false;
    unflattenAll(op.getResults(), starts);
    return true;
  });
}

/// Translates the loop itself, if its number of iterations depends on extents.
void Translator::translateIterations(scf::ForOp op) {
  Value lower = getScalar(op.getLowerBound()),
        upper = getScalar(op.getUpperBound()), step = getScalar(op.getStep());
  if (!lower || !upper || !step)
    return;
  SmallVector<Type> types;
  for (Value init : op.getInitArgs())
    getCarriedTypes(init.getType(), types);
  settle(op.getInitArgs(), [&](Carried &starts) {
    Carried carried = starts, next;
    placeholders(carried, types);
    auto made =
        scf::ForOp::create(b, op.getLoc(), lower, upper, step, carried.values,
                           /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
    llvm::copy(made.getRegionIterArgs(), carried.values.begin());
    setScalar(op.getInductionVar(), made.getInductionVar());
    unflattenAll(op.getRegionIterArgs(), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      if (made.getBody()->mightHaveTerminator())
        made.getBody()->getTerminator()->erase();
      b.setInsertionPointToStart(made.getBody());
      translate(*op.getBody());
      flattenAll(op.getYieldedValues(), next);
      placeholders(next, types);
      scf::YieldOp::create(b, op.getLoc(), next.values);
    }
    if (dropInexact(starts, next)) {
      made.erase();
      return false;
    }
    receiveIterations(op.getResults(), {SmallVector<Value>(made.getResults()),
                                        starts.certainty});
    return true;
  });
}

//===----------------------------------------------------------------------===//
// scf.while
//===----------------------------------------------------------------------===//

void Translator::translate(scf::WhileOp op) {
  llvm::SaveAndRestore level(depth, depth + 1);
  if (depth > kMaxDepth)
    return;
  bool isWhole = translateInvariant(op);
  if (certain && !(isWhole && !hasGuards(*op.getBeforeBody()) &&
                   !hasGuards(*op.getAfterBody())))
    translateIterations(op);
}

bool Translator::translateInvariant(scf::WhileOp op) {
  llvm::SaveAndRestore path(certain, false);
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  return settle(op.getInits(), [&](Carried &starts) {
    unflattenAll(before.getArguments(), starts);
    translate(before);
    Carried passed, next;
    flattenAll(op.getConditionOp().getArgs(), passed);
    unflattenAll(after.getArguments(), passed);
    translate(after);
    flattenAll(after.getTerminator()->getOperands(), next);
    if (keepEqual(starts, next))
      return false;
    unflattenAll(op.getResults(), passed);
    return true;
  });
}

/// Translates the loop itself, if its condition depends on extents.
void Translator::translateIterations(scf::WhileOp op) {
  bool isDecided = true;
  settle(op.getInits(), [&](Carried &starts) {
    std::optional<Carried> made;
    isDecided = tryIterations(op, starts, made);
    if (made)
      receiveIterations(op.getResults(), *made);
    return !isDecided || made;
  });
  // The attempt to emit the loop was erased.
  if (!isDecided)
    (void)translateInvariant(op);
}

/// Emits the loop and returns its values in `results`, or emits none if an
/// assumption of `starts` does not hold in each iteration. False if the
/// condition depends on data.
bool Translator::tryIterations(scf::WhileOp op, Carried &starts,
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
