//===- PackWeights.cpp - constant weights in panels -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/kernels/ContractKernel.h"
#include "dialect/ElementBytes.h"
#include "runtime/contractions/Panels.h"

#include "mlir/IR/Matchers.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMPACKWEIGHTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The weight, of `depth` times `channels` elements, in panels of `panel`
/// channels (BroadloomTile); null where its bytes are not at hand.
static DenseElementsAttr packPanels(ElementsAttr weight, int64_t depth,
                                    int64_t channels, int64_t panel) {
  std::optional<ArrayRef<char>> bytes = getElementBytes(weight);
  if (!bytes || weight.getNumElements() == 0)
    return {};
  int64_t width = weight.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t panels = (channels + panel - 1) / panel, rowBytes = channels * width;
  // Of a splat, one row stands for all.
  std::vector<char> row;
  if (weight.isSplat()) {
    for (int64_t i = 0; i < channels; ++i)
      row.insert(row.end(), bytes->begin(), bytes->end());
    bytes = row;
    rowBytes = 0;
  }
  std::vector<char> packed(panels * depth * panel * width);
  for (int64_t i = 0; i < panels; ++i)
    packPanel(bytes->data() + i * panel * width, rowBytes, depth,
              std::min(panel, channels - i * panel), panel, width,
              packed.data() + i * depth * panel * width);
  return DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get({panels, depth, panel}, weight.getElementType()),
      packed);
}

static void pack(loom::ContractOp contract, const VectorUnit &unit) {
  auto type = cast<RankedTensorType>(contract.getWeight().getType());
  ArrayRef<int64_t> shape = type.getShape();
  size_t axes = contract.getStrides().size() + 2;
  // The weight of the only image.
  if (shape.size() == axes + 1 && shape.front() == 1)
    shape = shape.drop_front();
  ElementsAttr weight;
  if (contract.getDepthwise() || contract.getPacked() || shape.size() != axes ||
      !matchPattern(contract.getWeight(), m_Constant(&weight)))
    return;
  int64_t channels = shape.back();
  if (channels == 0)
    return;
  ContractTile tile = chooseContractTile(unit, channels, /*depthwise=*/false);
  DenseElementsAttr packed = packPanels(
      weight, type.getNumElements() / channels, channels, tile.panel());
  if (!packed)
    return;
  OpBuilder builder(contract);
  Value constant =
      arith::ConstantOp::create(builder, contract.getLoc(), packed);
  contract.setOperand(1, constant);
  contract.setPacked(shape);
}

namespace {

struct LoomPackWeightsPass
    : codegen::impl::LoomPackWeightsBase<LoomPackWeightsPass> {
  void runOnOperation() override {
    auto target = CodeTarget::getOf(getOperation());
    if (!target) {
      emitError(getOperation().getLoc()) << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    VectorUnit unit = target->getVectorUnit();
    getOperation().walk(
        [&](loom::ContractOp contract) { pack(contract, unit); });
  }
};

} // namespace
