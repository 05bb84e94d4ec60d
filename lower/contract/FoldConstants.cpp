//===- FoldConstants.cpp - weights that are converted once ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ElementBytes.h"
#include "dialect/LoomDialect.h"
#include "lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFOLDCONSTANTS
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

/// Widens numbers of 16 bits; each of the 65536 is converted once.
class Widener {
public:
  explicit Widener(FloatType from)
      : from(from), known(1 << 16), wide(1 << 16) {}

  uint32_t widen(uint16_t bits) {
    if (!known[bits]) {
      known[bits] = true;
      APFloat number(from.getFloatSemantics(), APInt(16, bits));
      bool losesInfo;
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      wide[bits] = uint32_t(number.bitcastToAPInt().getZExtValue());
    }
    return wide[bits];
  }

private:
  FloatType from;
  std::vector<bool> known;
  std::vector<uint32_t> wide;
};

/// Whether `map` only widens the elements of its one operand to f32.
bool isWidening(loom::MapOp map) {
  if (map.getInputs().size() != 1 || map->getNumResults() != 1)
    return false;
  Block &body = map.getBodyBlock();
  auto widened =
      body.getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  return widened && widened.getIn() == body.getArgument(0) &&
         widened.getType().isF32() &&
         isa<Float16Type, BFloat16Type>(widened.getIn().getType());
}

DenseElementsAttr widen(ElementsAttr constant, RankedTensorType type) {
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  if (!bytes)
    return {};
  Widener widener(cast<FloatType>(constant.getElementType()));
  std::vector<uint32_t> wide(bytes->size() / sizeof(uint16_t));
  for (size_t i = 0; i < wide.size(); ++i) {
    uint16_t narrow;
    std::memcpy(&narrow, bytes->data() + i * sizeof(narrow), sizeof(narrow));
    wide[i] = widener.widen(narrow);
  }
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef(reinterpret_cast<const char *>(wide.data()),
                     wide.size() * sizeof(uint32_t)));
}

/// What `op` computes of a constant; null where it is not known here.
DenseElementsAttr fold(Operation *op) {
  ElementsAttr constant;
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !matchPattern(op->getOperand(0), m_Constant(&constant)))
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      type.getNumElements() != constant.getNumElements())
    return {};
  if (auto map = dyn_cast<loom::MapOp>(op))
    return isWidening(map) ? widen(constant, type) : DenseElementsAttr();
  if (!isa<tosa::ReshapeOp>(op) ||
      type.getElementType() != constant.getElementType())
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.reshape(type);
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  return bytes ? DenseElementsAttr::getFromRawBuffer(type, *bytes)
               : DenseElementsAttr();
}

struct LoomFoldConstantsPass
    : lower::impl::LoomFoldConstantsBase<LoomFoldConstantsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<loom::MapOp, tosa::ReshapeOp>(op))
        return;
      if (DenseElementsAttr value = fold(op)) {
        OpBuilder builder(op);
        op->getResult(0).replaceAllUsesWith(
            arith::ConstantOp::create(builder, op->getLoc(), value));
        op->erase();
      }
    });
  }
};

} // namespace
