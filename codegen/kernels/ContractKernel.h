//===- ContractKernel.h - tiles of sums of products -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the function of runtime/abi/ContractStructs.h
// (BroadloomContractKernel) for a contraction: it sums some rows and some
// vectors of output channels in registers, and computes the body on the sums
// before it stores the results.
//
// Invariant: each sum is a single chain of additions in the order of the window
// and the channels, for any tile (sum-1).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_CONTRACTKERNEL_H
#define BROADLOOM_CODEGEN_KERNELS_CONTRACTKERNEL_H

#include "codegen/target/CodeTarget.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

/// The sums that a kernel keeps in registers: `rows` times `vectors` vectors of
/// `lanes` sums.
struct ContractTile {
  int64_t rows;
  int64_t vectors;
  int64_t lanes;

  /// Output channels of a panel.
  int64_t panel() const { return vectors * lanes; }
};

/// The tile of sums of this type, of 32 or 64 bits, for `channels` output
/// channels, ShapedType::kDynamic if not known. A pool reuses no weights for
/// several rows, and reads the image fastest along the consecutive channels of
/// a row: its tile has as many channels as fit.
ContractTile chooseContractTile(const VectorUnit &unit, mlir::Type sum,
                                int64_t channels, ContractionKind kind);

/// The number of products that one instruction sums, which are side by side in
/// a panel (BroadloomContraction::together): 4 for bytes if the processor has
/// the instruction, the sum has 32 bits and is over channels, and the weight is
/// symmetric; else 1.
int64_t chooseTogether(const VectorUnit &unit, mlir::Type sum, mlir::Type image,
                       mlir::Type weight, ContractionKind kind,
                       int64_t weightZero);

/// The tiles of a panel's rows.
struct RowTiles {
  /// Their numbers of rows, in descending order, which is that of their use;
  /// the last is 1.
  llvm::SmallVector<int64_t, 5> sizes;
  /// Bit `r`: where `r` rows are left of the largest tiles, and smaller ones
  /// compute these and the last of the largest tiles in less time.
  int64_t leaves = 0;
};

/// These tiles for a panel of which `vectors` are computed, with so many vector
/// registers.
RowTiles getRowTiles(const ContractTile &tile, int64_t vectors,
                     int64_t registers);

/// A tile of a weight that is not in panels.
struct NarrowTile {
  int64_t rows;
  int64_t vectors;
};

/// These tiles, in descending order of rows; the last has one row.
llvm::SmallVector<NarrowTile, 4> getNarrowTiles(int64_t registers);

/// What the type of an operand of the body says.
struct TailOperand {
  bool hasOneChannel;
  /// Its channels are the same for all rows.
  bool hasOneRow;
  /// It is the result's memory: each element is read before it is written.
  bool isResult;
};

/// The parameters of a kernel.
struct ContractShape {
  ContractTile tile;
  /// The number of vector registers.
  int64_t registers;
  bool fma;
  /// Whether some lanes of a vector are stored by one fast instruction.
  bool masks = false;
  int64_t together = 1;
  ContractionKind kind = ContractionKind::Products;
  mlir::Type imageType;
  mlir::Type weightType;
  /// Subtracted from the elements of the image and of the weight.
  int64_t imageZero = 0;
  int64_t weightZero = 0;
  /// Of one group; ShapedType::kDynamic if not known.
  int64_t channels;
  /// BroadloomTile::depth and BroadloomTile::rowStride as the compiler expects
  /// them, where addresses are a large part of the work; 0 for nothing. The
  /// kernel works for other numbers as well.
  int64_t tapSteps = 0;
  int64_t rowStride = 0;
  /// Of a depthwise contraction whose windows are one column apart, as their
  /// columns are, the columns of a window; 0 if there is no such number.
  int64_t windowColumns = 0;
  /// Whether the window of a contraction by channel has more than two axes: its
  /// sums are added plane by plane.
  bool hasPlanes = false;
  /// Whether every weight is in panels.
  bool packed;
  /// The operands of the body.
  llvm::SmallVector<TailOperand> operands;
};

/// The vectors of a tile that are computed of a panel.
struct TileForm {
  int64_t vectors;
  /// Whether the last vector may have fewer channels than lanes.
  bool isMasked;
  /// The channels of a masked form that is made for this number alone; 0 for
  /// one that takes the number from the tile.
  int64_t channels = 0;
};

/// The forms that a kernel has for the output channels of `shape`: of a full
/// panel first, then those of the last panel, in descending order of vectors.
/// At least one. Kernels of other forms have other code.
llvm::SmallVector<TileForm, 4> getTileForms(const ContractShape &shape);

/// Appends the kernel of a contraction whose body is `body`, the sum first.
mlir::LLVM::LLVMFuncOp buildContractKernel(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           llvm::StringRef name,
                                           const ContractShape &shape,
                                           mlir::Block &body);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_CONTRACTKERNEL_H
