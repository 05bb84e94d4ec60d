//===- NumberEmitter.h - numbers as values of a program ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the arithmetic of numbers and conditions, each part once.
//
// Invariant: what is emitted can be executed for all extents: a divisor that
// could be 0 is replaced by 1, for somebody else requires that it is not.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_NUMBEREMITTER_H
#define BROADLOOM_INFER_FUNCTIONS_NUMBEREMITTER_H

#include "infer/functions/Numbers.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace broadloom::infer {

class NumberEmitter {
public:
  /// The value of a symbol, of type index.
  using GetSymbol = std::function<mlir::Value(SymbolId)>;
  /// Whether the program has the value of a symbol.
  using HasSymbol = std::function<bool(SymbolId)>;

  NumberEmitter(mlir::OpBuilder &builder, mlir::Location loc,
                const Numbers &numbers, GetSymbol getSymbol,
                HasSymbol hasSymbol)
      : builder(builder), loc(loc), numbers(numbers),
        getSymbol(std::move(getSymbol)), hasSymbol(std::move(hasSymbol)) {}

  /// Whether all parts are known at run time. Nothing else can be emitted.
  bool canEmit(const Number &number) const;
  bool canEmitCondition(ConditionId condition) const;

  /// An index.
  mlir::Value emit(const Number &number);
  /// An i1.
  mlir::Value emitCondition(ConditionId condition);

private:
  mlir::Value emitTerms(const Number &number);
  mlir::Value emitAtom(AtomId id);
  mlir::Value emitQuotient(const Atom &atom, mlir::Value a, mlir::Value by);
  bool isPlain(const Atom &atom) const;
  mlir::Value makeConstant(int64_t value);
  mlir::Value makeSafe(const Number &divisor, mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Numbers &numbers;
  GetSymbol getSymbol;
  HasSymbol hasSymbol;
  llvm::DenseMap<AtomId, mlir::Value> atoms;
  std::map<Number, mlir::Value> sums;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_NUMBEREMITTER_H
