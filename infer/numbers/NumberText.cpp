//===- NumberText.cpp - numbers and conditions as a person writes them ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberText.h"

#include "llvm/ADT/STLExtras.h"

using namespace broadloom;
using namespace broadloom::infer;

/// The limit of nested atoms. Deeper text is too long to read, and would repeat
/// shared parts.
static constexpr unsigned kMaxTextDepth = 4;
/// The limits of comparisons in one text, and of their nesting.
static constexpr unsigned kMaxComparisons = 4;
static constexpr unsigned kMaxTextConditionDepth = 32;

namespace {

class Writer {
public:
  using NameOf = std::function<std::string(AtomId)>;

  Writer(const Numbers &numbers, const NameOf &nameOf)
      : numbers(numbers), nameOf(nameOf) {}

  std::string write(const Number &number) const {
    if (number.isConstant())
      return std::to_string(number.constant);
    std::string text;
    for (const Term &term : number.terms) {
      for (AtomId id : term.atoms)
        if (numbers.getAtom(id).depth > kMaxTextDepth)
          return "?";
      bool isFirst = text.empty();
      text += term.factor < 0 ? (isFirst ? "-" : " - ") : isFirst ? "" : " + ";
      text += writeProduct(term, isFirst);
    }
    if (number.constant)
      text += number.constant < 0 ? " - " + std::to_string(-number.constant)
                                  : " + " + std::to_string(number.constant);
    return text;
  }

  /// Empty if there is no short text.
  std::string write(ConditionId id) {
    comparisons = 0;
    std::string text = writeCondition(id, /*isNot=*/false, kOr);
    return comparisons > kMaxComparisons || text.find('?') != text.npos ? ""
                                                                        : text;
  }

private:
  /// An operator that binds less tightly than its context gets parentheses.
  enum Binding { kOr, kAnd };

  /// Without its sign.
  std::string writeProduct(const Term &term, bool isFirst) const {
    std::string text;
    if (term.factor != 1 && term.factor != -1)
      text = std::to_string(term.factor < 0 ? -term.factor : term.factor);
    // -(n / 4) is not -n / 4.
    bool isAlone =
        text.empty() && term.atoms.size() == 1 && (term.factor > 0 || !isFirst);
    for (AtomId id : term.atoms)
      text += (text.empty() ? "" : "*") + writeAtom(id, isAlone);
    return text;
  }

  std::string writeAtom(AtomId id, bool isAlone) const {
    const Atom &atom = numbers.getAtom(id);
    auto divide = [&](const char *sign) {
      std::string text = writeDividend(atom.a) + sign + writeDivisor(atom.b);
      return isAlone ? text : "(" + text + ")";
    };
    switch (atom.kind) {
    case Atom::Kind::Symbol:
    case Atom::Kind::Unknown:
      return nameOf(id);
    case Atom::Kind::End:
      return std::to_string(atom.a.constant);
    case Atom::Kind::Quotient:
      return divide(" / ");
    case Atom::Kind::Remainder:
      return divide(" mod ");
    case Atom::Kind::Minimum:
      return "min(" + write(atom.a) + ", " + write(atom.b) + ")";
    case Atom::Kind::Maximum:
      return "max(" + write(atom.a) + ", " + write(atom.b) + ")";
    default:
      return "?";
    }
  }

  bool isQuotient(AtomId id) const {
    Atom::Kind kind = numbers.getAtom(id).kind;
    return kind == Atom::Kind::Quotient || kind == Atom::Kind::Remainder;
  }

  /// `n*m`, `2*n`, `(n + 1)`.
  std::string writeDividend(const Number &number) const {
    std::string text = write(number);
    bool isProduct = number.constant == 0 && number.terms.size() == 1 &&
                     number.terms[0].factor > 0 &&
                     llvm::none_of(number.terms[0].atoms,
                                   [&](AtomId id) { return isQuotient(id); });
    return isProduct || (number.isConstant() && number.constant >= 0)
               ? text
               : "(" + text + ")";
  }

  /// `n`, `4`, `(n*m)`.
  std::string writeDivisor(const Number &number) const {
    std::string text = write(number);
    bool isAtom = number.constant == 0 && number.terms.size() == 1 &&
                  number.terms[0].factor == 1 &&
                  number.terms[0].atoms.size() == 1 &&
                  !isQuotient(number.terms[0].atoms[0]);
    return isAtom || (number.isConstant() && number.constant > 0)
               ? text
               : "(" + text + ")";
  }

  std::string writeCondition(ConditionId id, bool isNot, Binding around) {
    const Condition &condition = numbers.getCondition(id);
    using Kind = Condition::Kind;
    if (condition.depth > kMaxTextConditionDepth)
      return "?";
    switch (condition.kind) {
    case Kind::Not:
      return writeCondition(condition.a, !isNot, around);
    case Kind::Zero:
    case Kind::NotNegative:
      return ++comparisons > kMaxComparisons
                 ? "?"
                 : writeComparison(condition.number,
                                   condition.kind == Kind::Zero, isNot);
    case Kind::And:
    case Kind::Or: {
      // By De Morgan's laws, only single comparisons are negated.
      Binding own = (condition.kind == Kind::And) != isNot ? kAnd : kOr;
      std::string left = writeCondition(condition.a, isNot, own);
      if (comparisons > kMaxComparisons)
        return "?";
      std::string text = left + (own == kAnd ? " and " : " or ") +
                         writeCondition(condition.b, isNot, own);
      return own == around || around == kOr ? text : "(" + text + ")";
    }
    default:
      return "?";
    }
  }

  /// `number` is 0, or not negative, as a comparison of two sides without minus
  /// signs, a constant on the right.
  std::string writeComparison(const Number &number, bool isZero, bool isNot) {
    auto [plus, minus] = splitSigns(number);
    bool isTurned = plus.isConstant();
    if (isTurned)
      std::swap(plus, minus);
    const char *sign = isZero     ? (isNot ? " != " : " = ")
                       : isTurned ? (isNot ? " > " : " <= ")
                                  : (isNot ? " < " : " >= ");
    // n >= m + 1
    if (!isZero && !isNot && !isTurned && !minus.isConstant() &&
        minus.constant == 1) {
      minus.constant = 0;
      sign = " > ";
    }
    return write(plus) + sign + write(minus);
  }

  const Numbers &numbers;
  const NameOf &nameOf;
  unsigned comparisons = 0;
};

} // namespace

/// The name of a symbol; other leaves have none.
static std::string nameOfLeaf(const Numbers &numbers, AtomId id) {
  const Atom &atom = numbers.getAtom(id);
  return atom.kind == Atom::Kind::Symbol
             ? numbers.getSymbols().name(atom.symbol)
             : "?";
}

std::string infer::toString(const Numbers &numbers, const Number &number) {
  return toString(numbers, number,
                  [&](AtomId id) { return nameOfLeaf(numbers, id); });
}

std::string infer::toString(const Numbers &numbers, const Number &number,
                            const std::function<std::string(AtomId)> &nameOf) {
  return Writer(numbers, nameOf).write(number);
}

std::string infer::describe(const Numbers &numbers, ConditionId condition) {
  std::function<std::string(AtomId)> nameOf = [&](AtomId id) {
    return nameOfLeaf(numbers, id);
  };
  return Writer(numbers, nameOf).write(condition);
}
