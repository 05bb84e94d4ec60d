//===- NestProduct.h - loop nests that are contractions ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop nest that adds products of elements of two memrefs to elements of a
// third one, as a contraction does (mem-16).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_NESTPRODUCT_H
#define BROADLOOM_CODEGEN_MEMORY_NESTPRODUCT_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::codegen {

/// One of the three memrefs of a product, and how the nest indexes it.
struct NestOperand {
  mlir::Value memory;
  mlir::ValueRange indices;
  /// The loops that the indices, or the conditions of a gathered operand,
  /// depend on: of the memref's axes, or of those of a gathered copy.
  llvm::SmallVector<unsigned> loops;
  /// Whether each index is a number that is the same in all iterations, or the
  /// sum of one and the variable of a loop, which is another one for each axis.
  bool isPlain = false;
  /// Of a plain operand, the loop of each index, if it has one.
  llvm::SmallVector<std::optional<unsigned>> axes;

  /// Reads what `load` does.
  void take(mlir::memref::LoadOp load);
  bool goesThrough(unsigned loop) const {
    return llvm::is_contained(loops, loop);
  }
};

/// Whether a value is the constant 0, and no -0.
bool isZero(mlir::Value value);

/// An element that is multiplied: what is loaded, or under a condition that,
/// and else a value.
struct NestFactor {
  mlir::memref::LoadOp load;
  /// Null where there is none.
  mlir::Value condition, otherwise;

  /// Nothing if `results`, those of one operation, are no factor.
  static std::optional<NestFactor> get(mlir::ValueRange results);
};

/// The iterations of a loop that are contracted at a time.
struct NestPart {
  mlir::OpFoldResult first, count;
};

/// Reads a nest. The loops of a nest have steps of 1 and bounds that are known
/// in front of it.
class NestProduct {
public:
  /// Nothing if the nest is no sum of products.
  static std::optional<NestProduct> get(mlir::scf::ForOp nest);

  /// Why it is no contraction: the types, or flags that the program has not;
  /// empty if it is one.
  std::string because;
  /// The outermost first.
  llvm::SmallVector<mlir::scf::ForOp> loops;
  /// The factors, of which the first may be gathered, and the sums.
  NestOperand image, weight, sums;
  /// The load of the first factor.
  mlir::memref::LoadOp imageLoad;
  /// The factors are widened.
  mlir::Type sumType;
  /// The conditions around the statement, the outermost first; without one, the
  /// product is not added.
  llvm::SmallVector<mlir::Value> conditions;
  /// The loops that the conditions depend on.
  llvm::SmallVector<unsigned> conditionLoops;
  /// The condition of the first factor, and what it is where that does not
  /// hold, if there is one; and the loops that the condition depends on.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 1> values;
  llvm::SmallVector<unsigned> valueLoops;
  /// Each sum begins with what the memory holds, and not with 0.
  bool addsToMemory = true;

  /// Whether loops over tiles have been joined with those over their elements
  /// (JoinTiles). That is the same nest where no bound is further away from 0
  /// than kMostOfTiles.
  bool isOfTiles = false;
  static constexpr int64_t kMostOfTiles = int64_t(1) << 61;

  /// Whether products may be added in another order than the program's.
  bool mayReorder() const;
  /// Whether a product with 0 may be left out, which is NaN by an infinity or
  /// NaN.
  bool mayLeaveOutZeros() const;

  /// Whether kernels compute the nest, or one with its tiles joined
  /// (JoinTiles).
  static bool isRaised(mlir::scf::ForOp nest);

  /// Loops through the first factor and the sums, but not the second one.
  llvm::SmallVector<unsigned> getRows() const;

private:
  bool descend(mlir::scf::ForOp nest);
  bool readStatement(mlir::Block *block);
  bool readCarried(mlir::scf::ForOp inner, mlir::Block *around);
  bool readSum(mlir::Value sum, mlir::Value old);
  std::string findObstacle();
  bool sortLoops();
  bool setsToZero();
  bool storesEachOnce() const;
  bool readIndices(NestOperand &operand);
  bool readCondition(const NestFactor &factor, NestOperand &operand);
  bool mayRun() const;
  void orderGathered();
  std::optional<unsigned> getLoopOf(mlir::Value variable) const;
  bool hasKnownBounds(mlir::scf::ForOp loop);
  bool isInvariant(mlir::Value value);
  bool isShifted(mlir::Value value, unsigned loop);
  bool isShifted(mlir::AffineExpr expr, mlir::affine::AffineApplyOp apply,
                 unsigned loop);
  bool dependsOn(mlir::Value value, llvm::SmallVectorImpl<unsigned> &found);

  /// What sets sums to 0, and the number of loops around it.
  mlir::memref::StoreOp zeros;
  size_t numAroundZeros = 0;
  mlir::Operation *sum = nullptr, *product = nullptr;
  NestFactor factors[2];
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_NESTPRODUCT_H
