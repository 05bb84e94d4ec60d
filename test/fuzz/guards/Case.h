//===- Case.h - an operation, and when its calls are valid ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are stated here anew, from docs/spec.md and the specification of
// TOSA: none of the functions that the compiler calls has a part in them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_GUARDS_CASE_H
#define BROADLOOM_TEST_FUZZ_GUARDS_CASE_H

#include "test/fuzz/guards/Shapes.h"

#include <functional>

namespace broadloom::guards {

/// An argument of the function that a case calls.
struct Argument {
  std::string element;
  /// The ranks that a ranked type may have; {} for a scalar, which is no
  /// tensor.
  std::vector<size_t> ranks;
  /// Each of these in turn is the value of all elements.
  std::vector<int64_t> values = {1};

  bool isScalar() const { return ranks.empty(); }
};

/// What a call is made with.
struct Inputs {
  std::vector<Extents> shapes;
  std::vector<int64_t> values;
  /// What variables have before the call (abi-8), in the order of
  /// Case::initialState.
  std::vector<Extents> state = {};
};

/// The shapes of the results, or nothing where a rule forbids the call.
using Verdict = std::optional<std::vector<Extents>>;

/// Which types results have.
enum class ResultTypes {
  /// Any that does not contradict the rules, also where it is more static than
  /// what follows from the operands (rt-4).
  Free,
  /// `?` on every axis.
  Open,
  /// That of the last tensor among the arguments.
  LikeLast,
};

struct Case {
  std::string name;
  std::vector<Argument> arguments;
  /// Their element types.
  std::vector<std::string> results;
  /// The operations, from %0, %1, ... to %r, or %r0, %r1, ... where there are
  /// more results; $0, $1, ... are the types of arguments and $r0, ... those of
  /// results.
  std::string body;
  std::function<Verdict(const Inputs &)> judge;
  /// Whether the types, as they are written, contradict each other on a path
  /// that need not be taken: no program, whatever the calls would be (ext-2).
  /// Where nothing is given here, `judge` refuses all calls of such types.
  std::function<bool(const std::vector<Pattern> &)> typesContradict;
  /// Whether the operation takes operands of unknown rank. Where it does not,
  /// they may be refused when the program is compiled, by an error.
  bool takesUnranked = false;
  ResultTypes resultTypes = ResultTypes::Free;
  /// Whether the types of operands and results are tied to each other by the
  /// operation, so that only `?` is tried.
  bool openOnly = false;
  /// Attributes of arguments, by number.
  std::vector<std::string> argumentAttributes;
  /// What stands before the function.
  std::string before;
  /// A shape library that the program needs.
  std::string library;
  /// Also compiled with the strategy `rfc`, which refuses an extent of 0 that
  /// meets a 1 as well, where types leave them open (rfc-4).
  bool alsoRfc = false;
  /// The shapes of variables at first, which `before` declares in this order,
  /// and what they are after a call that the rules allow. The calls of a
  /// program follow one another.
  std::vector<Extents> initialState;
  std::function<std::vector<Extents>(const Inputs &)> stateAfter;
};

/// "inputs: 2x3 of 1 scalar of 7".
std::string toText(const Inputs &inputs);

/// The program for these types.
std::string makeProgram(const Case &it, const std::vector<Pattern> &arguments,
                        const std::vector<Pattern> &results);

/// All cases, by family.
void addElementwise(std::vector<Case> &cases);
void addReductions(std::vector<Case> &cases);
void addLayouts(std::vector<Case> &cases);
void addProducts(std::vector<Case> &cases);
void addImages(std::vector<Case> &cases);
void addShapeValues(std::vector<Case> &cases);
void addTensors(std::vector<Case> &cases);
void addStructured(std::vector<Case> &cases);
void addQuantised(std::vector<Case> &cases);
void addControl(std::vector<Case> &cases);
void addScalars(std::vector<Case> &cases);
void addLoom(std::vector<Case> &cases);
void addUsers(std::vector<Case> &cases);
void addVariables(std::vector<Case> &cases);

} // namespace broadloom::guards

#endif // BROADLOOM_TEST_FUZZ_GUARDS_CASE_H
