//===- FunctionProgram.h - shape functions for run time ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape function as a list of numbers, for requirements that cannot be
// expressions of extents before ranks are known: the program is evaluated for
// the operands of one call (sf-4). infer/functions/ProgramWriter makes such
// programs; the semantics are those of infer/functions/Evaluator, over numbers
// instead of expressions.
//
// Invariant: an evaluation ends after a bounded number of steps, and reads
// nothing but the program and the inputs. The program has been verified:
// loom.require_function verifies its program, because any text may contain one
// (abi-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_FUNCTIONPROGRAM_H
#define BROADLOOM_SHAPE_FUNCTIONPROGRAM_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

/// What an instruction does. An instruction is the words
///   code, length of all, number of operands, operands, number of results,
///   results, immediates
/// where operands and results are slots. A block is a sequence of instructions
/// that ends with Yield; immediates refer to a block by its offset.
enum class FunctionCode : int64_t {
  Yield,
  // Constants: immediates are the values.
  Number,
  Condition,
  List,
  /// A type, encoding or other value that is compared by its text: the number
  /// of the text.
  Text,
  Unknown,
  /// Immediates: the input with the shape, or -1; element type and encoding, as
  /// for Text, or -1; whether it is a scalar; whether a shape follows, and its
  /// rank and extents, -1 for unknown ones; whether elements follow, and their
  /// number and values.
  Operand,
  // Operands and their parts.
  ShapeOf,
  ElementsOf,
  TypeOf,
  EncodingOf,
  IsScalar,
  WithShape,
  /// Immediate: the message.
  Extents,
  Dim,
  // Numbers and conditions, and lists if `shape` has such an operation.
  Add,
  Sub,
  Mul,
  Div,
  CeilDiv,
  FloorDiv,
  Rem,
  Max,
  Min,
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,
  /// The same with unsigned numbers: the code is that of the signed operation
  /// plus kUnsignedCode.
  Equal,
  NotEqual,
  Less,
  AtMost,
  Greater,
  AtLeast,
  Select,
  Copy,
  All,
  // Shapes and lists.
  Rank,
  Count,
  Extent,
  MakeList,
  Concat,
  Split,
  Same,
  Broadcasts,
  Broadcast,
  Meet,
  Any,
  MakeOperands,
  Length,
  Element,
  // Constraints; immediates are messages.
  Constrain,
  Fail,
  /// Operands: the least value and, optionally, the greatest value.
  DataExtent,
  // Control: immediates are blocks, and the slots of their arguments.
  If,
  For,
  Reduce,
  Call,
  /// Result `i` of the operation is the operand of this; immediates: i, and the
  /// input to compare it with or -1; a third one if a library adds the function
  /// to the operation's own rules.
  Result,
};

/// Added to the code of an operation on unsigned numbers.
constexpr int64_t kUnsignedCode = 1 << 16;

/// The immediate of Broadcast, Broadcasts and Meet without a message of the
/// author.
constexpr int64_t kNoText = -1;

/// The first words of a program: the number of slots, and the offset of the
/// function's block.
constexpr int64_t kProgramHeader = 2;

/// The words after the code: the number of texts, and for each its length in
/// bytes and its bytes.
std::vector<int64_t> packTexts(const std::vector<std::string> &texts);

/// The known shape and elements of one tensor.
struct FunctionInput {
  bool isRanked = true;
  /// The extents, -1 for unknown ones.
  std::vector<int64_t> extents;
  /// Its elements in row-major order, if they can be read.
  std::optional<std::vector<int64_t>> elements;
};

struct FunctionVerdict {
  /// Whether a requirement surely does not hold.
  bool isRefuted = false;
  /// Whether a requirement could not be decided.
  bool isOpen = false;
  /// The message of the first requirement that does not hold, or else of the
  /// first open one.
  std::string message;
  /// The shapes of operands, which follow the message (describeOperands).
  std::string operands;
};

/// An error in a program; nothing if it can be evaluated with `numTexts` texts
/// and `numInputs` inputs.
std::optional<std::string> verifyFunction(const std::vector<int64_t> &code,
                                          size_t numTexts, size_t numInputs);

/// Evaluates the program `code` with packTexts' words `texts`.
FunctionVerdict runFunction(const int64_t *code, const int64_t *texts,
                            const std::vector<FunctionInput> &inputs);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_FUNCTIONPROGRAM_H
