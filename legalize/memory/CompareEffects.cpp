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
#include "legalize/memory/EffectSets.h"
#include "poly/Domain.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"
#include "shape/Message.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Sets = SmallVector<const EffectSet *>;

/// Why an element that shows a difference may be of a call that fails.
static constexpr llvm::StringLiteral kComparesInside =
    "extents are compared in a loop or a branch";

namespace {

/// Compares one function.
class Comparison {
public:
  Comparison(func::FuncOp func, const EffectSets &effects)
      : func(func), names(func), body(*effects.find(func)),
        assumptions(effects.getAssumptions(func)) {
    for (const loom::DeclaredSet &set : loom::getDeclaredSets(func)) {
      declarations.push_back(set);
      declared.push_back(getEffectSet(set));
    }
  }

  LogicalResult run() {
    bool isGood = true;
    for (const EffectSet &set : body.getSets())
      isGood &= succeeded(compareAccess(set));
    for (const auto &[set, declaration] :
         llvm::zip_equal(declared, declarations))
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
  /// The sets of `from` about one argument; only those that are sure if
  /// `areSure`.
  static Sets select(ArrayRef<EffectSet> from, unsigned argument, bool isWrite,
                     bool areSure) {
    Sets sets;
    for (const EffectSet &set : from)
      if (set.argument == argument && set.kind.isWrite == isWrite &&
          (set.kind.isSure || !areSure))
        sets.push_back(&set);
    return sets;
  }

  MemRefType getMemory(const EffectSet &set) {
    return cast<MemRefType>(func.getArgumentTypes()[set.argument]);
  }

  /// The values that sets are about (ffi-5).
  void addRange(loom::ScalarReference scalar, const poly::Form &value,
                poly::Rows &rows) {
    if (scalar.isExtent()) {
      rows.push_back(poly::isNotNegative(value));
      return;
    }
    Type type = func.getArgumentTypes()[scalar.argument];
    unsigned bits =
        type.isIndex() ? 64 : unsigned(type.getIntOrFloatBitWidth());
    if (bits == 1) {
      rows.push_back(poly::isNotNegative(value));
      rows.push_back(poly::isAtMost(value, 1));
      return;
    }
    int64_t end = int64_t(1) << std::min(bits - 1, 40u);
    rows.push_back(poly::isAtMost(-end, value));
    rows.push_back(poly::isLess(value, end));
  }

  /// The points of `set` that a call which returns can have: inside its memory,
  /// and where the assertions of the body hold and its accesses are inside.
  poly::Relation getPossible(const EffectSet &set) {
    MemRefType type = getMemory(set);
    SmallVector<loom::ScalarReference> scalars(assumptions.scalars);
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        scalars.push_back({set.argument, axis});
    llvm::append_range(scalars, set.scalars);
    SmallVector<loom::ScalarReference> symbols;
    for (loom::ScalarReference scalar : scalars)
      if (!llvm::is_contained(symbols, scalar))
        symbols.push_back(scalar);
    poly::Relation all = unite(names, type.getRank(), {&set}, symbols);
    auto getSymbol = [&](loom::ScalarReference scalar) {
      return all.getSymbol(llvm::find(symbols, scalar) - symbols.begin());
    };
    poly::Rows rows;
    for (loom::ScalarReference scalar : symbols)
      addRange(scalar, getSymbol(scalar), rows);
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      poly::addInside(all.getOutput(axis),
                      type.isDynamicDim(axis)
                          ? getSymbol({set.argument, axis})
                          : poly::Form(type.getDimSize(axis)),
                      rows);
    std::vector<poly::Form> base;
    for (loom::ScalarReference scalar : assumptions.scalars)
      base.push_back(getSymbol(scalar));
    poly::Import import(assumptions.set, all.getSpace(), std::move(base));
    std::vector<poly::Rows> parts;
    for (const poly::Rows &assumed : assumptions.set.getParts()) {
      poly::Rows facts = import.take(assumed);
      llvm::append_range(facts, rows);
      for (const poly::Rows &part : all.getParts())
        llvm::append_range(parts.emplace_back(part), facts);
    }
    poly::Relation possible(all.getSignature());
    possible.getSpace() = all.getSpace();
    for (poly::Rows &part : parts)
      possible.addPart(std::move(part));
    return possible;
  }

  poly::Relation uniteAll(const EffectSet &like, const Sets &sets) {
    return unite(names, getMemory(like).getRank(), sets);
  }

  /// Whether all points are surely in one set. With fewer cases than a union
  /// has, more is decided.
  bool isInOneOf(const EffectSet &like, const poly::Relation &possible,
                 const Sets &sets) {
    return llvm::any_of(sets, [&](const EffectSet *set) {
      return poly::isSubset(possible, uniteAll(like, {set})).truth ==
             Truth::Proved;
    });
  }

  std::string describe(loom::ScalarReference scalar) {
    std::string argument =
        loom::getArgumentText(func.getArgument(scalar.argument));
    return scalar.isExtent()
               ? "axis " + std::to_string(scalar.axis) + " of " + argument
               : argument;
  }

  /// "element [3] of argument 'a', where argument 'n' is 4".
  std::string describePoint(const EffectSet &set, const poly::Relation &of,
                            const poly::Point &point) {
    size_t numSymbols = of.getSignature().symbols.size();
    std::string element;
    for (size_t i = 0; i < of.getSignature().outputs.size(); ++i)
      element += (i ? ", " : "") + std::to_string(point[numSymbols + i]);
    std::string text = "element [" + element + "] of " +
                       loom::getArgumentText(func.getArgument(set.argument));
    std::vector<std::string> values;
    for (loom::ScalarReference scalar : getAllScalars()) {
      auto it = llvm::find(of.getSignature().symbols, names.get(scalar));
      if (it != of.getSignature().symbols.end())
        values.push_back(
            describe(scalar) + " is " +
            std::to_string(point[it - of.getSignature().symbols.begin()]));
    }
    return text + (values.empty() ? "" : ", where " + joinWithAnd(values));
  }

  SmallVector<loom::ScalarReference> getAllScalars() {
    SmallVector<loom::ScalarReference> scalars;
    for (const auto &[i, type] : llvm::enumerate(func.getArgumentTypes())) {
      if (loom::isScalar(type))
        scalars.push_back({unsigned(i)});
      else if (auto memory = dyn_cast<MemRefType>(type))
        for (int64_t axis = 0; axis < memory.getRank(); ++axis)
          scalars.push_back({unsigned(i), axis});
    }
    return scalars;
  }

  static std::string quote(const poly::Relation &relation) {
    return relation.getParts().empty() ? "nothing"
                                       : "\"" + poly::print(relation) + "\"";
  }

  void warn(Operation *op, const Twine &text) {
    op->emitWarning("not compared with '")
        << loom::kEffects << "' of '@" << func.getName() << "': " << text;
  }

  /// Whether what the body accesses is declared.
  LogicalResult compareAccess(const EffectSet &set) {
    Sets known = select(declared, set.argument, set.kind.isWrite,
                        /*areSure=*/false);
    poly::Relation possible = getPossible(set), allowed = uniteAll(set, known);
    poly::RelationAnswer answer = isInOneOf(set, possible, known)
                                      ? poly::RelationAnswer{Truth::Proved}
                                      : poly::isSubset(possible, allowed);
    if (answer.truth == Truth::Proved)
      return success();
    std::string does = set.kind.isWrite ? "writes" : "reads";
    std::string argument =
        loom::getArgumentText(func.getArgument(set.argument));
    StringRef name = infer::getOriginalName(set.op);
    bool isInside = set.comparesInside && isa<func::CallOp>(set.op);
    if (!set.kind.isSure || isInside || !answer.point) {
      std::string because = !set.kind.isSure ? set.because
                            : isInside       ? kComparesInside.str()
                            : answer.truth == Truth::Unknown
                                ? std::string(poly::describe(answer.limit))
                                : "no element that shows it was found";
      warn(set.op, "'" + name + "' " + does + " elements of " + argument +
                       " that are not known, because " + because);
      return success();
    }
    InFlightDiagnostic error = set.op->emitError("'")
                               << name << "' " << does << " "
                               << describePoint(set, possible, *answer.point)
                               << ", which is not in what '" << loom::kEffects
                               << "' of '@" << func.getName() << "' declares";
    error.attachNote() << "the access " << does << " "
                       << quote(uniteAll(set, {&set}));
    error.attachNote(func.getLoc())
        << "'" << loom::getKey({set.kind.isWrite, true}) << "' and '"
        << loom::getKey({set.kind.isWrite, false}) << "' of " << argument
        << " are " << quote(allowed);
    return error;
  }

  /// Whether the body accesses all elements of a set that says so.
  LogicalResult compareSure(const EffectSet &set,
                            const loom::DeclaredSet &declaration) {
    Sets sure = select(body.getSets(), set.argument, set.kind.isWrite,
                       /*areSure=*/true),
         all = select(body.getSets(), set.argument, set.kind.isWrite,
                      /*areSure=*/false);
    if (set.kind.isFirst &&
        !isReadNowhere(set, body, names, getMemory(set).getRank()))
      warn(func, loom::describe(declaration, func) +
                     " has elements that the body may read as well, and it is "
                     "not known what comes first");
    poly::Relation possible = getPossible(set), accessed = uniteAll(set, all);
    if (isInOneOf(set, possible, sure))
      return success();
    poly::RelationAnswer answer = poly::isSubset(possible, uniteAll(set, sure));
    if (answer.truth == Truth::Proved)
      return success();
    std::string what = loom::describe(declaration, func);
    std::string does = set.kind.isWrite ? "write" : "read";
    if (sure.size() != all.size() || answer.truth == Truth::Unknown)
      answer = poly::isSubset(possible, accessed);
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
    if (llvm::any_of(all, [](auto *set) { return set->comparesInside; })) {
      warn(func, what + " is not decided, because " + kComparesInside);
      return success();
    }
    InFlightDiagnostic error = func.emitError(what)
                               << " has "
                               << describePoint(set, possible, *answer.point)
                               << ", which the body does not " << does;
    error.attachNote() << "the body " << does << "s " << quote(accessed);
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

  func::FuncOp func;
  const ScalarNames names;
  const FunctionEffects &body;
  const EffectSet assumptions;
  SmallVector<loom::DeclaredSet> declarations;
  std::vector<EffectSet> declared;
};

} // namespace

LogicalResult legalize::compareEffects(ModuleOp module) {
  SmallVector<func::FuncOp> declaring;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (failed(loom::verifyDeclaredSets(func)))
      return failure();
    Attribute effects = func->getAttr(loom::kEffects);
    if (func.isExternal() || !effects)
      continue;
    if (!loom::declaresSets(func))
      return func.emitError("function '@")
             << func.getName() << "' has a body and '" << loom::kEffects
             << "' = " << effects
             << "; what a body is compared with are sets, such as {reads = []}";
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
    isGood &= succeeded(Comparison(func, effects).run());
    func->removeAttr(loom::kEffects);
  }
  return success(isGood);
}
