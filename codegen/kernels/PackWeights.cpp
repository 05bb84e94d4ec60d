//===- PackWeights.cpp - constant weights in panels -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/kernels/ContractKernel.h"
#include "dialect/ConstantArgument.h"
#include "dialect/ElementBytes.h"
#include "runtime/contractions/Panels.h"
#include "runtime/memory/Space.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <tuple>

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMPACKWEIGHTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// The layout of a weight of `taps` times `tapDepth` times `channels` elements,
/// whose channels are `groups` equal parts.
struct PanelForm {
  int64_t taps;
  int64_t tapDepth;
  int64_t channels;
  int64_t groups;
  int64_t width;
  int64_t together;
  /// The zero point of the image.
  int64_t zero;

  auto asTuple() const {
    return std::tuple(taps, tapDepth, channels, groups, width, together, zero);
  }
};

/// Weights and their panels: several contractions may have one weight.
using PackedWeights =
    std::map<std::pair<const void *, decltype(PanelForm().asTuple())>,
             ElementsAttr>;

} // namespace

/// Whether the panels of a weight are far larger than what the program has of
/// it, one element. The runtime lays such a weight out part by part.
static bool isFarLarger(ElementsAttr weight) {
  constexpr int64_t kMostBytes = int64_t(1) << 28;
  if (!weight.isSplat())
    return false;
  ArrayRef<int64_t> shape = weight.getShapedType().getShape();
  int64_t bytes =
      countBytes(shape.data(), int64_t(shape.size()),
                 weight.getElementType().getIntOrFloatBitWidth() / 8);
  return bytes < 0 || bytes > kMostBytes;
}

/// The weight in panels (BroadloomTile); null if the attribute does not have
/// its bytes.
static ElementsAttr packPanels(ElementsAttr weight, const PanelForm &form) {
  std::optional<ArrayRef<char>> bytes = getElementBytes(weight);
  if (!bytes || weight.getNumElements() == 0)
    return {};
  int64_t width = weight.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t panel = form.width, stepStride = form.channels;
  int64_t panels = countPanels(form.channels, form.groups, panel);
  // For a splat, one row serves for all.
  std::vector<char> row;
  if (weight.isSplat()) {
    for (int64_t i = 0; i < form.channels; ++i)
      row.insert(row.end(), bytes->begin(), bytes->end());
    bytes = row;
    stepStride = 0;
  }
  int64_t rows = rowsOfPanel(form.taps, form.tapDepth, form.together);
  auto type =
      RankedTensorType::get({panels, rows, panel}, weight.getElementType());
  return makeElements(type, [&](MutableArrayRef<char> packed) {
    for (int64_t i = 0; i < panels; ++i) {
      auto [first, count] =
          channelsOfPanel(form.channels, form.groups, panel, i);
      PanelSource source{
          bytes->data() + first * width, stepStride,
          /*channelStride=*/1,           form.taps,  form.tapDepth, count};
      char *to = packed.data() + i * rows * panel * width;
      if (form.together > 1)
        packBytes(source, panel, form.together, form.zero, to);
      else
        packPanel(source, panel, width, to);
    }
  });
}

namespace {

/// How many operations have a resource, also inside other attributes, by its
/// key.
using ResourceUses = llvm::StringMap<size_t>;

} // namespace

static ResourceUses countResources(ModuleOp module) {
  ResourceUses uses;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr resource) {
      ++uses[resource.getRawHandle().getKey()];
    });
  });
  return uses;
}

/// Erases a constant that nothing uses, and frees its memory.
static void drop(Operation *op, ResourceUses &uses) {
  auto constant = dyn_cast_if_present<arith::ConstantOp>(op);
  if (!constant || !constant->use_empty())
    return;
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  constant.erase();
  if (resource && --uses[resource.getRawHandle().getKey()] == 0)
    freeElements(resource);
}

/// The extents of a weight without one of 1 in front of `axes` others.
static ArrayRef<int64_t> dropLeadingOne(Value weight, size_t axes) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(weight.getType()).getShape();
  return shape.size() == axes + 1 && shape.front() == 1 ? shape.drop_front()
                                                        : shape;
}

namespace {

/// The symbols that a module itself names, which are found once, where they are
/// asked for.
class NamedSymbols {
public:
  explicit NamedSymbols(ModuleOp module) : module(module) {}

