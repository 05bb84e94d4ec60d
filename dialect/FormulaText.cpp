//===- FormulaText.cpp - formulas of extents as text -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/FormulaText.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom::loom;

namespace {

/// Prints a formula so that parsing builds the same tree: sums and products are
/// parsed from the left, so that a right operand keeps its parentheses.
/// Upstream's printer drops these.
class FormulaPrinter {
public:
  FormulaPrinter(ArrayRef<StringAttr> names, llvm::raw_ostream &os)
      : names(names), os(os) {}

  /// Terms with `+` and `-` between them.
  void printSum(AffineExpr formula) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(formula);
    if (!sum || sum.getKind() != AffineExprKind::Add)
      return printProduct(formula);
    printSum(sum.getLHS());
    AffineExpr negated = getNegated(sum.getRHS());
    os << (negated ? " - " : " + ");
    printProduct(negated ? negated : sum.getRHS());
  }

private:
  /// Factors with `*`, `floordiv`, `ceildiv` and `mod` between them.
  void printProduct(AffineExpr formula) {
    auto product = dyn_cast<AffineBinaryOpExpr>(formula);
    if (!product || product.getKind() == AffineExprKind::Add)
      return printFactor(formula);
    if (isTimesMinusOne(product))
      return printFactor(formula);
    printProduct(product.getLHS());
    os << " " << getWord(product.getKind()) << " ";
    printFactor(product.getRHS());
  }

  void printFactor(AffineExpr formula) {
    if (auto constant = dyn_cast<AffineConstantExpr>(formula)) {
      os << constant.getValue();
    } else if (auto symbol = dyn_cast<AffineSymbolExpr>(formula)) {
      os << names[symbol.getPosition()].getValue();
    } else if (isTimesMinusOne(formula)) {
      os << "-";
      printFactor(cast<AffineBinaryOpExpr>(formula).getLHS());
    } else {
      os << "(";
      printSum(formula);
      os << ")";
    }
  }

  static bool isTimesMinusOne(AffineExpr formula) {
    auto product = dyn_cast<AffineBinaryOpExpr>(formula);
    if (!product || product.getKind() != AffineExprKind::Mul)
      return false;
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    return factor && factor.getValue() == -1;
  }

  /// The negated term if `term` is printed with `-`; null if it is printed with
  /// `+`.
  static AffineExpr getNegated(AffineExpr term) {
    if (auto constant = dyn_cast<AffineConstantExpr>(term))
      return constant.getValue() < 0 ? -term : AffineExpr();
    auto product = dyn_cast<AffineBinaryOpExpr>(term);
    if (!product || product.getKind() != AffineExprKind::Mul)
      return {};
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!factor || factor.getValue() >= 0)
      return {};
    return product.getLHS() * -factor.getValue();
  }

  static StringRef getWord(AffineExprKind kind) {
    switch (kind) {
    case AffineExprKind::Mul:
      return "*";
    case AffineExprKind::FloorDiv:
      return "floordiv";
    case AffineExprKind::CeilDiv:
      return "ceildiv";
    case AffineExprKind::Mod:
      return "mod";
    default:
      llvm_unreachable("no word stands for this between two factors");
    }
  }

  ArrayRef<StringAttr> names;
  llvm::raw_ostream &os;
};

} // namespace

std::string broadloom::loom::toText(AffineExpr formula,
                                    ArrayRef<StringAttr> names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  FormulaPrinter(names, os).printSum(formula);
  return text;
}

/// Appends the symbols of `formula` that are not in `order`, left to right.
static void collectSymbols(AffineExpr formula,
                           SmallVectorImpl<unsigned> &order) {
  // The walk is in postorder, operands from the left: the order of the text.
  formula.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    if (symbol && !llvm::is_contained(order, symbol.getPosition()))
      order.push_back(symbol.getPosition());
  });
}

/// Numbers the symbols by their current positions; returns whether they were in
/// order.
static bool sortOnce(SmallVectorImpl<AffineExpr> &extents,
                     SmallVectorImpl<StringAttr> &names,
                     SmallVectorImpl<NameRange> &ranges) {
  SmallVector<unsigned> order;
  for (AffineExpr extent : extents)
    collectSymbols(extent, order);
  for (unsigned i = 0; i < names.size(); ++i)
    if (!llvm::is_contained(order, i))
      order.push_back(i);
  if (llvm::is_sorted(order))
    return true;
  SmallVector<AffineExpr> symbols(names.size());
  SmallVector<StringAttr> sortedNames;
  SmallVector<NameRange> sortedRanges;
  for (auto [symbol, i] : llvm::enumerate(order)) {
    symbols[i] = getAffineSymbolExpr(symbol, names[i].getContext());
    sortedNames.push_back(names[i]);
    sortedRanges.push_back(ranges[i]);
  }
  for (AffineExpr &extent : extents)
    extent = extent.replaceSymbols(symbols);
  names.assign(sortedNames);
  ranges.assign(sortedRanges);
  return false;
}

void broadloom::loom::sortNames(SmallVectorImpl<AffineExpr> &extents,
                                SmallVectorImpl<StringAttr> &names,
                                SmallVectorImpl<NameRange> &ranges) {
  // Upstream sorts terms by their symbols' numbers, so that a new number may
  // move a term. Each round fixes at least one more number.
  for (size_t round = 0; round < names.size(); ++round)
    if (sortOnce(extents, names, ranges))
      return;
}
