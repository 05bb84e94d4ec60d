//===- Datum.h - what values of shape functions are -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values that an evaluation of a shape function computes with.
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
  /// They are the extents of a tensor that exists, so that none is negative
  /// even where nothing about the numbers proves it.
  bool isOfTensor = false;

  static ShapeDatum unranked() { return {false, {}}; }
};

/// An operand, a result, or what a region yields.
struct OperandDatum {
  ShapeDatum shape = ShapeDatum::unranked();
  mlir::Type elementType;
  /// What the type says beyond that, as Operand has it; null where that is not
  /// known.
  mlir::Attribute encoding;
  /// Known to be a number and no tensor, vector or memref.
  bool isScalar = false;
  /// What is known of its elements, in row-major order.
  ShapeDatum value = ShapeDatum::unranked();
  /// A constant in the place of `value`, read only when it is needed.
  mlir::Attribute constant;
  /// Which operand of the operation it is; -1 for none.
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

/// Nothing where a value has not been computed.
using Datum = std::variant<std::monostate, Number, Statement, mlir::Type,
                           mlir::Attribute, std::shared_ptr<const ShapeDatum>,
                           std::shared_ptr<const OperandDatum>,
                           std::shared_ptr<const ListDatum>>;

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_DATUM_H
