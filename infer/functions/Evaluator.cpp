//===- Evaluator.cpp - constraints, limits and control of an evaluation ---===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Evaluator.h"
#include "dialect/LoomShapeOps.h"
#include "infer/numbers/Conditions.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The limit of constraints, and of numbers that are not constants, in one
/// evaluation.
static constexpr size_t kMaxConstraints = 1 << 16;
static constexpr size_t kMaxTableSize = 1 << 18;
/// The limit of nested calls and regions: the interpreter is recursive.
static constexpr unsigned kMaxDepth = 200;
/// How many passed constraints are kept as facts.
static constexpr size_t kMaxFacts = 64;

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

Step Evaluator::constrain(Operation *at, ConditionId condition,
                          StringRef message, std::vector<Datum> values,
                          std::string statement) {
  // Constraints that always hold are listed only if the author wrote them.
  if (condition == Numbers::kTrue &&
      !(options.keepProved && isa<loom::ConstraintOp, loom::ExtentsOp>(at)))
    return Step::Go;
  bool isCertain = path == Numbers::kTrue;
  ConditionId onPath =
      isCertain ? condition : numbers.either(numbers.negate(path), condition);
  // The condition is decided with the facts of the path. A failure on a path
  // that need not be taken is no error.
  Truth onThisPath = truthOf(numbers, condition);
  bool endsPath = onThisPath == Truth::Refuted;
  Truth truth = isCertain || !endsPath ? onThisPath : Truth::Unknown;
  if (outcome.constraints.size() >= kMaxConstraints)
    return giveUp(at->getLoc(), "the shape function has more than " +
                                    Twine(kMaxConstraints) + " constraints");
  outcome.constraints.push_back({truth, onPath, message.str(),
                                 std::move(values), at->getLoc(),
                                 std::move(statement)});
  if (truth == Truth::Refuted) {
    outcome.truth = Truth::Refuted;
    if (!options.findAll)
      stopped = true;
    return options.findAll ? Step::Go : Step::Stop;
  }
  if (truth == Truth::Unknown && outcome.truth == Truth::Proved)
    outcome.truth = Truth::Unknown;
  if (truth == Truth::Unknown && ++numFacts <= kMaxFacts)
    assume(numbers, condition);
  return endsPath ? Step::Stop : Step::Go;
}

static bool areSame(const Datum &a, const Datum &b) {
  if (auto *x = std::get_if<Number>(&a)) {
    auto *y = std::get_if<Number>(&b);
    return y && *x == *y;
  }
  auto *x = std::get_if<std::shared_ptr<const ShapeDatum>>(&a);
  auto *y = std::get_if<std::shared_ptr<const ShapeDatum>>(&b);
  return x && y && *x == *y;
}

bool Evaluator::hasTold(const Datum &a, const Datum &b) const {
  if (outcome.truth != Truth::Refuted)
    return false;
  return llvm::any_of(outcome.constraints, [&](const Constraint &constraint) {
    auto tells = [&](const Datum &datum) {
      return llvm::any_of(constraint.values, [&](const Datum &value) {
        return areSame(value, datum);
      });
    };
    return constraint.truth == Truth::Refuted && tells(a) && tells(b);
  });
}

Step Evaluator::fail(Operation *at, const Twine &message) {
  // Nothing after a failed constraint is listed, because it follows from it.
  if (outcome.truth != Truth::Refuted)
    (void)constrain(at, Numbers::kFalse, message.str());
  if (path == Numbers::kTrue)
    stopped = true;
  return Step::Stop;
}

Step Evaluator::giveUp(Location location, const Twine &message) {
  if (!outcome.error)
    outcome.error = EvaluationError{location, message.str()};
  outcome.truth = Truth::Refuted;
  stopped = true;
  return Step::Stop;
}

Step Evaluator::skip(Operation *op, const Twine &why) {
  if (!outcome.skipped)
    outcome.skipped = EvaluationError{op->getLoc(), why.str()};
  if (outcome.truth == Truth::Proved)
    outcome.truth = Truth::Unknown;
  for (Value result : op->getResults())
    set(result, makeUnknown(result.getType()));
  return Step::Go;
}

Step Evaluator::charge(Operation *at, uint64_t count) {
  steps += count;
  if (steps > options.maxSteps)
    return giveUp(at->getLoc(), "the shape function was stopped after " +
                                    Twine(options.maxSteps) +
                                    " steps; does it end?");
  if (numbers.size() > sizeAtStart + kMaxTableSize)
    return giveUp(at->getLoc(), "the shape function computes more than " +
                                    Twine(kMaxTableSize) +
                                    " numbers that are not known");
  return Step::Go;
}

Evaluator::Path::Path(Evaluator &evaluator, ConditionId condition)
    : evaluator(evaluator), before(evaluator.path),
      numFacts(evaluator.numFacts), scope(evaluator.numbers) {
  evaluator.path = evaluator.numbers.both(before, condition);
  if (++evaluator.numFacts <= kMaxFacts)
    assume(evaluator.numbers, condition);
}

Evaluator::Path::~Path() {
  evaluator.path = before;
  evaluator.numFacts = numFacts;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Step Evaluator::run(Block &block, std::vector<Datum> *yielded) {
  if (depth >= kMaxDepth)
    return giveUp(block.getParentOp()->getLoc(),
                  "the shape function is nested more than " + Twine(kMaxDepth) +
                      " calls and regions deep");
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  if (sizeAtStart == 0)
    sizeAtStart = numbers.size();
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      if (yielded)
        for (Value value : op.getOperands())
          yielded->push_back(getDatum(value));
      return Step::Go;
    }
    if (charge(&op, 1) == Step::Stop)
      return Step::Stop;
    Handler handler = getHandler(&op);
    if (!handler)
      return giveUp(op.getLoc(), "a shape function cannot have '" +
                                     op.getName().getStringRef() + "'");
    if (handler(*this, &op) == Step::Stop || stopped)
      return Step::Stop;
  }
  return Step::Go;
}

bool Evaluator::evaluateAlone(Operation *op) {
  Handler handler = getHandler(op);
  if (!handler)
    return false;
  Numbers::Scope scope(numbers);
  sizeAtStart = numbers.size();
  steps = 0;
  numFacts = 0;
  stopped = false;
  isAlone = true;
  outcome.truth = Truth::Proved;
  outcome.constraints.clear();
  outcome.error.reset();
  bool isGood =
      handler(*this, op) == Step::Go && outcome.truth == Truth::Proved;
  if (!isGood)
    for (Value result : op->getResults())
      forget(result);
  return isGood;
}

Step Evaluator::call(Operation *at, shape::FuncOp function,
                     std::vector<Datum> &arguments) {
  if (!function)
    return giveUp(at->getLoc(), "the function that is called was not found");
  Block &body = function.getBody().front();
  for (auto [argument, datum] : llvm::zip(body.getArguments(), arguments))
    set(argument, std::move(datum));
  arguments.clear();
  return run(body, &arguments);
}
