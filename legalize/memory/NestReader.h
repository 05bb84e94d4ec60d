//===- NestReader.h - loop nests as integer sets ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between a loop and an access in it, as a domain of poly/. Values
// that are known in front of the loop are symbols. The sizes of numbers are
// watched: poly/ is about mathematical integers and a program about words,
// which are the same where no number leaves 62 bits.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTREADER_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTREADER_H

#include "poly/Condition.h"
#include "poly/Domain.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/MapVector.h"

namespace broadloom::legalize {

/// A number in front of a nest: a value, or an extent of a memref.
struct NestSymbol {
  mlir::Value value;
  /// The axis, if `value` is a memref; else -1.
  int64_t axis = -1;

  bool operator==(const NestSymbol &other) const {
    return value == other.value && axis == other.axis;
  }
  bool isExtent() const { return axis >= 0; }
};

/// Reads the way from `nest` to one access in it.
class NestReader {
public:
  /// How large symbols may be: less than 2 to the power of `bits`, of either
  /// sign. Extents are as large as memory allows, unless they are limited too.
  struct Sizes {
    int bits;
    bool limitsExtents;
  };

  NestReader(mlir::affine::AffineForOp nest, Sizes sizes)
      : nest(nest), sizes(sizes) {}

  /// Whether `op`, an `affine.load` or `affine.store` in the nest, could be
  /// read; `domain` and `access` are then what it does.
  bool read(mlir::Operation *op);

  poly::Domain domain;
  poly::Access access;
  /// By the numbers of their variables; others are loops and quotients.
  std::vector<std::pair<poly::Variable, NestSymbol>> symbols;

  /// Whether the program must compare the symbol with the limit.
  bool isLimited(const NestSymbol &symbol) const {
    return !symbol.isExtent() || sizes.limitsExtents;
  }
  /// Whether `form`, which is about symbols, and all parts of it fit 61 bits.
  bool fits(const poly::Form &form, const poly::Space &space) const;

private:
  /// A number and the greatest absolute value that it can have.
  struct Bounded {
    poly::Form form;
    double size;
  };

  /// The greatest absolute value of a symbol.
  double getSize(const NestSymbol &symbol) const;
  double getSize(const poly::Form &form, const poly::Space &space) const;
  std::optional<Bounded> getSymbol(const NestSymbol &symbol);
  std::optional<Bounded> get(mlir::Value value);
  std::optional<Bounded> get(mlir::AffineExpr expr, unsigned numDims,
                             mlir::ValueRange operands);
  std::optional<Bounded> getExtent(mlir::Value memory, int64_t axis);
  bool addLoop(mlir::affine::AffineForOp loop);
  bool addCondition(mlir::affine::AffineIfOp branch, bool isElse);
  bool isInFront(mlir::Value value);

  mlir::affine::AffineForOp nest;
  Sizes sizes;
  std::vector<std::pair<NestSymbol, Bounded>> known;
  llvm::DenseMap<mlir::Value, Bounded> loops;
};

/// An access and when it is inside. Equal accesses of one block share a reader.
struct CheckedAccess {
  mlir::Operation *op;
  std::shared_ptr<NestReader> reader;
  poly::Condition condition;
};

/// The memory and the subscripts of an `affine.load` or `affine.store`.
struct AffineAccess {
  mlir::Value memory;
  mlir::AffineMap map;
  mlir::ValueRange operands;

  static AffineAccess get(mlir::Operation *op);
  bool operator==(const AffineAccess &other) const {
    return memory == other.memory && map == other.map &&
           llvm::equal(operands, other.operands);
  }
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTREADER_H
