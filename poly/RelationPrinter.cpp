//===- RelationPrinter.cpp - prints a relation as text --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row becomes a comparison with its main term, the last output with a
// coefficient of 1 or -1 if there is one. A lower and an upper bound of the
// same term become a chain. Quotients that stand for a remainder are printed as
// mod.
//
//===----------------------------------------------------------------------===//

#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace broadloom;
using namespace broadloom::poly;

static constexpr unsigned kMaxPrintRounds = 6;

namespace {

/// A term of a sum as it is printed.
struct Atom {
  /// Ascending in the order of printing.
  size_t rank;
  std::string text;
  bool isName;
  int64_t coefficient;
};

struct Sum {
  std::vector<Atom> atoms;
  int64_t constant;
};

/// What is said of one term.
struct Bounds {
  std::set<std::string> lower, upper, equal;
};

class RelationPrinter {
public:
  explicit RelationPrinter(const Relation &relation) : relation(relation) {
    for (Variable i = 0; i < relation.getNumVariables(); ++i)
      names.push_back(relation.getSpace().getName(i));
  }

  std::string print();

private:
  std::string printPart(const Rows &rows);
  void findExisting(const Form &form);
  Sum makeSum(const Form &form) const;
  std::string printAtom(const Atom &atom, bool isFirst) const;
  std::string print(const Sum &sum) const;
  std::string printOperand(const Form &form) const;
  size_t findMain(const Sum &sum) const;
  size_t getPriority(const Atom &atom) const;
  void addRow(const Row &row);

  const Relation &relation;
  std::vector<std::string> names;
  /// Names of what exists, by variable.
  std::map<Variable, std::string> existing;
  /// By rank and text of the term.
  std::map<std::pair<size_t, std::string>, Bounds> bounds;
};

} // namespace

