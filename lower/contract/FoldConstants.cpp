//===- FoldConstants.cpp - weights that are converted once ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ElementBytes.h"
#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "lower/contract/Weights.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMFOLDCONSTANTS
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

/// Converts numbers of 8 or 16 bits as an operation of `arith` does; each of
/// the at most 65536 is converted once.
class Converter {
public:
  Converter(Operation *op)
      : op(op), from(op->getOperand(0).getType()),
        to(op->getResult(0).getType()),
        known(size_t(1) << from.getIntOrFloatBitWidth()), wide(known.size()) {}

  uint64_t convert(uint64_t bits) {
    if (!known[bits]) {
      known[bits] = true;
      wide[bits] = compute(bits);
    }
    return wide[bits];
  }

private:
  uint64_t compute(uint64_t bits) const {
    APInt number(from.getIntOrFloatBitWidth(), bits);
    if (isa<arith::ExtSIOp>(op))
      return number.sext(to.getIntOrFloatBitWidth()).getZExtValue();
    if (isa<arith::ExtUIOp>(op))
      return number.getZExtValue();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(to).getFloatSemantics();
    if (isa<arith::ExtFOp>(op)) {
      APFloat value(cast<FloatType>(from).getFloatSemantics(), number);
      bool losesInfo;
      value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
      return value.bitcastToAPInt().getZExtValue();
    }
    APFloat value(semantics);
    value.convertFromAPInt(number, isa<arith::SIToFPOp>(op),
                           APFloat::rmNearestTiesToEven);
    return value.bitcastToAPInt().getZExtValue();
  }

  Operation *op;
  Type from, to;
  std::vector<bool> known;
  std::vector<uint64_t> wide;
};

/// Whether numbers of the type are 1, 2, 4 or 8 bytes, at most `most`.
bool isBytes(Type type, unsigned most) {
  if (!type.isIntOrFloat())
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits >= 8 && bits <= 8 * most && llvm::isPowerOf2_32(bits);
}

/// Whether the operation is folded if its operand is constant.
bool isFolded(Operation *op) {
  return isa<loom::MapOp, tosa::ReshapeOp, tosa::TransposeOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

/// Whether `value` becomes a factor of a product, directly or through other
/// operations that are folded.
bool isFactor(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isFolded(user) || isa<tensor::CastOp>(user))
      return isFactor(user->getResult(0));
    return isTosaConvolution(user) ||
           isa<tosa::MatMulOp, loom::ContractOp, linalg::LinalgOp>(user);
  });
}

/// The conversion in `map` if that only converts the elements of its operand,
/// of at most 16 bits, to a type that is no smaller.
Operation *findConversion(loom::MapOp map) {
  if (map.getInputs().size() != 1 || map->getNumResults() != 1)
    return nullptr;
  Block &body = map.getBodyBlock();
  Operation *op = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
                       arith::SIToFPOp, arith::UIToFPOp>(op) ||
      op->getOperand(0) != body.getArgument(0) ||
      !isBytes(op->getOperand(0).getType(), 2) ||
      !isBytes(op->getResult(0).getType(), 8))
    return nullptr;
  return op;
}

DenseElementsAttr convert(ElementsAttr constant, Operation *op,
                          RankedTensorType type) {
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  if (!bytes)
    return {};
  Converter converter(op);
  size_t narrow = constant.getElementType().getIntOrFloatBitWidth() / 8;
  size_t wide = type.getElementType().getIntOrFloatBitWidth() / 8;
  std::vector<char> converted(bytes->size() / narrow * wide);
  for (size_t i = 0; i < bytes->size() / narrow; ++i) {
    uint64_t from = 0;
    std::memcpy(&from, bytes->data() + i * narrow, narrow);
    uint64_t to = converter.convert(from);
    std::memcpy(converted.data() + i * wide, &to, wide);
  }
  return DenseElementsAttr::getFromRawBuffer(type, converted);
}

/// Folds `op` on a constant; null if this is not supported.
DenseElementsAttr fold(Operation *op) {
  ElementsAttr constant;
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !matchPattern(op->getOperand(0), m_Constant(&constant)))
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      type.getNumElements() != constant.getNumElements())
    return {};
  // A large constant is folded only if products read it, because the copy makes
  // the program larger.
  constexpr int64_t kLarge = 16384;
  if (isa<loom::MapOp, tosa::TransposeOp>(op) &&
      type.getNumElements() > kLarge && !isFactor(op->getResult(0)))
    return {};
  if (auto map = dyn_cast<loom::MapOp>(op)) {
    Operation *conversion = findConversion(map);
    return conversion ? convert(constant, conversion, type)
                      : DenseElementsAttr();
  }
  if (auto transpose = dyn_cast<tosa::TransposeOp>(op)) {
    if (!isBytes(constant.getElementType(), 8))
      return {};
    return lower::permuteConstant(
        constant, type,
        SmallVector<int64_t>(transpose.getPerms().begin(),
                             transpose.getPerms().end()));
  }
  return lower::reshapeConstant(constant, type);
}

struct LoomFoldConstantsPass
    : lower::impl::LoomFoldConstantsBase<LoomFoldConstantsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isFolded(op))
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
