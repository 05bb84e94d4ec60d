//===- NameExtents.cpp - names of extents, written back -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/NameExtents.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using loom::ExtentsAttr;

/// A formula with more parts, or with a larger number, is too long to read.
static constexpr unsigned kMaxParts = 16;
static constexpr int64_t kMaxConstant = int64_t(1) << 31;

namespace {

class ExtentNamer {
public:
  ExtentNamer(FunctionOpInterface func, ShapeAnalysis &analysis)
      : func(func), analysis(analysis), context(func.getContext()) {}

  void run(const std::vector<Shape> &returned) {
    readNames();
    countExtents(returned);
    std::vector<SmallVector<AffineExpr>> results;
    for (const Shape &shape : returned) {
      SmallVector<AffineExpr> &formulas = results.emplace_back();
      for (size_t axis = 0; shape.isRanked() && axis < shape.rank(); ++axis)
        formulas.push_back(getFormula(shape[axis]));
    }
    for (unsigned i : llvm::seq(func.getNumArguments()))
      if (auto extents = describeArgument(i))
        func.setArgAttr(i, ExtentsAttr::kKey, extents);
    for (auto [i, formulas] : llvm::enumerate(results))
      if (!func.getResultAttr(i, ExtentsAttr::kKey))
        if (auto extents = makeExtents(func.getResultTypes()[i], formulas, {}))
          func.setResultAttr(i, ExtentsAttr::kKey, extents);
  }

private:
  ExtentsAttr getGiven(unsigned argument) {
    return func.getArgAttrOfType<ExtentsAttr>(argument, ExtentsAttr::kKey);
  }

  /// Collects existing names, and axes that may get one.
  void readNames() {
    auto take = [&](ExtentsAttr extents) {
      if (extents)
        for (StringAttr name : extents.getNames())
          taken.insert(name);
    };
    for (unsigned i : llvm::seq(func.getNumArguments()))
      take(getGiven(i));
    for (unsigned i : llvm::seq(func.getNumResults()))
      take(func.getResultAttrOfType<ExtentsAttr>(i, ExtentsAttr::kKey));
    for (bool isNamed : {true, false})
      for (BlockArgument argument : func.getArguments()) {
        auto type = dyn_cast<ShapedType>(argument.getType());
        ExtentsAttr given = getGiven(argument.getArgNumber());
        if (!type || (!type.hasRank() && !(given && isNamed)))
          continue;
        Shape shape = analysis.getInfo(argument).shape;
        if (!shape.isRanked() ||
            (given && given.getRank() != int64_t(shape.rank())))
          continue;
        for (int64_t axis : llvm::seq(int64_t(shape.rank()))) {
          Extent known = analysis.getProver().resolve(shape[axis]);
          if (!known.isSymbol())
            continue;
          auto name = given ? given.getName(axis) : std::nullopt;
          bool isOpen = !given || !given.getExtent(axis);
          if (isNamed ? !name : !isOpen || formulas.count(known.symbolId()))
            continue;
          if (!isNamed)
            open[{argument.getArgNumber(), axis}] = names.size();
          addSymbol(known.symbolId(),
                    isNamed ? given.getNames()[*name] : StringAttr());
        }
      }
  }

  void countExtents(const std::vector<Shape> &returned) {
    for (const Shape &shape : returned)
      if (shape.isRanked())
        for (Extent extent : shape)
          if (Extent known = analysis.getProver().resolve(extent);
              known.isSymbol())
            ++uses[known.symbolId()];
  }

  /// A null `name` is invented when the symbol is used.
  AffineExpr addSymbol(SymbolId symbol, StringAttr name) {
    auto [it, isNew] = formulas.try_emplace(symbol);
    if (isNew) {
      it->second = getAffineSymbolExpr(names.size(), context);
      names.push_back(name);
    }
    return it->second;
  }

  StringAttr makeName() {
    std::string name;
    do
      name = "s" + std::to_string(next++);
    while (!taken.insert(name).second);
    return StringAttr::get(context, name);
  }

  /// The formula of a result's extent; null if no short one is known.
  AffineExpr getFormula(Extent extent) {
    Extent known = analysis.getProver().resolve(extent);
    if (known.isFixed())
      return getConstant(known.value());
    if (!known.isSymbol())
      return {};
    SymbolId symbol = known.symbolId();
    parts = 0;
    AffineExpr formula = getSymbol(symbol);
    if (!formula && uses[symbol] > 1)
      formula = addSymbol(symbol, makeName());
    // Arguments get names only for extents that formulas of results use.
    if (formula)
      formula.walk([&](AffineExpr part) {
        if (auto used = dyn_cast<AffineSymbolExpr>(part))
          if (StringAttr &name = names[used.getPosition()]; !name)
            name = makeName();
      });
    return formula;
  }

  AffineExpr getSymbol(SymbolId symbol) {
    if (auto it = formulas.find(symbol); it != formulas.end())
      return it->second;
    const Number *definition = getDefinition(analysis.getNumbers(), symbol);
    return definition ? getNumber(*definition) : AffineExpr();
  }

  AffineExpr getConstant(int64_t value) {
    if (value > kMaxConstant || value < -kMaxConstant)
      return {};
    return getAffineConstantExpr(value, context);
  }

  AffineExpr getNumber(const Number &number) {
    AffineExpr sum = getConstant(number.constant);
    for (const Term &term : number.terms) {
      AffineExpr product = getConstant(term.factor);
      for (AtomId atom : term.atoms) {
        AffineExpr factor = product ? getAtom(atom) : AffineExpr();
        product = factor ? factor * product : AffineExpr();
      }
      sum = sum && product ? sum + product : AffineExpr();
    }
    return sum;
  }

