//===- EntryWriter.cpp - what all entries do ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/EntryWriter.h"

#include "runtime/abi/Abi.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static Value areEqual(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
}

void EntryWriter::returnUnlessOk(OpBuilder &b, Value status) {
  Block *here = b.getInsertionBlock();
  Block *good = b.createBlock(&entry.getBody(), entry.getBody().end());
  Block *bad = b.createBlock(&entry.getBody(), entry.getBody().end());
  func::ReturnOp::create(b, loc, status);
  b.setInsertionPointToEnd(here);
  Value ok = runtime.constant(b, loc, runtime.i32, BROADLOOM_OK);
  cf::CondBranchOp::create(b, loc, areEqual(b, loc, status, ok), good, bad);
  b.setInsertionPointToStart(good);
}

Value EntryWriter::loadExtent(OpBuilder &b, Value views, int32_t index,
                              int64_t rank, int32_t axis) {
  Value descriptor = LLVM::LoadOp::create(
      b, loc, runtime.ptr,
      runtime.viewField(b, loc, views, index, abi::View::descriptor));
  return LLVM::LoadOp::create(
      b, loc, runtime.i64,
      runtime.element(b, loc, runtime.descriptorType(rank), descriptor,
                      {0, kExtentsField, axis}));
}

void EntryWriter::checkArgument(OpBuilder &b, Value call, Value views,
                                int32_t index, ArrayRef<int64_t> extents) {
  int64_t rank = extents.size();
  Block *here = b.getInsertionBlock();
  auto append = [&] {
    return b.createBlock(&entry.getBody(), entry.getBody().end());
  };
  // The descriptor is as long as its rank says.
  Block *ranked = append(), *good = append(), *bad = append();
  b.setInsertionPointToEnd(here);
  Value has = LLVM::LoadOp::create(
      b, loc, runtime.i64,
      runtime.viewField(b, loc, views, index, abi::View::rank));
  Value should = runtime.constant(b, loc, runtime.i64, rank);
  cf::CondBranchOp::create(b, loc, areEqual(b, loc, has, should), ranked, bad);

  b.setInsertionPointToStart(ranked);
  SmallVector<int64_t> wanted;
  Value fits;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    wanted.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    if (wanted.back() < 0)
      continue;
    Value same = areEqual(b, loc, loadExtent(b, views, index, rank, axis),
                          runtime.constant(b, loc, runtime.i64, extent));
    fits = fits ? Value(arith::AndIOp::create(b, loc, fits, same)) : same;
  }
  if (fits)
    cf::CondBranchOp::create(b, loc, fits, good, bad);
  else
    cf::BranchOp::create(b, loc, good);

  // A block outside the fast path writes the message.
  b.setInsertionPointToStart(bad);
  Value view = runtime.viewAt(b, loc, views, index);
  Value numbers =
      wanted.empty()
          ? runtime.null(b, loc)
          : runtime.addressOf(b, loc, runtime.data.bigNumbers(loc, wanted));
  Value status =
      runtime.call(b, loc, abi::broadloomCheckArgument,
                   {call, runtime.constant(b, loc, runtime.i32, index), view,
                    runtime.constant(b, loc, runtime.i64, rank), numbers});
  func::ReturnOp::create(b, loc, status);
  b.setInsertionPointToStart(good);
}
