//===- FunctionProgram.h - shape functions for run time ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape function as numbers, for what no expression of extents can say before
// ranks are known: the program is evaluated for the operands of one call
// (sf-4). infer/functions/ProgramWriter makes such programs; the semantics are
// those of infer/functions/Evaluator, over numbers instead of expressions.
//
// Invariant: an evaluation ends after a bounded number of steps, and reads
// nothing but the program and the inputs. The program has been verified: any
// text can say one (abi-3), so that loom.require_function verifies its own.
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
/// that ends with Yield; immediates name a block by where it begins.
enum class FunctionCode : int64_t {
  Yield,
  // Constants: immediates are the values.
  Number,
  Condition,
  List,
  /// Of a type, encoding or anything else that is compared by its text: the
  /// number of the text.
  Text,
  Unknown,
  /// Immediates: the input, or -1 where none has the shape; element type and
  /// encoding, as for Text, or -1; whether it is a scalar; whether a shape
  /// follows and its rank and extents, -1 for what is not known; whether
  /// elements follow and their number and values.
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
  // Numbers and conditions, and lists where `shape` has such an operation.
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
  /// The same with unsigned numbers: the code of a signed operation is less by
  /// kUnsigned.
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
  /// Immediates: the least and the greatest value, as operands if they are
  /// slots.
  DataExtent,
  // Control: immediates are blocks, and slots that their arguments are.
  If,
  For,
  Reduce,
  Call,
  /// Result `i` of the operation is the operand of this; immediates: i, and the
  /// input to compare it with or -1; a third one where a library adds the
  /// function to the operation's own rules.
  Result,
};

/// Added to the code of an operation on unsigned numbers.
constexpr int64_t kUnsignedCode = 1 << 16;

/// Immediates of Broadcast, Broadcasts and Meet where the author wrote no
/// message.
constexpr int64_t kNoText = -1;

/// The first words of a program: how many slots there are, and where the block
/// of the operation's function begins.
constexpr int64_t kProgramHeader = 2;

/// The words behind the code: the number of texts, and each with its length in
/// bytes and its bytes.
std::vector<int64_t> packTexts(const std::vector<std::string> &texts);

/// What is known of one tensor.
struct FunctionInput {
  bool isRanked = true;
  /// -1 where an extent is not known.
  std::vector<int64_t> extents;
  /// Its elements in row-major order, where they can be read.
  std::optional<std::vector<int64_t>> elements;
};

struct FunctionVerdict {
  /// Whether what the function requires surely does not hold.
  bool isRefuted = false;
  /// Whether a requirement could not be decided.
  bool isOpen = false;
  /// What to tell: of the first thing that does not hold, or else of the first
  /// that is open.
  std::string message;
  /// The shapes of operands, to be told behind the message (describeOperands).
  std::string operands;
};

/// What is wrong with a program; nothing for one that can be evaluated with
/// `numTexts` texts and `numInputs` inputs.
std::optional<std::string> verifyFunction(const std::vector<int64_t> &code,
                                          size_t numTexts, size_t numInputs);

/// Evaluates the program `code` with packTexts' words `texts`.
FunctionVerdict runFunction(const int64_t *code, const int64_t *texts,
                            const std::vector<FunctionInput> &inputs);

} // namespace broadloom

#endif // BROADLOOM_SHAPE_FUNCTIONPROGRAM_H