  AffineExpr getAtom(AtomId id) {
    if (++parts > kMaxParts)
      return {};
    const Numbers &numbers = analysis.getNumbers();
    const Atom &atom = numbers.getAtom(id);
    auto divide = [&](auto make) -> AffineExpr {
      AffineExpr a = getNumber(atom.a), b = getNumber(atom.b);
      auto divisor = dyn_cast_if_present<AffineConstantExpr>(b);
      return a && divisor && divisor.getValue() > 0 ? make(a, b) : AffineExpr();
    };
    auto quotient = [](AffineExpr a, AffineExpr b) { return a.floorDiv(b); };
    auto remainder = [](AffineExpr a, AffineExpr b) { return a % b; };
    auto combine = [&](auto make) -> AffineExpr {
      AffineExpr a = getNumber(atom.a), b = getNumber(atom.b);
      return a && b ? make(a, b) : AffineExpr();
    };
    bool isRounded = boundsOf(numbers, atom.a).lo >= 0;
    switch (atom.kind) {
    case Atom::Kind::Symbol: {
      Extent known = analysis.getProver().resolve(Extent::symbol(atom.symbol));
      return known.isFixed() ? getConstant(known.value())
                             : getSymbol(known.symbolId());
    }
    case Atom::Kind::Sum:
      return combine([](AffineExpr a, AffineExpr b) { return a + b; });
    case Atom::Kind::Product:
      return combine([](AffineExpr a, AffineExpr b) { return a * b; });
    case Atom::Kind::Quotient:
      return divide(quotient);
    case Atom::Kind::Remainder:
      return divide(remainder);
    case Atom::Kind::TruncatedQuotient:
      return isRounded ? divide(quotient) : AffineExpr();
    case Atom::Kind::TruncatedRemainder:
      return isRounded ? divide(remainder) : AffineExpr();
    default:
      return {};
    }
  }

  /// Null if the argument gets no new name.
  ExtentsAttr describeArgument(unsigned argument) {
    auto type = dyn_cast<ShapedType>(func.getArgumentTypes()[argument]);
    if (!type || !type.hasRank())
      return {};
    ExtentsAttr given = getGiven(argument);
    SmallVector<AffineExpr> formulas;
    bool isNew = false;
    for (int64_t axis : llvm::seq(type.getRank())) {
      AffineExpr formula = given ? given.getExtent(axis) : AffineExpr();
      if (formula)
        formula = formula.replaceSymbols(getSymbols(given));
      else if (!type.isDynamicDim(axis))
        formula = getConstant(type.getDimSize(axis));
      else if (auto it = open.find({argument, axis});
               it != open.end() && names[it->second]) {
        formula = getAffineSymbolExpr(it->second, context);
        isNew = true;
      }
      formulas.push_back(formula);
    }
    return isNew ? makeExtents(type, formulas, given) : ExtentsAttr();
  }

  /// The names of `given` among all.
  SmallVector<AffineExpr> getSymbols(ExtentsAttr given) {
    SmallVector<AffineExpr> symbols;
    for (StringAttr name : given.getNames()) {
      if (!llvm::is_contained(names, name))
        names.push_back(name);
      symbols.push_back(getAffineSymbolExpr(
          llvm::find(names, name) - names.begin(), context));
    }
    return symbols;
  }

  /// The attribute with the formulas, the names that they use and the ranges of
  /// `given`. Null if it says no more than the type.
  ExtentsAttr makeExtents(Type type, ArrayRef<AffineExpr> formulas,
                          ExtentsAttr given) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank() ||
        shaped.getRank() != static_cast<int64_t>(formulas.size()))
      return {};
    SmallVector<StringAttr> used;
    SmallVector<loom::NameRange> ranges;
    SmallVector<AffineExpr> symbols;
    for (auto [i, name] : llvm::enumerate(names)) {
      symbols.push_back(getAffineSymbolExpr(used.size(), context));
      loom::NameRange range;
      if (given && name)
        if (const auto *it = llvm::find(given.getNames(), name);
            it != given.getNames().end())
          range = given.getRanges()[it - given.getNames().begin()];
      bool isUsed = range != loom::NameRange() ||
                    llvm::any_of(formulas, [&, i = i](AffineExpr formula) {
                      return formula && formula.isFunctionOfSymbol(i);
                    });
      if (!isUsed)
        continue;
      used.push_back(name);
      ranges.push_back(range);
    }
    bool saysMore = false;
    SmallVector<AffineExpr> extents;
    for (auto [axis, formula] : llvm::enumerate(formulas)) {
      saysMore |= formula && shaped.isDynamicDim(axis);
      extents.push_back(formula ? formula.replaceSymbols(symbols)
                                : ExtentsAttr::getOpen(context));
    }
    if (!saysMore)
      return {};
    return ExtentsAttr::getInOrder(context, used, extents, ranges);
  }

  FunctionOpInterface func;
  ShapeAnalysis &analysis;
  MLIRContext *context;
  /// The names in all formulas, indexed by the numbers of AffineExpr's symbols.
  /// Null for a name that no formula needs.
  SmallVector<StringAttr> names;
  llvm::StringSet<> taken;
  llvm::DenseMap<SymbolId, AffineExpr> formulas;
  /// The indices in `names` of axes without a name in the program.
  std::map<std::pair<unsigned, int64_t>, unsigned> open;
  llvm::DenseMap<SymbolId, unsigned> uses;
  unsigned next = 0;
  unsigned parts = 0;
};

} // namespace

void infer::nameExtents(FunctionOpInterface func, ShapeAnalysis &analysis,
                        const std::vector<Shape> &returned) {
  if (returned.size() == func.getNumResults())
    ExtentNamer(func, analysis).run(returned);
}
