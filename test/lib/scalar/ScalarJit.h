//===- ScalarJit.h - runs scalar bodies, for tests --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the scalar bodies of element-wise operations into loops over arrays
// and runs them, so that tests meet what LLVM makes of a body: optimised and
// vectorised for this machine.
//
// Invariant: elements are raw bits in the low bits of a uint64_t, whatever
// their type; bits above the element's width are 0.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_SCALAR_SCALARJIT_H
#define BROADLOOM_TEST_LIB_SCALAR_SCALARJIT_H

#include "scalar/MathExpansion.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace broadloom::scalar {

using Column = std::vector<uint64_t>;

/// One operation to test, in MLIR's words.
struct ScalarCase {
  /// "tosa.add".
  std::string operation;
  /// Element types, e.g. "bf16".
  std::vector<std::string> operands;
  std::string result;
  /// Attribute dictionary with its braces, or empty.
  std::string attributes;
  /// Where not -1: this operand, an i8, is the constant `constant`.
  int constantOperand = -1;
  int constant = 0;
};

class ScalarJit {
public:
  /// Functions are computed as on this machine, or as on one with `unit`.
  ScalarJit();
  explicit ScalarJit(MathUnit unit);
  ~ScalarJit();

  /// Adds a case and returns its number. Cases that do not verify are reported
  /// by compile().
  unsigned add(ScalarCase scalarCase);

  /// Compiles all cases; an error text, empty where all is well.
  std::string compile();

  /// One result element for each row of the operand columns. A constant
  /// operand's column is ignored.
  Column run(unsigned number, const std::vector<Column> &operands) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace broadloom::scalar

#endif // BROADLOOM_TEST_LIB_SCALAR_SCALARJIT_H
