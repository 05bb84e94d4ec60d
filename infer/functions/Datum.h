//===- Datum.h - what values of shape functions are -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values in an evaluation of a shape function.
//
// Invariant: everything but the kind of a datum may be unknown: a number that
// is an atom, a condition that is unknown, a shape of unknown rank, a null
// type or encoding, a list of unknown length.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_DATUM_H
#define BROADLOOM_INFER_FUNCTIONS_DATUM_H

#include "infer/numbers/Numbers.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

#include <memory>
#include <variant>

namespace broadloom::infer {

/// A list of numbers: a shape, or the values of a one-dimensional constant.
struct ShapeDatum {
  bool isRanked = true;
  std::vector<Number> extents;
  /// Whether they are the extents of an existing tensor, none of which is
  /// negative even if the numbers do not prove it.
  bool isOfTensor = false;

  static ShapeDatum unranked() { return {false, {}}; }
};

/// An operand, a result, or a value that a region yields.
struct OperandDatum {
  ShapeDatum shape = ShapeDatum::unranked();
  mlir::Type elementType;
  /// The encoding, as in Operand; null if it is not known.
  mlir::Attribute encoding;
  /// Whether it is known to be a scalar.
  bool isScalar = false;
  /// Its elements in row-major order, as far as they are known.
  ShapeDatum value = ShapeDatum::unranked();
  /// A constant from which `value` is read when it is needed.
  mlir::Attribute constant;
  /// The number of the operand in its operation; -1 if it is not one.
  int32_t number = -1;
};

struct ListDatum {
  bool isKnown = true;
  std::vector<OperandDatum> operands;
};

/// A condition, as a datum of its own kind.
struct Statement {
  ConditionId condition = Numbers::kUnknown;
};

/// std::monostate stands for a value that has not been computed.
using Datum = std::variant<std::monostate, Number, Statement, mlir::Type,
                           mlir::Attribute, std::shared_ptr<const ShapeDatum>,
                           std::shared_ptr<const OperandDatum>,
                           std::shared_ptr<const ListDatum>>;

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_DATUM_H
