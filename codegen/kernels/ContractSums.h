//===- ContractSums.h - sums of products in registers -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sums of one tile: over channels (several bytes at a time if the processor
// has an instruction for it), or channel by channel.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_CONTRACTSUMS_H
#define BROADLOOM_CODEGEN_KERNELS_CONTRACTSUMS_H

#include "codegen/kernels/ContractTail.h"
#include "codegen/layout/Storage.h"

namespace broadloom::codegen {

class ContractSums : protected ContractTail {
protected:
  using ContractTail::ContractTail;

  /// Stores the sums for the next part, or computes the body.
  void finish(llvm::ArrayRef<mlir::Value> sums, int64_t rows, mlir::Value first,
              mlir::Value channel, llvm::ArrayRef<mlir::Value> masks);
  /// The sums of `rows` rows from `first` on over channels, for a panel whose
  /// steps are `weightStride` apart, or for a narrow weight of the channels
  /// from `channel` on that `masks` selects.
  llvm::SmallVector<mlir::Value> sumPanel(int64_t rows, mlir::Value first,
                                          mlir::Value weightStride,
                                          mlir::Value channel,
                                          llvm::ArrayRef<mlir::Value> masks);
  /// The same channel by channel.
  llvm::SmallVector<mlir::Value> sumChannels(int64_t rows, mlir::Value first,
                                             mlir::Value channel,
                                             llvm::ArrayRef<mlir::Value> masks);

  /// An i1.
  mlir::Value isNull(mlir::Value pointer);

  /// Whether the weight is read as it was given.
  bool isNarrow = false;

private:
  /// The rows of a tile from `first` on and the channels of a panel, or of a
  /// weight as it was given, of which `masks` selects the lanes.
  struct Panel {
    int64_t rows;
    mlir::Value first, rowStride, weightStride, weight;
    llvm::ArrayRef<mlir::Value> masks;
    /// What is prefetched at the first step, or null (findAhead).
    mlir::Value ahead = {};
  };

  /// Adds the products of all taps, each of which has `steps` steps. If that is
  /// 0, the number is only known at run time, and `unrolled` of them are added
  /// at a time.
  llvm::SmallVector<mlir::Value> sumTaps(const Panel &panel,
                                         llvm::ArrayRef<mlir::Value> sums,
                                         int64_t steps, int64_t unrolled);
  int64_t getUnrolled(int64_t rows) const;
  /// The address that a tile prefetches at its first step, in the part of a
  /// panel that is read next: the processor does not fetch it in time by
  /// itself. Each tile prefetches its share (BroadloomTile::weightAhead), a
  /// little at each step: memory gives a part in the time that all tiles take,
  /// but not in that of one.
  mlir::Value findAhead(const Panel &panel);
  /// Prefetches what the next tile of `rows` rows reads and this one does not,
  /// of the last lines of the window: those before were read for the results
  /// above. The processor does not follow the channels of a few columns.
  /// `image` is the first element of this tile.
  void prefetchColumns(int64_t rows, mlir::Value image);
  /// Adds the products of a tap of a run-time number of steps. `bases` has the
  /// address of every third row.
  llvm::SmallVector<mlir::Value> sumSteps(const Panel &panel,
                                          llvm::SmallVector<mlir::Value> sums,
                                          llvm::ArrayRef<mlir::Value> bases,
                                          mlir::Value weight, int64_t unrolled);

  bool isSummedInParts() const {
    return !isByChannel(shape.kind) || shape.hasPlanes;
  }
  /// The address of vector `v` of a row's sums, from `channel` on.
  mlir::Value sumAddress(mlir::Value base, mlir::Value channel, mlir::Value row,
                         int64_t v);
  /// The initial values of sums; for bytes that are summed together, these are
  /// stored before the panel.
  llvm::SmallVector<mlir::Value> beginSums(int64_t rows);
  /// The sums of the rows from `first` on so far, or `begin` where there are
  /// none.
  llvm::SmallVector<mlir::Value> loadSums(llvm::ArrayRef<mlir::Value> begin,
                                          int64_t rows, mlir::Value first,
                                          mlir::Value channel);
  llvm::SmallVector<mlir::Value> zeros(int64_t rows);
  llvm::SmallVector<mlir::Value> repeat(mlir::TypedAttr number, int64_t rows);
  /// The initial values of the sums over a window, channel by channel.
  llvm::SmallVector<mlir::Value> beginChannels(int64_t rows);
  /// Sums the steps of a tap, some of which are side by side.
  llvm::SmallVector<mlir::Value>
  sumTogether(llvm::SmallVector<mlir::Value> sums, int64_t rows,
              llvm::ArrayRef<mlir::Value> bases, mlir::Value rowStride,
              mlir::Value weight);
  /// Adds the products of the image's bytes from `step` on (those of `mask`,
  /// with 128 added to make them unsigned) and the weight's bytes.
  void addDotProducts(llvm::SmallVector<mlir::Value> &sums, int64_t rows,
                      llvm::ArrayRef<mlir::Value> bases, mlir::Value rowStride,
                      mlir::Value weight, mlir::Value step, mlir::Value mask);
  /// Keeps LLVM from loading the elements of later steps first, for which there
  /// are no registers: a fence within the thread is no instruction.
  void keepOrder();
  /// Adds the products of `count` steps, from `first` on, one after the other.
  void addSteps(const Panel &panel, llvm::SmallVector<mlir::Value> &sums,
                llvm::ArrayRef<mlir::Value> bases, mlir::Value weight,
                mlir::Value first, int64_t count);
  void addStep(const Panel &panel, llvm::SmallVector<mlir::Value> &sums,
               llvm::ArrayRef<mlir::Value> bases, mlir::Value weight,
               mlir::Value step);
  /// Adds the products of a line of the window, of a run-time number of
  /// columns.
  llvm::SmallVector<mlir::Value> addColumns(llvm::SmallVector<mlir::Value> sums,
                                            int64_t rows, mlir::Value image,
                                            mlir::Value weight,
                                            llvm::ArrayRef<mlir::Value> masks);
  void addColumn(llvm::SmallVector<mlir::Value> &sums, int64_t rows,
                 mlir::Value image, mlir::Value weight, mlir::Value column,
                 llvm::ArrayRef<mlir::Value> masks);
  /// Adds the products of a line with all columns that the window's type has.
  /// What the windows of several rows share is loaded once.
  void addSharedColumns(llvm::SmallVector<mlir::Value> &sums, int64_t rows,
                        mlir::Value image, mlir::Value weight);
  /// `value` in the type of sums, less its zero point.
  mlir::Value widen(mlir::Value value, int64_t zero);
  mlir::Value loadWeights(mlir::Value base, mlir::Value offset,
                          mlir::Value mask);
  mlir::Value loadPixels(mlir::Value base, mlir::Value offset,
                         mlir::Value mask);
  mlir::Value loadPixel(mlir::Value base, mlir::Value offset);
  void addProduct(mlir::Value &sum, mlir::Value x, mlir::Value y);
  mlir::Type imageStorage() const { return getStorageType(shape.imageType); }
  mlir::Type weightStorage() const { return getStorageType(shape.weightType); }
  bool isTogether() const { return shape.together > 1 && !isNarrow; }
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_CONTRACTSUMS_H
