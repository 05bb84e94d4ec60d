//===- CompareEffects.cpp - bodies against declared sets ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/CompareEffects.h"

#include "dialect/ArgumentName.h"
#include "dialect/DeclaredEffects.h"
#include "dialect/MemoryFunction.h"
#include "infer/report/OperationNumber.h"
#include "legalize/memory/SetComparison.h"
#include "poly/RelationText.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Sets = SetComparison::Sets;

/// Why an element that shows a difference may be of a call that fails.
static constexpr llvm::StringLiteral kComparesUnknown =
    "it is not known which calls fail where extents are compared";

namespace {

/// Compares one function.
class Comparison {
public:
  /// `summary` tells what is declared; null where sets do.
  Comparison(func::FuncOp func, func::FuncOp summary, EffectSets &effects)
      : func(func), summary(summary), body(*effects.find(func)),
        sets(func, getBodies(func, summary), effects) {
    declarations = loom::getDeclaredSets(func);
    for (const loom::DeclaredSet &set : declarations)
      declared.push_back(getEffectSet(set));
    for (const EffectSet &set : declared)
      ofArguments[{set.argument, set.kind.isWrite}].push_back(&set);
    told = summary ? effects.find(summary) : nullptr;
  }

  LogicalResult run() {
    bool isGood = true;
    for (const EffectSet &set : body.getSets())
      isGood &= succeeded(compareAccess(set));
    // A summary tells what may be accessed.
    for (const auto &[set, declaration] : llvm::zip(declared, declarations))
      if (set.kind.isSure)
        isGood &= succeeded(compareSure(set, declaration));
    loom::EffectPromises promises = loom::getPromises(func);
    if (promises.isDeterministic)
      isGood &= succeeded(
          comparePromise(loom::kDeterministic, body.notDeterministic));
    if (promises.isReentrant)
      isGood &= succeeded(comparePromise(loom::kReentrant, body.notReentrant));
    return success(isGood);
  }

private:
  static SmallVector<func::FuncOp> getBodies(func::FuncOp func,
                                             func::FuncOp summary) {
    SmallVector<func::FuncOp> bodies = {func};
    if (summary)
      bodies.push_back(summary);
    return bodies;
  }

  static Sets selectSure(const Sets &from) {
    return llvm::filter_to_vector(
        from, [](const EffectSet *set) { return set->kind.isSure; });
  }

  /// The declared sets of the argument of `set`.
  Sets getDeclared(const EffectSet &set) const {
    return told ? told->getSets(set.argument, set.kind.isWrite)
                : ofArguments.lookup({set.argument, set.kind.isWrite});
  }

  static std::string quote(const poly::Relation &relation) {
    return relation.getParts().empty() ? "nothing"
                                       : "\"" + poly::print(relation) + "\"";
  }

  void warn(Operation *op, const Twine &text) {
    op->emitWarning("not compared with '")
        << loom::kEffects << "' of '@" << func.getName() << "': " << text;
  }

  /// Whether the elements are in what a summary surely accesses, if there is
  /// one: its other sets may be larger than what it does.
  bool isSurelyDeclared(const EffectSet &set) {
    if (!summary)
      return true;
    return sets.compare(set, selectSure(getDeclared(set))).is.truth ==
           Truth::Proved;
  }

  LogicalResult warnOfSummary(const EffectSet &set) {
    warn(set.op, "it is not known whether '@" + summary.getName() + "' " +
                     (set.kind.isWrite ? "writes" : "reads") +
                     " all elements of " +
                     loom::getArgumentText(func.getArgument(set.argument)) +
                     " that '" + infer::getOriginalName(set.op) + "' does");
    return success();
  }

  /// Whether what the body accesses is declared.
  LogicalResult compareAccess(const EffectSet &set) {
    Sets known = getDeclared(set);
    auto [answer, possible] = sets.compare(set, known);
    if (answer.truth == Truth::Proved)
      return isSurelyDeclared(set) ? success() : warnOfSummary(set);
    std::string does = set.kind.isWrite ? "writes" : "reads";
    std::string argument =
        loom::getArgumentText(func.getArgument(set.argument));
    StringRef name = infer::getOriginalName(set.op);
    bool isOfFailing = sets.mayFail(set);
    if (!set.kind.isSure || isOfFailing || !answer.point) {
      std::string because = !set.kind.isSure ? set.because
                            : isOfFailing    ? kComparesUnknown.str()
                            : answer.truth == Truth::Unknown
                                ? std::string(poly::describe(answer.limit))
                                : "no element that shows it was found";
      warn(set.op, "'" + name + "' " + does + " elements of " + argument +
                       " that are not known, because " + because);
      return success();
    }
    InFlightDiagnostic error =
        set.op->emitError("'")
        << name << "' " << does << " "
        << sets.describePoint(set, possible, *answer.point)
        << ", which is not in what '" << loom::kEffects << "' of '@"
        << func.getName() << "' declares";
    error.attachNote() << "the access " << does << " "
                       << quote(sets.uniteAll(set, {&set}));
    std::string declares = quote(sets.uniteAll(set, known));
    if (summary)
      error.attachNote(summary.getLoc())
          << "'@" << summary.getName() << "' " << does << " " << declares;
    else
      error.attachNote(func.getLoc())
          << "'" << loom::getKey({set.kind.isWrite, true}) << "' and '"
          << loom::getKey({set.kind.isWrite, false}) << "' of " << argument
          << " are " << declares;
    return error;
  }

