//===- Legalizer.h - checked element-wise operations, one by one ---*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half of legalization (D8a), the same for every strategy: walks a
// checked module, producers before users, decides the result type of each
// element-wise operation, records what must hold of it at run time, and lets
// the strategy say what replaces it.
//
// Invariant: one pass over the program, linear in its size, nothing recursive
// over chains of values; nothing is folded.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_LEGALIZE_LEGALIZER_H
#define BROADLOOM_IMPORT_LEGALIZE_LEGALIZER_H

#include "import/legalize/Elementwise.h"
#include "infer/constraints/ShapeValues.h"
#include "infer/functions/ShapeLibraries.h"
#include "infer/report/GuardReport.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::legalize {

struct LegalizeOptions {
  DynamicToStatic dynamicToStatic = DynamicToStatic::Allow;
  /// Whether to record constraints. What must hold of the extents of operations
  /// that are not element-wise is left to their shape functions.
  bool constraints = true;
  /// Where given, everything is recorded, also what types prove or refute, and
  /// what is refused for its shapes does not end legalization.
  infer::GuardReport *report = nullptr;
  /// What knows the rules that an operation of TOSA breaks.
  infer::SharedLibraries libraries = std::make_shared<infer::ShapeLibraries>();
  /// Whether operations read what is known of their operands rather than what
  /// the program declares.
  bool refine = true;
};

class Legalizer {
public:
  /// Emits the replacement of an operation; its type is one of the three that
  /// the operation's result has. Fails where it has reported an error.
  using Convert = llvm::function_ref<llvm::FailureOr<mlir::Value>(
      mlir::OpBuilder &, Elementwise &)>;

  Legalizer(mlir::ModuleOp module, const LegalizeOptions &options,
            Convert convert)
      : module(module), options(options), convert(convert), shapes(made) {}

  /// Checks the module (CheckProgram.h), then converts it.
  llvm::LogicalResult run();

private:
  llvm::LogicalResult visit(mlir::Region &region);
  llvm::LogicalResult replace(BroadcastableOpInterface op);
  llvm::LogicalResult decideTypes(Elementwise &elementwise,
                                  Verification &verification);
  mlir::Value recordShapes(mlir::Operation *op,
                           llvm::ArrayRef<mlir::Value> operands,
                           mlir::Type declared,
                           const Verification &verification,
                           llvm::SmallVectorImpl<mlir::Value> &operandShapes);
  /// A map that the program itself has: what must hold of its shapes is
  /// recorded as it is for an operation of TOSA.
  llvm::LogicalResult guardMap(loom::MapOp map);
  void replace(mlir::cf::AssertOp assertion);
  void replace(loom::AssumeOp assumption);
  /// What `op`, which passes `source` on as a tensor of type `type`, says
  /// beyond that (rt-4).
  void guardCast(mlir::Operation *op, mlir::Value source, mlir::Type type);
  void addScalars(mlir::OpBuilder &builder, Elementwise &elementwise);
  mlir::Value extractScalar(mlir::OpBuilder &builder, mlir::Operation *op,
                            unsigned index);
  void constrainOneElement(mlir::OpBuilder &builder, mlir::Operation *op,
                           unsigned index);
  void constrainScalars(mlir::OpBuilder &builder, Elementwise &elementwise);
  /// Says that `cast` casts `value` to a type that says less.
  void refine(mlir::Value cast, mlir::Value value);
  bool isRefusedHere(mlir::Operation *op) const;
  llvm::LogicalResult refuse();
  void eraseUnused();

  mlir::ModuleOp module;
  LegalizeOptions options;
  /// Whether an error has been told; the program is looked at further for a
  /// report alone.
  bool isRefused = false;
  Convert convert;
  /// What may turn out to be of no use, in the order in which it was made.
  llvm::SmallVector<mlir::Operation *> made;
  infer::ShapeValues shapes;
  /// What a cast to a declared type was made from.
  llvm::DenseMap<mlir::Value, mlir::Value> refined;
};

/// The pass convert-tosa-to-loom.
std::unique_ptr<mlir::Pass>
createConvertTosaToLoom(const LegalizeOptions &options);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_LEGALIZE_LEGALIZER_H