static std::string join(const std::vector<std::string> &texts,
                        const char *separator) {
  std::string all;
  for (const std::string &text : texts)
    all += (all.empty() ? "" : separator) + text;
  return all;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::string RelationPrinter::printOperand(const Form &form) const {
  Sum sum = makeSum(form);
  bool isName = sum.atoms.size() == 1 && sum.constant == 0 &&
                sum.atoms[0].isName && sum.atoms[0].coefficient == 1;
  return isName ? sum.atoms[0].text : "(" + print(sum) + ")";
}

Sum RelationPrinter::makeSum(const Form &form) const {
  const Space &space = relation.getSpace();
  size_t numNames = space.getNumVariables();
  // Quotients in an order that does not depend on their numbers.
  std::vector<std::pair<std::string, Variable>> quotients;
  for (const Form::Term &term : form.getTerms())
    if (Variable variable = term.monomial.getFactor(0);
        const Space::Quotient *quotient = space.getQuotient(variable))
      quotients.push_back({printOperand(quotient->numerator) + " floordiv " +
                               std::to_string(quotient->divisor),
                           variable});
  std::sort(quotients.begin(), quotients.end());
  Form rest = form;
  Sum sum;
  for (const auto &[text, variable] : quotients) {
    const Space::Quotient &quotient = *space.getQuotient(variable);
    int64_t times = space.countRemainders(rest, variable);
    if (times == 0)
      continue;
    rest = space.takeRemainders(rest, variable, times);
    sum.atoms.push_back({numNames,
                         printOperand(quotient.numerator) + " mod " +
                             std::to_string(quotient.divisor),
                         false, times});
  }
  for (const auto &[text, variable] : quotients)
    if (int64_t coefficient = rest.split(variable).first.getConstant())
      sum.atoms.push_back({numNames + 1, text, false, coefficient});
  for (const Form::Term &term : rest.getTerms()) {
    Variable variable = term.monomial.getFactor(0);
    if (space.getQuotient(variable))
      continue;
    auto found = existing.find(variable);
    sum.atoms.push_back(
        {variable, found != existing.end() ? found->second : names[variable],
         true, term.coefficient});
  }
  std::sort(sum.atoms.begin(), sum.atoms.end(),
            [](const Atom &a, const Atom &b) {
              return std::tie(a.rank, a.text) < std::tie(b.rank, b.text);
            });
  sum.constant = rest.getConstant();
  return sum;
}

std::string RelationPrinter::printAtom(const Atom &atom, bool isFirst) const {
  bool isNegative = atom.coefficient < 0;
  std::string size =
      std::to_string(isNegative ? -atom.coefficient : atom.coefficient);
  std::string text =
      isFirst ? (isNegative ? "-" : "") : (isNegative ? " - " : " + ");
  if (size != "1")
    text += size + "*";
  // A sign and a factor bind what stands in front of floordiv alone.
  bool isBare = atom.isName || (size == "1" && !(isFirst && isNegative));
  return text + (isBare ? atom.text : "(" + atom.text + ")");
}

/// Terms that are added stand first.
std::string RelationPrinter::print(const Sum &sum) const {
  std::string text;
  for (bool isNegative : {false, true})
    for (const Atom &atom : sum.atoms)
      if ((atom.coefficient < 0) == isNegative)
        text += printAtom(atom, text.empty());
  if (text.empty())
    return std::to_string(sum.constant);
  uint64_t size = sum.constant < 0 ? -uint64_t(sum.constant) : sum.constant;
  if (size != 0)
    text += (sum.constant < 0 ? " - " : " + ") + std::to_string(size);
  return text;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Outputs come first, the last of them before all; then what exists, inputs,
/// symbols, remainders, and quotients.
size_t RelationPrinter::getPriority(const Atom &atom) const {
  const Signature &signature = relation.getSignature();
  size_t inputs = signature.inputs.size(), symbols = signature.symbols.size();
  size_t all = relation.getSpace().getNumVariables();
  if (atom.rank >= inputs + symbols)
    return atom.rank < all ? 3 * all + atom.rank : all + 1 - atom.rank;
  return atom.rank < inputs ? 2 * all + atom.rank : all + atom.rank;
}

size_t RelationPrinter::findMain(const Sum &sum) const {
  size_t best = 0;
  auto getKey = [&](const Atom &atom) {
    bool isUnit = atom.coefficient == 1 || atom.coefficient == -1;
    return std::make_tuple(isUnit, getPriority(atom), atom.text);
  };
  for (size_t i = 1; i < sum.atoms.size(); ++i)
    if (getKey(sum.atoms[i]) > getKey(sum.atoms[best]))
      best = i;
  return best;
}

void RelationPrinter::addRow(const Row &row) {
  Sum sum = makeSum(row.form);
  if (sum.atoms.empty())
    return;
  size_t main = findMain(sum);
  Atom atom = sum.atoms[main];
  bool isLower = atom.coefficient > 0;
  atom.coefficient = isLower ? atom.coefficient : -atom.coefficient;
  // The other side.
  sum.atoms.erase(sum.atoms.begin() + main);
  if (isLower) {
    for (Atom &other : sum.atoms)
      other.coefficient = -other.coefficient;
    sum.constant = -sum.constant;
  }
  Bounds &of = bounds[{atom.rank, printAtom(atom, /*isFirst=*/true)}];
  (row.isZero ? of.equal : isLower ? of.lower : of.upper).insert(print(sum));
}

void RelationPrinter::findExisting(const Form &form) {
  const Space &space = relation.getSpace();
  for (const Form::Term &term : form.getTerms()) {
    Variable variable = term.monomial.getFactor(0);
    if (const Space::Quotient *quotient = space.getQuotient(variable))
      findExisting(quotient->numerator);
    else if (space.isUnknown(variable))
      existing[variable] = "";
  }
}

std::string RelationPrinter::printPart(const Rows &rows) {
  bounds.clear();
  existing.clear();
  for (const Row &row : rows)
    findExisting(row.form);
  std::vector<std::string> exist;
  unsigned number = 0;
  for (auto &[variable, name] : existing) {
    do
      name = "e" + std::to_string(number++);
    while (std::find(names.begin(), names.end(), name) != names.end());
    exist.push_back(name);
  }
  for (const Row &row : rows)
    addRow(row);
  std::vector<std::string> constraints;
  for (const auto &[key, of] : bounds) {
    const std::string &term = key.second;
    for (const std::string &value : of.equal)
      constraints.push_back(term + " == " + value);
    auto lower = of.lower.begin(), upper = of.upper.begin();
    while (lower != of.lower.end() || upper != of.upper.end()) {
      std::string text = term;
      if (lower != of.lower.end())
        text = *lower++ + " <= " + text;
      if (upper != of.upper.end())
        text += " <= " + *upper++;
      constraints.push_back(text);
    }
  }
  std::string text = "(" + join(constraints, ", ") + ")";
  if (!exist.empty())
    text = "exists (" + join(exist, ", ") + ") : " + text;
  return text;
}

std::string RelationPrinter::print() {
  std::set<std::string> parts;
  for (const Rows &rows : relation.getParts())
    parts.insert(printPart(rows));
  const Signature &signature = relation.getSignature();
  std::string text = "(" + join(signature.inputs, ", ") + ")";
  if (!signature.symbols.empty())
    text += "[" + join(signature.symbols, ", ") + "]";
  text += " -> (" + join(signature.outputs, ", ") + ") : ";
  if (parts.empty())
    return text + "(false)";
  // One part without rows has all points.
  if (parts.count("()"))
    return text + "()";
  return text +
         join(std::vector<std::string>(parts.begin(), parts.end()), " or ");
}

/// Without the parts that a parser would refuse.
static Relation leaveOutEmpty(const Relation &relation) {
  Relation rest(relation.getSignature());
  rest.getSpace() = relation.getSpace();
  for (const Rows &part : relation.getParts()) {
    Relation one(relation.getSignature());
    one.getSpace() = relation.getSpace();
    one.addPart(part);
    if (isEmpty(one).truth != Truth::Proved)
      rest.addPart(part);
  }
  return rest;
}

/// A part that was not made small before work ran out is when it is parsed.
std::string poly::print(const Relation &relation) {
  std::string text = RelationPrinter(leaveOutEmpty(relation)).print();
  for (unsigned round = 0; round < kMaxPrintRounds; ++round) {
    ParsedRelation parsed = parseRelation(text);
    if (!parsed.relation)
      break;
    std::string next = RelationPrinter(*parsed.relation).print();
    if (next == text)
      break;
    text = std::move(next);
  }
  return text;
}

/// Of "()[n] -> (i, j) : ...", the names change places.
std::string poly::printSet(const Relation &set) {
  std::string text = print(set);
  size_t arrow = text.find(" -> "), colon = text.find(" : ");
  std::string symbols = text.substr(2, arrow - 2);
  return text.substr(arrow + 4, colon - arrow - 4) + symbols +
         text.substr(colon);
}
