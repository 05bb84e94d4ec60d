//===- LoopParts.h - what edited loops run of the program's -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of statements, which edits keep while a tree is printed, and what an
// edited loop runs of the program's. Schedule trees print both.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_LOOPPARTS_H
#define BROADLOOM_CODEGEN_SCHEDULE_LOOPPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <optional>
#include <string>

namespace broadloom::codegen {

/// Gives the statements of a function the numbers that its tree has, and takes
/// them away. Statements are stores and calls in loops.
void numberStatements(mlir::func::FuncOp func);
void eraseNumbers(mlir::func::FuncOp func);
/// Gives a store that an edit has made the next number, if statements have
/// numbers.
void numberStatement(mlir::Operation *store);
std::optional<int64_t> getStatementNumber(mlir::Operation *op);
/// The numbers of the statements in `op`, in their order and each once.
llvm::SmallVector<int64_t> getStatementNumbers(mlir::Operation *op);

/// A number of each iteration, as text by the variables of the program's loops.
struct LoopTexts {
  std::string all;
  /// By the numbers of statements, that of another loop which was fused.
  std::map<int64_t, std::string> others = {};

  const std::string &get(int64_t number) const;
  LoopTexts
  change(llvm::function_ref<std::string(const std::string &)> by) const;
  /// `by` of both texts of each statement.
  LoopTexts combine(
      const LoopTexts &other,
      llvm::function_ref<std::string(const std::string &, const std::string &)>
          by) const;
};

/// What a loop runs of the program's loops, such as "floordiv (i, 32)".
struct LoopParts : LoopTexts {
  /// What it is in the first iteration of the loop, and how it grows with each:
  /// what the variable is, which it equals in all iterations; 0, and by 1;
  /// another number, and by the step of the loop or by 1.
  enum class First { Variable, Zero, BySteps, ByOne } first = First::Variable;
  /// What the variable of the loop is, which edits change apart from the part.
  LoopTexts variable = {};

  LoopParts
  change(llvm::function_ref<std::string(const std::string &)> by) const;
  bool growsBySteps() const {
    return first == First::Variable || first == First::BySteps;
  }
  /// The same of a loop that begins with another iteration, or ends with one.
  LoopParts forgetFirst() const;
  /// The variable as the part, of a loop with any first iteration.
  LoopParts takeVariable() const {
    return LoopParts{variable, First::BySteps, variable};
  }
  /// Whether it tells of the ends of a loop, which are those of all its
  /// iterations.
  bool tellsOfEnds() const;
};

/// The name of a loop, if no edit has made it.
LoopParts getParts(mlir::scf::ForOp loop);
void setParts(mlir::scf::ForOp loop, const LoopParts &parts);
/// `before` and `behind` around each part.
LoopParts wrap(llvm::StringRef before, const LoopParts &parts,
               llvm::StringRef behind);
/// The number of the iteration in a loop that begins with `lower`, from 0 on.
LoopParts countIterations(const LoopParts &parts, mlir::Value lower,
                          int64_t step);
/// What counts tiles of so many, and what is left in a tile. The variable of
/// the loop over tiles is that of a tile's first iteration, where the variable
/// of `parts` grows by `step` when the part grows by 1.
LoopParts divide(const LoopParts &parts, int64_t size, int64_t step);
LoopParts takeRemainder(const LoopParts &parts, int64_t size);
/// The same from the last iteration to the first: "ends (i) - i" of "i", and
/// the other way round. `ends` is the sum of the first and the last.
LoopParts reverse(const LoopParts &parts);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_LOOPPARTS_H
