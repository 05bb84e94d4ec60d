//===- RfcBroadcast.h - run-time broadcasting by the RFC --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps by which the strategy `rfc` gives operands one shape (rfc-1,
// rfc-2), in the order in which the RFC shows them.
//
// Invariant: emits exactly the RFC's operations, in its order; nothing is
// folded, and steps share only index constants.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_LINALG_RFCBROADCAST_H
#define BROADLOOM_LOWER_LINALG_RFCBROADCAST_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <map>

namespace broadloom::lower {

/// Index constants, one for each number, created at the first use.
class IndexConstants {
public:
  IndexConstants(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  mlir::Value get(int64_t number);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  std::map<int64_t, mlir::Value> constants;
};

/// The extent to which all operands are broadcast on one axis.
struct TargetExtent {
  mlir::OpFoldResult extent;
  /// The only operand that has it at run time; -1 if it is static or a maximum
  /// of several.
  int64_t owner = -1;
  bool isMaximum = false;
};

class RfcBroadcast {
public:
  RfcBroadcast(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc), constants(builder, loc) {}

  /// Adds leading axes of extent 1 (rfc-2).
  void equalizeRanks(llvm::MutableArrayRef<mlir::Value> operands);
  /// The target extents of all axes, in order; a maximum if several operands
  /// are `?` on an axis and none is static and not 1.
  llvm::SmallVector<TargetExtent>
  computeTargets(llvm::ArrayRef<mlir::Value> operands);
  /// Broadcasts each operand on each of its axes that may be 1 at run time.
  void broadcastRunTimeExtents(llvm::MutableArrayRef<mlir::Value> operands,
                               llvm::ArrayRef<TargetExtent> targets);

private:
  TargetExtent computeTarget(llvm::ArrayRef<mlir::Value> operands,
                             int64_t axis);
  mlir::Value expandRank(mlir::Value operand, int64_t rank);
  mlir::Value broadcastAxis(mlir::Value operand, int64_t axis,
                            mlir::OpFoldResult target);
  mlir::Value copyAlong(mlir::OpBuilder &inner, mlir::Value operand,
                        int64_t axis, mlir::OpFoldResult target);
  mlir::Value getExtent(mlir::OpBuilder &builder, mlir::Value tensor,
                        int64_t axis);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexConstants constants;
};

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_LINALG_RFCBROADCAST_H
