//===- NestNumbers.h - the numbers of a loop nest ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a loop nest as forms of poly/. A value that is known in front
// of the nest is a symbol. The sizes of numbers are watched: poly/ is about
// mathematical integers and a program about words, which are the same where no
// number leaves its word, or 62 bits.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTNUMBERS_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTNUMBERS_H

#include "legalize/memory/ExtentRoots.h"
#include "poly/Domain.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace broadloom::legalize {

class NestNumbers {
public:
  /// How large symbols may be: less than 2 to the power of `bits`, of either
  /// sign. Extents, and numbers that memory in front of the nest was made with,
  /// are as large as memory allows, unless they are limited too.
  struct Sizes {
    int bits;
    bool limitsExtents;
  };
  /// From the widest on.
  static constexpr std::array<Sizes, 5> kAllSizes = {
      {{40, false}, {29, false}, {29, true}, {19, false}, {19, true}}};
  /// A number and the greatest absolute value that it can have.
  struct Bounded {
    poly::Form form;
    double size;
  };
  enum class Arithmetic {
    Add,
    Subtract,
    Multiply,
    FloorDivide,
    CeilDivide,
    /// The remainder that is not negative.
    Modulo,
    /// Division that rounds to 0, and its remainder.
    Divide,
    Remainder,
    Least,
    Greatest,
  };

  /// Of a nest that is a function, the arguments are in front.
  NestNumbers(mlir::Operation *nest, Sizes sizes, const ExtentRoots &roots)
      : nest(nest), sizes(sizes), roots(roots) {}

  /// By the numbers of their variables; others are loops and quotients.
  std::vector<std::pair<poly::Variable, NestSymbol>> symbols;

  bool isInFront(mlir::Value value) const;
  /// From now on, values of `callee` are those when `call` in the nest runs it.
  void enter(mlir::func::CallOp call, mlir::func::FuncOp callee);
  /// Whether the program must compare the symbol with the limit.
  bool isLimited(const NestSymbol &symbol) const;
  int getBits() const { return sizes.bits; }
  /// How many times larger limited symbols may be without any number that was
  /// computed leaving its type.
  double getRoom() const { return room; }
  /// What `getRoom` is where nothing was computed: any word is in range.
  static constexpr double kAnyRoom = double(1 << 24);
  /// Whether `form`, which is about symbols and perhaps about `extra`, whose
  /// size is given, and all parts of it fit 61 bits.
  bool fits(const poly::Form &form, const poly::Space &space,
            std::optional<poly::Variable> extra = {},
            double sizeOfExtra = 0) const;

  std::optional<Bounded> get(mlir::Value value);
  std::optional<Bounded> get(mlir::AffineExpr expr, unsigned numDims,
                             mlir::ValueRange operands);
  /// The same of numbers, dimensions first.
  std::optional<Bounded> get(mlir::AffineExpr expr, unsigned numDims,
                             llvm::ArrayRef<Bounded> operands);
  std::optional<Bounded> get(mlir::OpFoldResult number);
  std::optional<Bounded> getExtent(mlir::Value memory, int64_t axis);
  /// What `kind` makes of two numbers; nothing if one is missing, or if nothing
  /// is known of the result.
  std::optional<Bounded> apply(Arithmetic kind, const std::optional<Bounded> &a,
                               const std::optional<Bounded> &b);
  /// The conjunctions of which one holds where the boolean has that value.
  std::optional<std::vector<poly::Rows>> getCondition(mlir::Value boolean,
                                                      bool isTrue);
  /// Adds what the innermost branches around the nest say of extents and of
  /// symbols that it has.
  void assumeBranches();
  /// From now on, `value` is that number, if this fits the type.
  bool set(mlir::Value value, const Bounded &number);

  poly::Domain domain;

private:
  using Parts = std::vector<poly::Rows>;

  /// Whether the symbol is a number that memory can have as an extent.
  bool isExtent(const NestSymbol &symbol) const;
  /// The number, if it surely fits; notes how much larger it may be.
  std::optional<Bounded> take(std::optional<Bounded> number, double most);
  /// Whether all symbols of `value` are extents or occur in the nest already.
  bool isKnown(mlir::Value value, unsigned depth = 0) const;
  /// The greatest absolute value of a symbol.
  double getSize(const NestSymbol &symbol) const;
  std::optional<Bounded> getSymbol(const NestSymbol &symbol);
  std::optional<Bounded> read(mlir::Value value);
  std::optional<Parts> readCondition(mlir::Value boolean, bool isTrue);
  std::optional<Bounded> compute(mlir::Operation *op);
  std::optional<Bounded> compute(Arithmetic kind, const Bounded &a,
                                 const Bounded &b);
  std::optional<Bounded> choose(mlir::Operation *select);
  std::optional<Bounded>
  compute(mlir::AffineExpr expr, unsigned numDims,
          llvm::function_ref<std::optional<Bounded>(unsigned)> getOperand);
  std::optional<Parts> compare(mlir::Operation *op, bool isTrue);

  mlir::Operation *nest;
  Sizes sizes;
  const ExtentRoots &roots;
  mlir::func::CallOp call;
  mlir::func::FuncOp callee;
  std::vector<std::pair<NestSymbol, Bounded>> known;
  /// What has been read of each value, also where that is nothing: a program
  /// may use a value so often that each must be read once.
  llvm::DenseMap<mlir::Value, std::optional<Bounded>> numbers;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, std::optional<Parts>>
      conditions;
  /// How many operations are being read, each an operand of the one before.
  static constexpr unsigned kMostDepth = 128;
  unsigned depth = 0;
  double room = kAnyRoom;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTNUMBERS_H
