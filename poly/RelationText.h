//===- RelationText.h - the text of a relation ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A relation as people write it:
//
//   (d0)[s0] -> (r0) : (d0 <= r0 <= d0 + 1, r0 < s0)
//
//   relation   ::= names (`[` list `]`)? `->` names `:` part (`or` part)*
//   names      ::= `(` list `)`
//   part       ::= (`exists` names `:`)? `(` constraint, ... `)`
//   constraint ::= `false` | sum (comparison sum)+
//   comparison ::= `<=` | `<` | `>=` | `>` | `==`
//   sum        ::= product ((`+` | `-`) product)*
//   product    ::= factor (`*` factor | (`floordiv` | `ceildiv` | `mod`)
//   number)* factor     ::= number | name | `-` factor | `(` sum `)`
//
// Printing has one order of parts, constraints and terms: what is printed is
// printed the same after it was parsed.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_RELATIONTEXT_H
#define BROADLOOM_POLY_RELATIONTEXT_H

#include "poly/Relation.h"

#include <string_view>

namespace broadloom::poly {

/// The words of a text, one after the other. Places point into the text.
class Tokens {
public:
  virtual ~Tokens() = default;

  /// Takes the next token if it is this one: one of ( ) [ ] , : < > = + - *
  /// and ->.
  virtual bool take(std::string_view token) = 0;
  virtual bool takeWord(std::string_view word) = 0;
  virtual std::optional<std::string> takeName() = 0;
  /// Digits without a sign, or nothing.
  virtual std::optional<std::string> takeDigits() = 0;
  virtual const char *getPlace() = 0;
};

/// The words of a string, which ends in a zero.
class TextTokens : public Tokens {
public:
  explicit TextTokens(const char *text) : next(text) {}

  bool take(std::string_view token) override;
  bool takeWord(std::string_view word) override;
  std::optional<std::string> takeName() override;
  std::optional<std::string> takeDigits() override;
  const char *getPlace() override;
  bool isAtEnd() { return *getPlace() == 0; }

private:
  const char *next;
};

struct TextError {
  const char *place;
  std::string message;
};

/// Exactly one of the two.
struct ParsedRelation {
  std::optional<Relation> relation;
  std::optional<TextError> error;
};

/// Parses a relation, and eliminates what exists. A part without a point is an
/// error, unless it says `false`.
ParsedRelation parseRelation(Tokens &tokens, Limits limits = relationLimits());
/// The text has a relation and nothing else.
ParsedRelation parseRelation(const std::string &text,
                             Limits limits = relationLimits());

/// The same for a set, a relation without inputs, which is written
/// "(i, j)[n] : (0 <= i, i <= j, j < n)".
ParsedRelation parseSet(const std::string &text,
                        Limits limits = relationLimits());

/// Whether the grammar takes the text as a name.
bool isName(const std::string &text);

std::string print(const Relation &relation);
/// `set` is a relation without inputs.
std::string printSet(const Relation &set);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_RELATIONTEXT_H
