//===- Relation.h - relations of integer tuples -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A relation pairs tuples of inputs with tuples of outputs, for each value of
// its symbols; a set is a relation without inputs. It is a union of parts, each
// of which is a conjunction of affine rows with quotients by constants.
//
// A part may have unknowns of the space, which then exist. Elimination removes
// them wherever no limit is met, so that most relations have none.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_RELATION_H
#define BROADLOOM_POLY_RELATION_H

#include "poly/Elimination.h"
#include "shape/Answer.h"

namespace broadloom::poly {

/// The names of a relation's variables, pairwise different.
struct Signature {
  std::vector<std::string> inputs, symbols, outputs;

  size_t size() const {
    return inputs.size() + symbols.size() + outputs.size();
  }
};

class Relation {
public:
  /// A relation without a point.
  explicit Relation(Signature signature);

  const Signature &getSignature() const { return signature; }
  /// Of the inputs, the symbols, and the outputs, in this order.
  size_t getNumVariables() const { return signature.size(); }
  Form getInput(size_t number) const { return Form::variable(number); }
  Form getSymbol(size_t number) const {
    return Form::variable(signature.inputs.size() + number);
  }
  Form getOutput(size_t number) const {
    return Form::variable(signature.inputs.size() + signature.symbols.size() +
                          number);
  }
  /// All inputs, or all outputs.
  std::vector<Form> getInputs() const;
  std::vector<Form> getOutputs() const;

  Space &getSpace() { return space; }
  const Space &getSpace() const { return space; }

  /// A part has no rows for the definitions of quotients, which hold anyway.
  void addPart(Rows rows) { parts.push_back(std::move(rows)); }
  const std::vector<Rows> &getParts() const { return parts; }
  /// Whether `rows` have unknowns.
  bool hasUnknown(const Rows &rows) const;

private:
  Signature signature;
  /// Whose first variables are those of the signature, as symbols.
  Space space;
  std::vector<Rows> parts;
};

/// Bound what a question about relations costs to some milliseconds.
inline Limits relationLimits() {
  Limits limits;
  limits.work = 10000;
  return limits;
}

/// A relation, or why it is not known.
struct RelationResult {
  std::optional<Relation> relation;
  Limit limit = Limit::None;
};

/// Eliminates the unknowns of `rows`, which are of the relation's space, adds
/// what is left as parts, and leaves out what has no point and what follows
/// from the rest. Where elimination meets a limit, the rows stay as they are.
/// The limit is one of size or of coefficients.
Limit addExisting(Relation &relation, Rows rows, Limits &limits);

/// Brings rows of a space into another one.
class Import {
public:
  /// `base` has what stands for the first variables.
  Import(const Space &from, Space &to, std::vector<Form> base)
      : from(from), to(to), values(base.begin(), base.end()) {}
  Import(const Relation &from, Space &to, std::vector<Form> base)
      : Import(from.getSpace(), to, std::move(base)) {}

  /// What stands for one variable.
  void set(Variable variable, Form value) {
    if (variable >= values.size())
      values.resize(variable + 1);
    values[variable] = std::move(value);
  }

  Rows take(const Rows &rows);
  Form take(const Form &form);

private:
  Form getValue(Variable variable);

  const Space &from;
  Space &to;
  std::vector<std::optional<Form>> values;
};

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_RELATION_H
