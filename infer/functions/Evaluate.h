//===- Evaluate.h - the result shapes of an operation -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a shape function over static, unknown and symbolic extents. The
// operation need not exist (sf-2): its operands' types, its attributes and
// what is known of the operands' values are enough. Nothing is reported: the
// outcome says what holds, what does not and what is not known (ext-2), in the
// words of the function's author (sf-3), and the caller decides what to tell.
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

/// An integer in the value of an operand or result: a number, which may be
/// negative, or `?`.
class Integer {
public:
  Integer() : isKnown(false) {}
  Integer(int64_t number) : number(number) {}
  /// Of a table of numbers, where the evaluation is over one.
  Integer(Number number) : number(std::move(number)) {}

  /// Nothing where it is not known.
  std::optional<int64_t> getNumber() const {
    return isKnown && number.isConstant()
               ? std::optional<int64_t>(number.constant)
               : std::nullopt;
  }
  /// In the table that it is of; a new unknown number for `?`.
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
  /// What the type says beyond that (encodingOf); null where it is not known.
  mlir::Attribute encoding;
  /// The type that all this is of, or that it refines; null where there is
  /// none.
  mlir::Type type;
  /// An ElementsAttr, where the operand is a constant; else null.
  mlir::Attribute constant;
  /// Its elements in row-major order, where they are known in part.
  std::optional<std::vector<Integer>> value;

  Operand() = default;
  Operand(Shape shape, mlir::Type elementType)
      : shape(std::move(shape)), elementType(elementType) {}
  /// Of a shaped type, of a user's type that carries one (UserDialects.h), or
  /// of a `!tosa.shape<n>`, which is n numbers.
  explicit Operand(mlir::Type type);

  /// Whether it is known to be a number and no tensor, vector or memref.
  bool isScalar() const;
};

/// The third component of a type (sf-10): a tensor's encoding; for a memref an
/// array of its layout and its memory space. A unit attribute stands for "none"
/// wherever there is none of something. Null for a tensor without a rank, whose
/// type cannot say.
mlir::Attribute encodingOf(mlir::Type type);

/// An operation and what is known of its operands: the input of evaluate.
struct Request {
  llvm::StringRef operation;
  std::vector<Operand> operands;
  mlir::DictionaryAttr attributes;
  /// What the terminator of each region yields.
  std::vector<std::vector<Operand>> regionYields;
  /// How many results the operation has, where that is known: needed where it
  /// may have any number.
  std::optional<unsigned> numResults;
  /// The operation that a symbol attribute stands for, or null.
  std::function<mlir::Operation *(mlir::SymbolRefAttr)> lookupSymbol;
};

/// The request for an operation that exists: of operands it has the types, and
/// the values of constants.
Request makeRequest(mlir::Operation *op);
/// The same for one that is about to be created. Symbols are looked up from
/// `scope`, if there is one.
Request makeRequest(const mlir::OperationState &state, mlir::Operation *scope);

/// One thing that the function requires.
struct Constraint {
  Truth truth = Truth::Unknown;
  ConditionId condition = Numbers::kUnknown;
  /// With {0}, {1}, ... for `values`.
  std::string message;
  std::vector<Datum> values;
  /// Where in the library it stands.
  mlir::Location location;
  /// Its requirement as a formula, where there is one and proved constraints
  /// are kept.
  std::string statement = {};
  /// Of which operands the message is (shape/Message.h's describeOperands),
  /// with {0}, {1}, ... for `extents`; empty where that has not been added.
  std::string operands = {};
  std::vector<Datum> extents = {};
};

/// What is known of one result; the components that the function gives. sf-10
struct ResultComponents {
  Shape shape = Shape::unranked();
  /// Null where the function says nothing of it.
  mlir::Type elementType;
  /// Null where the function says nothing of it; else as encodingOf has it.
  mlir::Attribute encoding;
  /// For results that are lists of numbers.
  std::optional<std::vector<Integer>> value;
  bool hasShape = false;
  /// Whether the shape comes from the operation's own inference, which its
  /// verifier holds declared types to: `?` is then no more than not known.
  bool isFromInference = false;
  /// Whether it is such a list, of known length or not.
  bool isList = false;
};

/// An extent that only running the operation tells, and what bounds it. sf-7
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

/// Why there is no answer: the function does not fit the operation, or takes
/// too long.
struct EvaluationError {
  mlir::Location location;
  std::string message;
};

struct Outcome {
  /// Proved: all constraints hold. Refuted: one does not, and no run of the
  /// operation can succeed. Refuted as well where there is an error.
  Truth truth = Truth::Proved;
  std::vector<ResultComponents> results;
  /// In the order of evaluation, without those that constants prove unless
  /// they are kept.
  std::vector<Constraint> constraints;
  std::optional<EvaluationError> error;
  /// Set where a part could not be evaluated, so that not all constraints are
  /// listed: why.
  std::optional<EvaluationError> skipped;
  /// Those that the shapes of results have.
  std::vector<DataExtent> dataExtents;
  /// Elements that the function reads and that are no constants.
  std::vector<ElementNumber> elements;
  /// What the numbers of constraints mean.
  std::shared_ptr<const Numbers> numbers;
  /// Whether what is not known is written as `?` and not as a symbol.
  bool isCoarse = true;

  /// The first constraint that is refuted; null where none is.
  const Constraint *getRefuted() const;
};

struct EvaluationOptions {
  /// With it, extents of results are symbols where they are not known: the
  /// table's own, or new ones. Without, they are `?`.
  Numbers *numbers = nullptr;
  /// Whether to go on after a constraint that is refuted, to find more.
  bool findAll = false;
  /// Whether to list what is proved at once too, for a report.
  bool keepProved = false;
  /// Whether to evaluate what a text adds for the operation, and not the
  /// operation's own function. lib-2
  bool isAddition = false;
  /// One step is one operation evaluated, or one extent of a shape made.
  uint64_t maxSteps = 1 << 20;
};

/// Nothing where the library has no function for the operation and none can be
/// derived (sf-9). What a text adds is not evaluated unless `options` request
/// it, or it is all there is.
std::optional<Outcome> evaluate(const ShapeLibrary &library,
                                const Request &request,
                                const EvaluationOptions &options = {});

/// The author's message with values as far as they are known, `?` else.
std::string describe(const Outcome &outcome, const Constraint &constraint);

/// What of the constraints that do not hold is told. S-19
enum class Report : uint8_t { Nothing, First, All };

/// Reports why `outcome` is refuted, as errors at `location`; with notes where
/// it says so in the library. Fails.
mlir::LogicalResult reportRefuted(mlir::Location location,
                                  llvm::StringRef operation,
                                  const Outcome &outcome,
                                  Report report = Report::First);

/// The message as a template for run time, in which {k} stands for `values`[k]
/// and braces are escaped (shape/Message.h's substitute). A number that the
/// program has not, by `has`, is `?`. The second is for the operands.
std::string
makeTemplate(const Outcome &outcome, const Constraint &constraint,
             std::vector<Number> &values,
             llvm::function_ref<bool(const Number &)> has = nullptr);
std::string makeOperandsTemplate(const Constraint &constraint,
                                 std::vector<Number> &extents,
                                 llvm::function_ref<bool(const Number &)> has);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_EVALUATE_H