  /// Whether nothing in the module names the function.
  bool isUnnamed(func::FuncOp func) {
    if (!isRead)
      read();
    return isKnown && !names.contains(func.getSymNameAttr());
  }

private:
  void read() {
    isRead = true;
    auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
    isKnown = uses.has_value();
    if (isKnown)
      for (const SymbolTable::SymbolUse &use : *uses)
        names.insert(use.getSymbolRef().getRootReference());
  }

  ModuleOp module;
  bool isRead = false, isKnown = false;
  llvm::DenseSet<StringAttr> names;
};

} // namespace

/// The argument that a weight of `axes` axes is, but for an axis of extent 1 in
/// front of them, if callers promise not to change it (abi-9) and the program
/// itself does not call its function. Null if there is none.
static Value findPromised(Value weight, size_t axes, NamedSymbols &named) {
  ArrayRef<int64_t> shape = dropLeadingOne(weight, axes);
  while (auto op = weight.getDefiningOp<tensor::ExpandShapeOp>())
    weight = op.getSrc();
  auto argument = dyn_cast<BlockArgument>(weight);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  bool isPromised =
      func && func.isPublic() &&
      func.getArgAttr(argument.getArgNumber(), loom::kConstantArgument) &&
      dropLeadingOne(argument, axes) == shape && named.isUnnamed(func);
  return isPromised ? argument : Value();
}

/// Leaves a weight to the runtime, which lays it out once. Takes the argument
/// itself: a view of it may be a copy, whose memory has other values later.
static void leave(loom::ContractOp contract, Value argument,
                  ArrayRef<int64_t> shape) {
  Operation *view = contract.getWeight().getDefiningOp();
  contract.setPacked(shape);
  contract.setOperand(1, argument);
  while (view && view->use_empty()) {
    Operation *made = view->getOperand(0).getDefiningOp();
    view->erase();
    view = made;
  }
}

static void pack(loom::ContractOp contract, const VectorUnit &unit,
                 NamedSymbols &named, ResourceUses &uses,
                 PackedWeights &known) {
  auto type = cast<RankedTensorType>(contract.getWeight().getType());
  size_t axes = contract.getStrides().size() + 2;
  // Without an axis of images that has extent 1.
  ArrayRef<int64_t> shape = dropLeadingOne(contract.getWeight(), axes);
  if (isByChannel(contract.getContractionKind()) || contract.getPacked() ||
      shape.size() != axes || !type.hasStaticShape() || shape.back() == 0)
    return;
  if (Value argument = findPromised(contract.getWeight(), axes, named))
    return leave(contract, argument, shape);
  ElementsAttr weight;
  if (!matchPattern(contract.getWeight(), m_Constant(&weight)) ||
      isFarLarger(weight))
    return;
  int64_t channels = shape.back(), groups = contract.getNumGroups();
  ContractTile tile =
      chooseContractTile(unit, contract.getSumType(), channels / groups,
                         ContractionKind::Products);
  PanelForm form{/*taps=*/1,
                 /*tapDepth=*/type.getNumElements() / channels,
                 channels,
                 groups,
                 tile.panel(),
                 /*together=*/1,
                 /*zero=*/0};
  auto zeroPoints = contract.getZeroPoints();
  if (zeroPoints)
    form.zero = zeroPoints->front();
  form.together =
      chooseTogether(unit, contract.getSumType(),
                     getElementTypeOrSelf(contract.getImage().getType()),
                     type.getElementType(), ContractionKind::Products,
                     zeroPoints ? zeroPoints->back() : 0);
  // The last axis of a window and the channels together are one tap.
  if (size_t window = contract.getStrides().size()) {
    form.taps = ShapedType::getNumElements(shape.take_front(window - 1));
    form.tapDepth =
        ShapedType::getNumElements(shape.slice(window - 1).drop_back());
  }
  ElementsAttr &packed = known[{weight.getAsOpaquePointer(), form.asTuple()}];
  if (!packed)
    packed = packPanels(weight, form);
  if (!packed)
    return;
  OpBuilder builder(contract);
  Value constant = arith::ConstantOp::create(builder, contract.getLoc(),
                                             cast<TypedAttr>(packed));
  Operation *before = contract.getWeight().getDefiningOp();
  contract.setOperand(1, constant);
  contract.setPacked(shape);
  // The weights of a large model are not in memory twice.
  drop(before, uses);
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
    ResourceUses uses = countResources(getOperation());
    NamedSymbols named(getOperation());
    PackedWeights known;
    getOperation().walk([&](loom::ContractOp contract) {
      pack(contract, unit, named, uses, known);
    });
  }
};

} // namespace