  /// Whether the body accesses all elements of a set that says so.
  LogicalResult compareSure(const EffectSet &set,
                            const loom::DeclaredSet &declaration) {
    Sets all = body.getSets(set.argument, set.kind.isWrite),
         sure = selectSure(all);
    if (set.kind.isFirst && !isReadNowhere(set, body, sets.getNames(),
                                           sets.getMemory(set).getRank()))
      warn(func, loom::describe(declaration, func) +
                     " has elements that the body may read as well, and it is "
                     "not known what comes first");
    auto [answer, possible] = sets.compare(set, sure);
    if (answer.truth == Truth::Proved)
      return success();
    std::string what = loom::describe(declaration, func);
    std::string does = set.kind.isWrite ? "write" : "read";
    if (sure.size() != all.size() || answer.truth == Truth::Unknown) {
      SetComparison::Answer ofAll = sets.compare(set, all);
      answer = ofAll.is, possible = ofAll.possible;
    }
    if (!answer.point) {
      bool isPossible = answer.truth == Truth::Proved;
      warn(func, isPossible
                     ? what + " has elements that the body may " + does +
                           " and need not; '" +
                           loom::getKey({set.kind.isWrite, false}).str() +
                           "' says so"
                     : what + " is not decided, because " +
                           poly::describe(answer.limit));
      return success();
    }
    if (llvm::any_of(all, [&](auto *set) { return sets.mayFail(*set); })) {
      warn(func, what + " is not decided, because " + kComparesUnknown);
      return success();
    }
    InFlightDiagnostic error =
        func.emitError(what)
        << " has " << sets.describePoint(set, possible, *answer.point)
        << ", which the body does not " << does;
    error.attachNote() << "the body " << does << "s "
                       << quote(sets.uniteAll(set, all));
    return error;
  }

  /// ffi-7
  LogicalResult comparePromise(StringRef word,
                               const std::optional<BrokenPromise> &broken) {
    if (!broken)
      return success();
    return broken->op->emitError("'")
           << infer::getOriginalName(broken->op) << "' " << broken->because
           << ", but '" << loom::kEffects << "' of '@" << func.getName()
           << "' says '" << word << "'";
  }

  func::FuncOp func, summary;
  const FunctionEffects &body;
  SetComparison sets;
  SmallVector<loom::DeclaredSet> declarations;
  /// The declared sets, and those of each argument, and whether it is written.
  std::vector<EffectSet> declared;
  llvm::DenseMap<std::pair<unsigned, unsigned>, Sets> ofArguments;
  /// What the summary does.
  const FunctionEffects *told = nullptr;
};

} // namespace

/// The function that tells what one with a body does, null where sets do;
/// nothing, with an error, if there is none.
static std::optional<func::FuncOp> getSummary(func::FuncOp func,
                                              const EffectSets &effects) {
  if (loom::declaresSets(func))
    return func::FuncOp();
  func::FuncOp summary = effects.getSummary(func);
  if (summary && summary != func)
    return summary;
  func.emitError("function '@")
      << func.getName() << "' has a body and '" << loom::kEffects
      << "' = " << func->getAttr(loom::kEffects)
      << "; what a body is compared with are sets, such as {reads = []}, or "
         "another function with a body and the same arguments";
  return std::nullopt;
}

LogicalResult legalize::compareEffects(ModuleOp module) {
  SmallVector<func::FuncOp> declaring;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (failed(loom::verifyDeclaredSets(func)))
      return failure();
    if (func.isExternal() || !func->hasAttr(loom::kEffects))
      continue;
    for (auto [number, type] : llvm::enumerate(func.getArgumentTypes()))
      if (isa<UnrankedMemRefType>(type))
        func.emitWarning("not compared with '")
            << loom::kEffects << "' of '@" << func.getName() << "': argument "
            << number << " of type " << type
            << " has no known rank, so that no set is about it";
    declaring.push_back(func);
  }
  if (declaring.empty())
    return success();
  EffectSets effects(module);
  effects.readAssumptions();
  bool isGood = true;
  for (func::FuncOp func : declaring) {
    std::optional<func::FuncOp> summary = getSummary(func, effects);
    isGood &= summary && succeeded(Comparison(func, *summary, effects).run());
  }
  for (func::FuncOp func : declaring)
    func->removeAttr(loom::kEffects);
  return success(isGood);
}
