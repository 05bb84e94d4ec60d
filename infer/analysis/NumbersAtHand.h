//===- NumbersAtHand.h - numbers where an operation stands ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the numbers and conditions of an operation's shape function before the
// operation. Extents of its operands are read from these; other extents are
// computed, or read from the value that the analysis has for them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_NUMBERSATHAND_H
#define BROADLOOM_INFER_ANALYSIS_NUMBERSATHAND_H

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/NumberEmitter.h"

namespace broadloom::infer {

class NumbersAtHand {
public:
  /// Where constraints of `op` are emitted.
  enum class Where : uint8_t { Before, After };

  NumbersAtHand(ShapeAnalysis &analysis, mlir::Operation *op,
                Where where = Where::Before);
  NumbersAtHand(const NumbersAtHand &) = delete;
  NumbersAtHand &operator=(const NumbersAtHand &) = delete;

  /// Whether the program can compute the constraint's condition.
  bool canConstrain(const Constraint &constraint);
  /// Emits it as a `loom.constrain` of the operation.
  loom::ConstrainOp constrain(const Outcome &outcome,
                              const Constraint &constraint);

  NumberEmitter &getEmitter() { return emitter; }
  mlir::OpBuilder &getBuilder() { return builder; }

private:
  mlir::Value readSymbol(SymbolId symbol);
  mlir::Value readShape(NodeId node);
  bool hasSymbol(SymbolId symbol) const;
  bool hasUnknown(AtomId atom) const;
  mlir::Value readUnknown(AtomId atom);

  ShapeAnalysis &analysis;
  mlir::Operation *op;
  mlir::OpBuilder builder;
  /// The operand and axis that a symbol is the extent of.
  llvm::SmallDenseMap<SymbolId, std::pair<mlir::Value, int64_t>> atHand;
  /// Elements of tensors that have been read.
  llvm::SmallDenseMap<AtomId, mlir::Value> elements;
  NumberEmitter emitter;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_NUMBERSATHAND_H
