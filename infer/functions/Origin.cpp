//===- Origin.cpp - whose operation an operation is of --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"

#include "dialect/LoomDialect.h"
#include "infer/functions/Library.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ExtensibleDialect.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static constexpr StringLiteral originAttr = "loom.origin";

/// The location of the user's operation comes first.
static void setLocation(Operation *part, Operation *op) {
  if (part->getLoc() != op->getLoc())
    part->setLoc(
        FusedLoc::get(op->getContext(), {op->getLoc(), part->getLoc()}));
}

void infer::setOrigin(Operation *part, Operation *op) {
  // Operations on scalars and buffers get no origin, only the location.
  if (!isa_and_nonnull<tosa::TosaDialect, tensor::TensorDialect,
                       loom::LoomDialect, func::FuncDialect, DynamicDialect>(
          part->getDialect()))
    return setLocation(part, op);
  // The outermost operation is the origin: users do not need the calls between
  // reference implementations.
  std::string origin = getOperationKey(op).str();
  if (auto outer = op->getAttrOfType<StringAttr>(originAttr))
    origin = outer.str();
  // A cast to the operation's declared type counts as the operation itself.
  bool isOwn =
      isa<tensor::CastOp, func::CallOp>(part) || part->getLoc() == op->getLoc();
  if (!isOwn)
    origin += ": " + part->getName().getStringRef().str();
  part->setAttr(originAttr, StringAttr::get(op->getContext(), origin));
  setLocation(part, op);
}

void infer::takeOrigin(Operation *form, Operation *op) {
  form->setAttr(originAttr, StringAttr::get(op->getContext(), getOrigin(op)));
  form->setLoc(op->getLoc());
}

void infer::setOrigin(Operation *op, StringRef name, Location location) {
  op->setAttr(originAttr, StringAttr::get(op->getContext(), name));
  op->setLoc(location);
}

bool infer::hasOrigin(Operation *op) {
  return op->hasAttrOfType<StringAttr>(originAttr);
}

StringRef infer::getOrigin(Operation *op) {
  auto origin = op->getAttrOfType<StringAttr>(originAttr);
  return origin ? origin.getValue() : getOperationKey(op);
}
