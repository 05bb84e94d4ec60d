//===- RelationParser.cpp - parses the text of a relation -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Domain.h"
#include "poly/IntegerPoint.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

using namespace broadloom;
using namespace broadloom::poly;

//===----------------------------------------------------------------------===//
// Words of a string
//===----------------------------------------------------------------------===//

static bool startsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
static bool continuesName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '.';
}

const char *TextTokens::getPlace() {
  while (std::isspace(static_cast<unsigned char>(*next)))
    ++next;
  return next;
}

bool TextTokens::take(std::string_view token) {
  const char *start = getPlace();
  if (std::strncmp(start, token.data(), token.size()) != 0 ||
      (token == "-" && start[1] == '>'))
    return false;
  next = start + token.size();
  return true;
}

bool TextTokens::takeWord(std::string_view word) {
  const char *start = getPlace();
  if (std::strncmp(start, word.data(), word.size()) != 0 ||
      continuesName(start[word.size()]))
    return false;
  next = start + word.size();
  return true;
}

std::optional<std::string> TextTokens::takeName() {
  const char *start = getPlace(), *end = start;
  if (!startsName(*start))
    return std::nullopt;
  while (continuesName(*end))
    ++end;
  next = end;
  return std::string(start, end);
}

std::optional<std::string> TextTokens::takeDigits() {
  const char *start = getPlace(), *end = start;
  while (std::isdigit(static_cast<unsigned char>(*end)))
    ++end;
  if (start == end)
    return std::nullopt;
  next = end;
  return std::string(start, end);
}

//===----------------------------------------------------------------------===//
// The grammar
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t kMaxNames = 64;
constexpr unsigned kMaxNesting = 64;

class RelationParser {
public:
  RelationParser(Tokens &tokens, Limits limits, bool isSet)
      : tokens(tokens), limits(limits), isSet(isSet) {}

  ParsedRelation parse();

private:
  /// False, with an error at `place`, unless there is one already.
  bool fail(const char *place, std::string message) {
    if (!error)
      error = TextError{place, std::move(message)};
    return false;
  }
  bool expect(const char *token) {
    return tokens.take(token) ||
           fail(tokens.getPlace(), std::string("expected '") + token + "'");
  }
  /// Names behind the opening parenthesis, and the closing one.
  bool parseNames(const char *close, const char *what,
                  std::vector<std::string> &names);
  bool parseSignature(Signature &signature);
  bool parsePart(Relation &relation);
  bool parseConstraint(Rows &rows, bool &isNever);
  bool parseComparison(std::string &comparison);
  std::optional<Form> parseSum();
  std::optional<Form> parseProduct();
  std::optional<Form> parseFactor();
  std::optional<Form> parseName(const char *place);
  std::optional<int64_t> parseDivisor(const char *what);
  std::optional<Form> check(const char *place, Form form) {
    if (form.isExact())
      return form;
    fail(place, "a coefficient does not fit 63 bits");
    return std::nullopt;
  }

  Tokens &tokens;
  Limits limits;
  /// Whether the outputs, and then the symbols, stand in place of all names.
  const bool isSet;
  std::optional<TextError> error;
  std::map<std::string, Form> known;
  Space *space = nullptr;
  unsigned nesting = 0;
};

} // namespace

static bool isReserved(const std::string &name) {
  for (const char *word :
       {"exists", "or", "floordiv", "ceildiv", "mod", "false"})
    if (name == word)
      return true;
  return false;
}

bool poly::isName(const std::string &text) {
  return TextTokens(text.c_str()).takeName() == text && !isReserved(text);
}

bool RelationParser::parseNames(const char *close, const char *what,
                                std::vector<std::string> &names) {
  if (tokens.take(close))
    return true;
  do {
    const char *place = tokens.getPlace();
    std::optional<std::string> name = tokens.takeName();
    if (!name)
      return fail(place, std::string("expected the name of ") + what);
    if (isReserved(*name))
      return fail(place, "'" + *name + "' is a word of the grammar");
    if (!known.emplace(*name, Form()).second)
      return fail(place, "'" + *name + "' is named twice");
    if (known.size() > kMaxNames)
      return fail(place, "there are more than " + std::to_string(kMaxNames) +
                             " names");
    names.push_back(*name);
  } while (tokens.take(","));
  return expect(close);
}

