//===- Evaluate.h - the result shapes of an operation -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a shape function over static, unknown and symbolic extents. The
// operation need not exist (sf-2): its operands' types, its attributes and the
// known values of operands are enough. Nothing is reported: the outcome has the
// proved, refuted and unknown constraints (ext-2) with the messages of the
// function's author (sf-3), and the caller decides what to report.
//
// Invariant: an evaluation ends after a bounded number of steps, changes
// nothing but the table of symbols, and gives the same for the same request.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_EVALUATE_H
#define BROADLOOM_INFER_FUNCTIONS_EVALUATE_H

#include "infer/functions/Datum.h"
#include "infer/functions/Library.h"
#include "shape/Shape.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace broadloom::infer {

/// An integer that is an element of an operand or result: a number, which may
/// be negative, or `?`.
class Integer {
public:
  Integer() : isKnown(false) {}
  Integer(int64_t number) : number(number) {}
  /// A number of the table over which the function is evaluated.
  Integer(Number number) : number(std::move(number)) {}

  /// Nothing where it is not known.
  std::optional<int64_t> getNumber() const {
    return isKnown && number.isConstant()
               ? std::optional<int64_t>(number.constant)
               : std::nullopt;
  }
  /// The number in `table`; a new unknown number for `?`.
  Number in(Numbers &table) const {
    return !isKnown              ? table.unknown()
           : number.isConstant() ? table.word(number.constant)
                                 : number;
  }

private:
  Number number;
  bool isKnown = true;
};

/// What is known of an operand.
struct Operand {
  Shape shape = Shape::unranked();
  /// Null where it is not known.
  mlir::Type elementType;
  /// The encoding (encodingOf); null if it is not known.
  mlir::Attribute encoding;
  /// The operand's type, which the other fields may refine; null if there is
  /// none.
  mlir::Type type;
  /// An ElementsAttr if the operand is a constant; else null.
  mlir::Attribute constant;
  /// Its elements in row-major order, if any is known.
  std::optional<std::vector<Integer>> value;

  Operand() = default;
  Operand(Shape shape, mlir::Type elementType)
      : shape(std::move(shape)), elementType(elementType) {}
  /// From a shaped type, a user's type that carries one (UserDialects.h), or a
  /// `!tosa.shape<n>`, which is n numbers.
  explicit Operand(mlir::Type type);

  /// Whether it is known to be a scalar.
  bool isScalar() const;
};

/// The third component of a type (sf-10): a tensor's encoding; for a memref an
/// array of its layout and its memory space. A unit attribute stands for an
/// absent part. Null for an unranked tensor type, which has no encoding.
mlir::Attribute encodingOf(mlir::Type type);

/// The input of evaluate: an operation and its operands, as far as they are
/// known.
struct Request {
  llvm::StringRef operation;
  std::vector<Operand> operands;
  mlir::DictionaryAttr attributes;
  /// The operands of the terminator of each region.
  std::vector<std::vector<Operand>> regionYields;
  /// The number of results, if it is known; required if the operation may have
  /// any number.
  std::optional<unsigned> numResults;
  /// The operation that a symbol attribute stands for, or null.
  std::function<mlir::Operation *(mlir::SymbolRefAttr)> lookupSymbol;
};

/// The request for an existing operation, with the types of its operands and
/// the values of constants.
Request makeRequest(mlir::Operation *op);
/// The same for one that is about to be created. Symbols are looked up from
/// `scope`, if there is one.
Request makeRequest(const mlir::OperationState &state, mlir::Operation *scope);

/// A requirement of the function.
struct Constraint {
  Truth truth = Truth::Unknown;
  ConditionId condition = Numbers::kUnknown;
  /// With {0}, {1}, ... for `values`.
  std::string message;
  std::vector<Datum> values;
  /// Its location in the library.
  mlir::Location location;
  /// The requirement as a formula, if there is one and proved constraints are
  /// kept.
  std::string statement = {};
  /// The operands that the message is about (describeOperands in
  /// shape/Message.h), with {0}, {1}, ... for `extents`; empty if they have not
  /// been added.
  std::string operands = {};
  std::vector<Datum> extents = {};
};

