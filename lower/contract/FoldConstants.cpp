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

#include <map>

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
  Converter(OperationName name, Type from, Type to)
      : name(name), from(from), to(to),
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
    if (is<arith::ExtSIOp>())
      return number.sext(to.getIntOrFloatBitWidth()).getZExtValue();
    if (is<arith::ExtUIOp>())
      return number.getZExtValue();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(to).getFloatSemantics();
    if (is<arith::ExtFOp>()) {
      APFloat value(cast<FloatType>(from).getFloatSemantics(), number);
      bool losesInfo;
      value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
      return value.bitcastToAPInt().getZExtValue();
    }
    APFloat value(semantics);
    value.convertFromAPInt(number, is<arith::SIToFPOp>(),
                           APFloat::rmNearestTiesToEven);
    return value.bitcastToAPInt().getZExtValue();
  }

  template <typename Op> bool is() const {
    return name.getIdentifier() == Op::getOperationName();
  }

  OperationName name;
  Type from, to;
  std::vector<bool> known;
  std::vector<uint64_t> wide;
};

/// The converters of all constants of a program, which has few kinds of them.
class Converters {
public:
  Converter &of(Operation *op) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    auto key = std::tuple(op->getName().getAsOpaquePointer(),
                          from.getAsOpaquePointer(), to.getAsOpaquePointer());
    return converters.try_emplace(key, op->getName(), from, to).first->second;
  }

private:
  std::map<std::tuple<const void *, const void *, const void *>, Converter>
      converters;
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

/// Converts elements of the size of `From` to ones of the size of `To`.
template <typename From, typename To>
void convertAll(ArrayRef<char> from, char *to, Converter &converter) {
  for (; !from.empty(); from = from.drop_front(sizeof(From))) {
    From bits;
    std::memcpy(&bits, from.data(), sizeof(From));
    To converted = To(converter.convert(bits));
    std::memcpy(to, &converted, sizeof(To));
    to += sizeof(To);
  }
}

template <typename From>
void convertAll(ArrayRef<char> from, char *to, size_t toBytes,
                Converter &converter) {
  switch (toBytes) {
  case 1:
    return convertAll<From, uint8_t>(from, to, converter);
  case 2:
    return convertAll<From, uint16_t>(from, to, converter);
  case 4:
    return convertAll<From, uint32_t>(from, to, converter);
  default:
    return convertAll<From, uint64_t>(from, to, converter);
  }
}

ElementsAttr convert(ElementsAttr constant, Converter &converter,
                     RankedTensorType whole) {
  RankedTensorType type = whole;
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  if (!bytes)
    return {};
  size_t narrow = constant.getElementType().getIntOrFloatBitWidth() / 8;
  size_t wide = type.getElementType().getIntOrFloatBitWidth() / 8;
  // Of a splat, one element is converted.
  if (constant.isSplat())
    type = type.clone(ArrayRef<int64_t>{1});
  ElementsAttr converted = makeElements(type, [&](MutableArrayRef<char> to) {
    if (narrow == 1)
      convertAll<uint8_t>(*bytes, to.data(), wide, converter);
    else
      convertAll<uint16_t>(*bytes, to.data(), wide, converter);
  });
  return constant.isSplat()
             ? cast<DenseElementsAttr>(converted).resizeSplat(whole)
             : converted;
}

/// Folds `op` on a constant; null if this is not supported.
ElementsAttr fold(Operation *op, Converters &converters) {
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
    return conversion ? convert(constant, converters.of(conversion), type)
                      : ElementsAttr();
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
    Converters converters;
    getOperation()->walk([&](Operation *op) {
      if (!isFolded(op))
        return;
      if (ElementsAttr value = fold(op, converters)) {
        OpBuilder builder(op);
        op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(
            builder, op->getLoc(), cast<TypedAttr>(value)));
        op->erase();
      }
    });
  }
};

} // namespace
