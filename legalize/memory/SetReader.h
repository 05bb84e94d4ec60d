//===- SetReader.h - sets of accesses and calls in a function ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to EffectSets.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_SETREADER_H
#define BROADLOOM_LEGALIZE_MEMORY_SETREADER_H

#include "legalize/memory/EffectSets.h"
#include "legalize/memory/NestReader.h"

namespace broadloom::legalize {

/// The memory of which `memory` is a cast that has the same subscripts.
mlir::Value stripCasts(mlir::Value memory);

/// Reads what stands in the body of one function.
class SetReader {
public:
  SetReader(mlir::func::FuncOp func, const ScalarNames &names)
      : func(func), names(names), roots(func) {}

  /// The elements that `op`, an access to an argument, has. Nothing if nothing
  /// is known of them.
  std::optional<EffectSet> readAccess(mlir::Operation *op, unsigned argument,
                                      bool isWrite);

  /// The elements of `argument` that a call has by `called`, a set of the
  /// called function.
  std::optional<EffectSet> readCall(mlir::func::CallOp call,
                                    const EffectSet &called, unsigned argument);

  EffectSet readAssumptions();

private:
  using Alternatives = std::vector<poly::Rows>;
  /// Gives conjunctions about the outputs of a relation, one of which holds.
  using GetAlternatives =
      llvm::function_ref<Alternatives(poly::Relation &, poly::Import &)>;

  NestReader makeReader() {
    return NestReader(func, NestNumbers::kAllSizes.front(), roots);
  }
  std::optional<EffectSet> make(EffectSet set, const NestReader &reader,
                                mlir::ArrayRef<poly::Form> extents,
                                GetAlternatives getAlternatives);
  std::optional<llvm::SmallVector<poly::Form>> getExtents(NestReader &reader,
                                                          unsigned argument);

  mlir::func::FuncOp func;
  const ScalarNames &names;
  ExtentRoots roots;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_SETREADER_H