/// One result: the components that the function gives. sf-10
struct ResultComponents {
  Shape shape = Shape::unranked();
  /// Null if the function does not give it.
  mlir::Type elementType;
  /// Null if the function does not give it; else as in encodingOf.
  mlir::Attribute encoding;
  /// For results that are lists of numbers.
  std::optional<std::vector<Integer>> value;
  bool hasShape = false;
  /// Whether the shape comes from the operation's own inference, with which its
  /// verifier compares declared types. A `?` is then simply unknown.
  bool isFromInference = false;
  /// Whether the result is a list of numbers, of known length or not.
  bool isList = false;
};

/// An extent that depends on data, with its bound. sf-7
struct DataExtent {
  SymbolId symbol;
  Number atLeast;
  std::optional<Number> atMost;
};

/// An unknown number of the constraints that is an element of an operand.
struct ElementNumber {
  AtomId atom;
  unsigned operand;
  /// In row-major order.
  int64_t element;
};

/// The reason for an evaluation without an answer: the function does not fit
/// the operation, or takes too long.
struct EvaluationError {
  mlir::Location location;
  std::string message;
};

struct Outcome {
  /// Proved: all constraints hold. Refuted: one does not, and no run of the
  /// operation can succeed; or there is an error.
  Truth truth = Truth::Proved;
  std::vector<ResultComponents> results;
  /// In the order of evaluation, without those that constants prove unless
  /// they are kept.
  std::vector<Constraint> constraints;
  std::optional<EvaluationError> error;
  /// Set if a part could not be evaluated, so that constraints may be missing:
  /// the reason.
  std::optional<EvaluationError> skipped;
  /// The extents of results that depend on data.
  std::vector<DataExtent> dataExtents;
  /// Elements that the function reads and that are not constants.
  std::vector<ElementNumber> elements;
  /// The table of the numbers in constraints.
  std::shared_ptr<const Numbers> numbers;
  /// Whether unknown extents are written as `?` and not as symbols.
  bool isCoarse = true;

  /// The first constraint that is refuted; null where none is.
  const Constraint *getRefuted() const;
};

struct EvaluationOptions {
  /// With a table, unknown extents of results are symbols, of the table or new
  /// ones. Without one, they are `?`.
  Numbers *numbers = nullptr;
  /// Whether to continue after a refuted constraint, to find more.
  bool findAll = false;
  /// Whether to list constraints that are proved at once too, for a report.
  bool keepProved = false;
  /// Whether to evaluate the function that a text adds for the operation, not
  /// the operation's own. lib-2
  bool isAddition = false;
  /// One step is one operation evaluated, or one extent of a shape made.
  uint64_t maxSteps = 1 << 20;
};

/// Nothing where the library has no function for the operation and none can be
/// derived (sf-9). A function that a text adds is evaluated only if `options`
/// request it, or if there is no other.
std::optional<Outcome> evaluate(const ShapeLibrary &library,
                                const Request &request,
                                const EvaluationOptions &options = {});

/// The author's message with its values, `?` for unknown ones.
std::string describe(const Outcome &outcome, const Constraint &constraint);

/// Which refuted constraints are reported. S-19
enum class Report : uint8_t { Nothing, First, All };

/// Reports the refuted constraints of `outcome` as errors at `location`, with
/// notes at their locations in the library. Always fails.
mlir::LogicalResult reportRefuted(mlir::Location location,
                                  llvm::StringRef operation,
                                  const Outcome &outcome,
                                  Report report = Report::First);

/// The message as a template for run time, in which {k} stands for `values`[k]
/// and braces are escaped (shape/Message.h's substitute). A number that the
/// program cannot compute, by `has`, is `?`. The second string is for the
/// operands.
std::string
makeTemplate(const Outcome &outcome, const Constraint &constraint,
             std::vector<Number> &values,
             llvm::function_ref<bool(const Number &)> has = nullptr);
std::string makeOperandsTemplate(const Constraint &constraint,
                                 std::vector<Number> &extents,
                                 llvm::function_ref<bool(const Number &)> has);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_EVALUATE_H