bool RelationParser::parseSignature(Signature &signature) {
  if (isSet)
    return expect("(") && parseNames(")", "an output", signature.outputs) &&
           (!tokens.take("[") ||
            parseNames("]", "a symbol", signature.symbols)) &&
           expect(":");
  if (!expect("(") || !parseNames(")", "an input", signature.inputs))
    return false;
  if (tokens.take("[") && !parseNames("]", "a symbol", signature.symbols))
    return false;
  if (!expect("->") || !expect("(") ||
      !parseNames(")", "an output", signature.outputs))
    return false;
  const char *place = tokens.getPlace();
  if (tokens.take("["))
    return fail(place, "symbols stand between the inputs and '->'");
  return expect(":");
}

ParsedRelation RelationParser::parse() {
  Signature signature;
  if (!parseSignature(signature))
    return {std::nullopt, error};
  Relation relation(std::move(signature));
  space = &relation.getSpace();
  for (Variable i = 0; i < relation.getNumVariables(); ++i)
    known[space->getName(i)] = Form::variable(i);
  do {
    if (!parsePart(relation))
      return {std::nullopt, error};
  } while (tokens.takeWord("or"));
  return {std::move(relation), std::nullopt};
}

bool RelationParser::parsePart(Relation &relation) {
  const char *place = tokens.getPlace();
  std::vector<std::string> existing;
  if (tokens.takeWord("exists")) {
    if (!expect("(") || !parseNames(")", "what exists", existing) ||
        !expect(":"))
      return false;
    for (const std::string &name : existing)
      known[name] = space->addUnknown(name);
  }
  if (!expect("("))
    return false;
  Rows rows;
  bool isNever = false;
  if (!tokens.take(")")) {
    do {
      if (!parseConstraint(rows, isNever))
        return false;
    } while (tokens.take(","));
    if (const char *end = tokens.getPlace(); !tokens.take(")"))
      return fail(end, "expected ')', or ',' and another comparison; numbers "
                       "are multiplied by '*'");
  }
  for (const std::string &name : existing)
    known.erase(name);
  if (isNever)
    return true;
  Relation one(relation.getSignature());
  one.getSpace() = *space;
  one.addPart(rows);
  if (isEmpty(one, limits).truth == Truth::Proved)
    return fail(place, "no point satisfies these constraints");
  Limits own = limits;
  Limit limit = addExisting(relation, std::move(rows), own);
  if (limit == Limit::Parts)
    return fail(place,
                "there are more than " + std::to_string(own.parts) + " parts");
  return limit == Limit::None || fail(place, describe(limit));
}

bool RelationParser::parseComparison(std::string &comparison) {
  const char *place = tokens.getPlace();
  if (tokens.take("<"))
    comparison = tokens.take("=") ? "<=" : "<";
  else if (tokens.take(">"))
    comparison = tokens.take("=") ? ">=" : ">";
  else if (tokens.take("=")) {
    if (!tokens.take("="))
      return fail(place, "expected '=='");
    comparison = "==";
  } else {
    comparison.clear();
  }
  return true;
}

/// A sum, and then one for each comparison with the sum before it.
bool RelationParser::parseConstraint(Rows &rows, bool &isNever) {
  if (tokens.takeWord("false"))
    return isNever = true;
  const char *place = tokens.getPlace();
  std::optional<Form> left = parseSum();
  if (!left)
    return false;
  std::string comparison;
  if (!parseComparison(comparison))
    return false;
  if (comparison.empty())
    return fail(tokens.getPlace(), "expected '<=', '<', '>=', '>' or '=='");
  while (!comparison.empty()) {
    std::optional<Form> right = parseSum();
    if (!right)
      return false;
    Row row = comparison == "<="   ? isAtMost(*left, *right)
              : comparison == "<"  ? isLess(*left, *right)
              : comparison == ">=" ? isAtMost(*right, *left)
              : comparison == ">"  ? isLess(*right, *left)
                                   : isZero(*left - *right);
    if (!check(place, row.form))
      return false;
    rows.push_back(std::move(row));
    if (rows.size() > limits.rows)
      return fail(place, describe(Limit::Rows));
    left = right;
    place = tokens.getPlace();
    if (!parseComparison(comparison))
      return false;
  }
  return true;
}

