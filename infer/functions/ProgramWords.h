//===- ProgramWords.h - the words of a shape function -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library. A shape function for run time is a list of words
// (shape/FunctionProgram.h). This class writes instructions, and values that
// are known when the program is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PROGRAMWORDS_H
#define BROADLOOM_INFER_FUNCTIONS_PROGRAMWORDS_H

#include "infer/functions/Evaluator.h"
#include "infer/functions/ProgramWriter.h"
#include "shape/FunctionProgram.h"

#include "llvm/ADT/StringMap.h"

namespace broadloom::infer {

class ProgramWords {
public:
  using Words = std::vector<int64_t>;

  ProgramWords(const ShapeLibrary &library, const Request &request,
               const EvaluationOptions &options)
      : library(library), request(request), options(options), numbers(symbols) {
  }

protected:
  /// Adds one instruction.
  void append(Words &words, int64_t code, llvm::ArrayRef<int64_t> operands,
              llvm::ArrayRef<int64_t> results,
              llvm::ArrayRef<int64_t> immediates = {});
  void append(Words &words, FunctionCode code, llvm::ArrayRef<int64_t> operands,
              llvm::ArrayRef<int64_t> results,
              llvm::ArrayRef<int64_t> immediates = {}) {
    append(words, static_cast<int64_t>(code), operands, results, immediates);
  }

  /// The slot of a value, which the first call assigns.
  int64_t getSlot(mlir::Value value);
  llvm::SmallVector<int64_t> getSlots(mlir::ValueRange values);
  /// A new slot that belongs to no value.
  int64_t makeSlot() { return numSlots++; }

  /// The number of a text.
  int64_t getText(llvm::StringRef text);
  /// The same, or kNoText.
  int64_t getTextIfAny(std::optional<llvm::StringRef> text);

  /// Writes the known parts of an operand, number `input` of the program, to a
  /// slot.
  void writeOperand(Words &words, const Operand &operand, int64_t input,
                    int64_t slot);
  /// Writes an unknown value.
  void writeUnknown(Words &words, mlir::Value value);
  /// Writes a result that depends on attributes, types and regions alone.
  void writeStatic(Words &words, mlir::Operation *op);

  const ShapeLibrary &library;
  const Request &request;
  const EvaluationOptions &options;
  ProgramText made;
  int64_t numSlots = 0;

private:
  int64_t getTextOf(mlir::Type type);
  int64_t getTextOf(mlir::Attribute attribute);
  std::optional<llvm::SmallVector<int64_t>> getConstant(const Operand &operand);
  void writeDatum(Words &words, mlir::Value value, const Datum &datum);
  void writeDatum(Words &words, const OperandDatum &datum, int64_t slot);

  Symbols symbols;
  Numbers numbers;
  llvm::DenseMap<mlir::Value, int64_t> slots;
  llvm::StringMap<int64_t> textOf;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_PROGRAMWORDS_H
