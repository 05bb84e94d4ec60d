//===- ConstraintText.cpp - the author's words with their values ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Evaluate.h"
#include "infer/functions/Statement.h"
#include "infer/numbers/NumberText.h"
#include "shape/Message.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using WriteNumber = llvm::function_ref<std::string(const Number &)>;

static std::string writeEncoding(Attribute encoding) {
  if (!encoding)
    return "?";
  if (isa<UnitAttr>(encoding))
    return "none";
  std::string text;
  llvm::raw_string_ostream(text) << encoding;
  return text;
}

static std::string write(const Datum &datum, WriteNumber writeNumber) {
  auto writeShape = [&](const ShapeDatum &shape) -> std::string {
    if (!shape.isRanked)
      return "*";
    return broadloom::writeShape(shape.extents.size(), [&](size_t axis) {
      return writeNumber(shape.extents[axis]);
    });
  };
  if (auto *number = std::get_if<Number>(&datum))
    return writeNumber(*number);
  if (auto *type = std::get_if<Type>(&datum)) {
    if (!*type)
      return "?";
    std::string text;
    llvm::raw_string_ostream(text) << *type;
    return text;
  }
  if (auto *encoding = std::get_if<Attribute>(&datum))
    return writeEncoding(*encoding);
  if (auto *shape = std::get_if<std::shared_ptr<const ShapeDatum>>(&datum))
    return writeShape(**shape);
  if (auto *operand = std::get_if<std::shared_ptr<const OperandDatum>>(&datum))
    return writeShape((*operand)->shape);
  return "?";
}

/// Replaces {k} by the k-th value; other braces stay.
static std::string fill(StringRef rest, ArrayRef<Datum> values,
                        WriteNumber writeNumber, bool keepEscapes) {
  std::string text;
  while (!rest.empty()) {
    if (rest.consume_front("{{")) {
      text += keepEscapes ? "{{" : "{";
      continue;
    }
    StringRef after = rest;
    uint64_t number;
    if (after.consume_front("{") && !after.consumeInteger(10, number) &&
        after.consume_front("}") && number < values.size()) {
      text += write(values[number], writeNumber);
      rest = after;
      continue;
    }
    text += rest.front();
    rest = rest.drop_front();
  }
  return text;
}

static std::string fillKnown(const Outcome &outcome, StringRef text,
                             ArrayRef<Datum> values) {
  auto write = [&](const Number &number) -> std::string {
    if (number.isConstant() || !outcome.isCoarse)
      return toString(*outcome.numbers, number);
    return "?";
  };
  return fill(text, values, write, /*keepEscapes=*/false);
}

std::string infer::describe(const Outcome &outcome,
                            const Constraint &constraint) {
  return fillKnown(outcome, constraint.message, constraint.values) +
         fillKnown(outcome, constraint.operands, constraint.extents);
}

std::string infer::describeImpossible(const Outcome &outcome,
                                      const Constraint &constraint) {
  return fillKnown(outcome, hideNumbers(constraint.message), constraint.values);
}

LogicalResult infer::reportRefuted(Location location, StringRef operation,
                                   const Outcome &outcome, Report report) {
  auto error = [&](const std::string &text, Location where) {
    InFlightDiagnostic diagnostic = emitError(location)
                                    << "'" << operation << "': " << text;
    if (where != location && !isa<UnknownLoc>(where))
      diagnostic.attachNote(where) << "by its shape function";
  };
  if (report == Report::Nothing)
    return failure();
  for (const Constraint &constraint : outcome.constraints) {
    if (constraint.truth != Truth::Refuted)
      continue;
    // An error takes precedence over constraints that were found before it.
    if (outcome.error && report == Report::First)
      break;
    error(describe(outcome, constraint), constraint.location);
    if (report == Report::First)
      return failure();
  }
  if (outcome.error)
    error(outcome.error->message, outcome.error->location);
  return failure();
}

static std::string fillTemplate(StringRef text, ArrayRef<Datum> data,
                                std::vector<Number> &values,
                                llvm::function_ref<bool(const Number &)> has) {
  return fill(
      text, data,
      [&](const Number &number) -> std::string {
        if (number.isConstant())
          return std::to_string(number.constant);
        if (has && !has(number))
          return "?";
        auto it = llvm::find(values, number);
        if (it == values.end())
          it = values.insert(it, number);
        return "{" + std::to_string(it - values.begin()) + "}";
      },
      /*keepEscapes=*/true);
}

std::string infer::makeTemplate(const Outcome &outcome,
                                const Constraint &constraint,
                                std::vector<Number> &values,
                                llvm::function_ref<bool(const Number &)> has) {
  return fillTemplate(constraint.message, constraint.values, values, has);
}

std::string
infer::makeOperandsTemplate(const Constraint &constraint,
                            std::vector<Number> &extents,
                            llvm::function_ref<bool(const Number &)> has) {
  return fillTemplate(constraint.operands, constraint.extents, extents, has);
}