std::optional<Form> RelationParser::parseSum() {
  const char *place = tokens.getPlace();
  std::optional<Form> sum = parseProduct();
  while (sum) {
    bool isPlus = tokens.take("+");
    if (!isPlus && !tokens.take("-"))
      break;
    std::optional<Form> next = parseProduct();
    if (!next)
      return std::nullopt;
    sum = check(place, Form::combine(1, *sum, isPlus ? 1 : -1, *next));
  }
  return sum;
}

std::optional<int64_t> RelationParser::parseDivisor(const char *what) {
  const char *place = tokens.getPlace();
  std::optional<Form> divisor = parseFactor();
  if (!divisor)
    return std::nullopt;
  if (!divisor->isConstant() || divisor->getConstant() <= 0) {
    fail(place,
         std::string("the divisor of ") + what + " is not a positive number");
    return std::nullopt;
  }
  return divisor->getConstant();
}

std::optional<Form> RelationParser::parseProduct() {
  const char *place = tokens.getPlace();
  std::optional<Form> product = parseFactor();
  while (product) {
    const char *at = tokens.getPlace();
    if (tokens.take("*")) {
      std::optional<Form> next = parseFactor();
      if (!next)
        return std::nullopt;
      if (!product->isConstant() && !next->isConstant()) {
        fail(at, "neither side of '*' is a number");
        return std::nullopt;
      }
      product = check(place, *product * *next);
      continue;
    }
    bool isFloor = tokens.takeWord("floordiv"),
         isCeil = !isFloor && tokens.takeWord("ceildiv"),
         isMod = !isFloor && !isCeil && tokens.takeWord("mod");
    if (!isFloor && !isCeil && !isMod)
      break;
    std::optional<int64_t> divisor = parseDivisor(isFloor  ? "floordiv"
                                                  : isCeil ? "ceildiv"
                                                           : "mod");
    if (!divisor)
      return std::nullopt;
    Form quotient = space->floorDivide(isCeil ? -*product : *product, *divisor);
    product = check(place,
                    isFloor  ? quotient
                    : isCeil ? -quotient
                             : Form::combine(1, *product, -*divisor, quotient));
  }
  return product;
}

std::optional<Form> RelationParser::parseName(const char *place) {
  std::optional<std::string> name = tokens.takeName();
  if (!name) {
    fail(place, "expected a number or a name");
    return std::nullopt;
  }
  auto found = known.find(*name);
  if (found == known.end()) {
    fail(place, "'" + *name + "' is no input, output or symbol");
    return std::nullopt;
  }
  return found->second;
}

std::optional<Form> RelationParser::parseFactor() {
  const char *place = tokens.getPlace();
  if (nesting >= kMaxNesting) {
    fail(place, "there are too many parentheses or signs here");
    return std::nullopt;
  }
  ++nesting;
  std::optional<Form> factor;
  if (tokens.take("-")) {
    factor = parseFactor();
    if (factor)
      factor = check(place, -*factor);
  } else if (tokens.take("(")) {
    factor = parseSum();
    if (factor && !expect(")"))
      factor = std::nullopt;
  } else if (std::optional<std::string> digits = tokens.takeDigits()) {
    Form number = 0;
    for (char digit : *digits)
      number = Form::combine(10, number, 1, Form(digit - '0'));
    factor = check(place, number);
  } else {
    factor = parseName(place);
  }
  --nesting;
  return factor;
}

ParsedRelation poly::parseRelation(Tokens &tokens, Limits limits) {
  return RelationParser(tokens, limits, /*isSet=*/false).parse();
}

static ParsedRelation parseAll(const std::string &text, Limits limits,
                               bool isSet) {
  TextTokens tokens(text.c_str());
  ParsedRelation parsed = RelationParser(tokens, limits, isSet).parse();
  // A zero in the text is not its end.
  bool isWhole =
      tokens.isAtEnd() && tokens.getPlace() == text.c_str() + text.size();
  if (parsed.relation && !isWhole)
    return {std::nullopt, TextError{tokens.getPlace(),
                                    std::string("expected the end of the ") +
                                        (isSet ? "set" : "relation")}};
  return parsed;
}

ParsedRelation poly::parseRelation(const std::string &text, Limits limits) {
  return parseAll(text, limits, /*isSet=*/false);
}

ParsedRelation poly::parseSet(const std::string &text, Limits limits) {
  return parseAll(text, limits, /*isSet=*/true);
}
