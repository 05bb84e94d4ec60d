//===- OutlineContractions.cpp - contractions to programs -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/OutlineContractions.h"
#include "codegen/kernels/KernelParts.h"
#include "codegen/layout/Storage.h"
#include "dialect/MemoryFunction.h"
#include "lower/boundary/BoundaryElement.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

ArrayRef<int64_t> getNumbers(DenseI64ArrayAttr numbers) {
  return numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
}

/// Whether an operand has one channel by its type.
bool hasOneChannel(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.getRank() == 0 ||
         shaped.getDimSize(shaped.getRank() - 1) == 1;
}

/// Whether an operand has one row by its type: its channels are the same for
/// all sums.
bool hasOneRow(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.getRank() == 0 ||
         llvm::all_of(shaped.getShape().drop_back(),
                      [](int64_t extent) { return extent == 1; });
}

/// What windows read beyond the ends of the image.
BoundaryKind getBoundary(loom::ContractionAttr attributes) {
  loom::PaddingModeAttr mode = attributes.getPaddingMode();
  return mode ? lower::getKind(mode.getValue()) : BoundaryKind::Constant;
}

/// Sets what is known of taps of few steps. Rows are read from lines of the
/// image, or from all of it if there is no window.
void describeTaps(loom::ContractionAttr attributes, ContractShape &shape) {
  // Of larger tiles, the products take longer than the addresses. More steps
  // make more code and are not faster.
  constexpr int64_t kMostSteps = 16;
  if (!shape.packed || isByChannel(shape.kind) || shape.together > 1 ||
      shape.tile.vectors > 1)
    return;
  ArrayRef<int64_t> packed = getNumbers(attributes.getPacked());
  ArrayRef<int64_t> strides = getNumbers(attributes.getStrides());
  size_t rank = strides.size();
  int64_t channels = packed[rank];
  int64_t columns = rank ? packed[rank - 1] : 1;
  // The runtime reads the rows of these windows as a whole (chooseSource).
  bool isGathered =
      rank > 2 || (rank && columns > 1 &&
                   attributes.getDilations().asArrayRef().back() > 1);
  if (isGathered || columns * channels > kMostSteps)
    return;
  shape.tapSteps = columns * channels;
  shape.rowStride = (rank ? strides.back() : 1) * channels;
}

/// Sets the columns of the window of a depthwise contraction, where windows of
/// neighbouring rows share most of them.
void describeColumns(loom::LaunchOp launch, ContractShape &shape) {
  // More columns make more code, and are rare.
  constexpr int64_t kMostColumns = 7;
  loom::ContractionAttr attributes = *launch.getContraction();
  ArrayRef<int64_t> strides = getNumbers(attributes.getStrides());
  if (shape.kind != ContractionKind::Depthwise || strides.empty() ||
      strides.back() != 1 || attributes.getDilations().asArrayRef().back() != 1)
    return;
  auto weight = cast<ShapedType>(launch.getInputs()[1].getType());
  int64_t columns = weight.getDimSize(strides.size() - 1);
  if (!ShapedType::isDynamic(columns) && columns <= kMostColumns)
    shape.windowColumns = columns;
}

ContractShape describe(loom::LaunchOp launch, const VectorUnit &unit) {
  loom::ContractionAttr attributes = *launch.getContraction();
  ArrayRef<int64_t> packed = getNumbers(attributes.getPacked());
  ContractShape shape;
  auto result = cast<MemRefType>(launch.getResult(0).getType());
  shape.channels =
      packed.empty() ? result.getDimSize(result.getRank() - 1) : packed.back();
  if (!ShapedType::isDynamic(shape.channels))
    shape.channels /= attributes.getGroups();
  shape.kind = attributes.getKind();
  Type sumType = launch.getBody().front().getArgument(0).getType();
  shape.tile = chooseContractTile(unit, sumType, shape.channels, shape.kind);
  shape.registers = unit.registers;
  shape.fma = unit.fma;
  shape.masks = unit.masks;
  shape.imageType = getElementTypeOrSelf(launch.getInputs()[0].getType());
  shape.weightType = getElementTypeOrSelf(launch.getInputs()[1].getType());
  if (auto zeroPoints = getNumbers(attributes.getZeroPoints());
      !zeroPoints.empty()) {
    shape.imageZero = zeroPoints[0];
    shape.weightZero = zeroPoints[1];
  }
  shape.together =
      chooseTogether(unit, sumType, shape.imageType, shape.weightType,
                     shape.kind, shape.weightZero);
  shape.packed = !packed.empty();
  describeTaps(attributes, shape);
  describeColumns(launch, shape);
  shape.hasPlanes =
      isByChannel(shape.kind) && getNumbers(attributes.getStrides()).size() > 2;
  Value place = getDestination(launch);
  for (Value input : launch.getInputs().drop_front(2))
    shape.operands.push_back({hasOneChannel(input.getType()),
                              hasOneRow(input.getType()), input == place});
  return shape;
}

Key makeKey(const ContractShape &shape, Block &body) {
  KeyWriter writer;
  writer.key = {uintptr_t(shape.tile.rows),  uintptr_t(shape.tile.vectors),
                uintptr_t(shape.tile.lanes), uintptr_t(shape.kind),
                uintptr_t(shape.imageZero),  uintptr_t(shape.weightZero),
                uintptr_t(shape.packed),     uintptr_t(shape.tapSteps),
                uintptr_t(shape.rowStride),  uintptr_t(shape.windowColumns),
                uintptr_t(shape.hasPlanes)};
  if (!isByChannel(shape.kind))
    for (TileForm form : getTileForms(shape)) {
      writer.key.push_back(2 * form.vectors + form.isMasked);
      writer.key.push_back(form.channels);
    }
  writer.add(shape.imageType.getAsOpaquePointer());
  writer.add(shape.weightType.getAsOpaquePointer());
  for (auto [hasOneChannel, hasOneRow, isResult] : shape.operands)
    writer.key.push_back(4 * isResult + 2 * hasOneRow + hasOneChannel);
  writer.write(body);
  return std::move(writer.key);
}

} // namespace

Value codegen::getDestination(loom::LaunchOp launch) {
  Operation *next = launch->getNextNode();
  while (isa_and_nonnull<loom::SiteOp>(next))
    next = next->getNextNode();
  auto copy = dyn_cast_or_null<memref::CopyOp>(next);
  bool isCopied = loom::isOverMemory(launch) && launch.getContraction() &&
                  launch->getNumResults() == 1 && copy &&
                  copy.getSource() == launch.getResult(0);
  return isCopied ? copy.getTarget() : Value();
}

FlatSymbolRefAttr ContractOutliner::getKernel(Location loc,
                                              const ContractShape &shape,
                                              Block &body) {
  FlatSymbolRefAttr &kernel = kernels[makeKey(shape, body)];
  if (!kernel)
    kernel = FlatSymbolRefAttr::get(
        buildContractKernel(builder, loc,
                            (kKernelPrefix + "contract_").str() +
                                std::to_string(kernels.size() - 1),
                            shape, body)
            .getSymNameAttr());
  return kernel;
}

FlatSymbolRefAttr ContractOutliner::outline(loom::LaunchOp launch) {
  Location loc = launch.getLoc();
  Block &body = launch.getBody().front();
  loom::ContractionAttr attributes = *launch.getContraction();
  ContractShape shape = describe(launch, unit);
  Type sumType = body.getArgument(0).getType();
  FlatSymbolRefAttr kernel = getKernel(loc, shape, body);

  SmallVector<int32_t> bytes, results;
  for (Value value : launch.getInputs())
    bytes.push_back(getStorageBytes(getElementTypeOrSelf(value.getType())));
  for (Value value : launch.getResults()) {
    results.push_back(bytes.size());
    bytes.push_back(getStorageBytes(getElementTypeOrSelf(value.getType())));
  }
  Key key = {uintptr_t(kernel.getAsOpaquePointer()),
             uintptr_t(attributes.getAsOpaquePointer()),
             launch.getInputs().size()};
  FlatSymbolRefAttr &program = programs[key];
  if (program)
    return program;

  ArrayRef<int64_t> strides = attributes.getStrides().asArrayRef();
  ArrayRef<int64_t> dilations = attributes.getDilations().asArrayRef();
  ArrayRef<int64_t> pads = attributes.getPads().asArrayRef();
  SmallVector<int64_t> window;
  for (size_t axis = 0; axis < strides.size(); ++axis)
    window.append(
        {strides[axis], dilations[axis], pads[2 * axis], pads[2 * axis + 1]});
  uint64_t ones = 0;
  for (auto [i, operand] : llvm::enumerate(shape.operands))
    ones |= uint64_t(operand.hasOneChannel) << i;
  FlatSymbolRefAttr contraction = data.record(
      loc,
      ContractionRecord()
          .kernel(kernel)
          .window(data.bigNumbers(loc, window))
          .windowRank(strides.size())
          .kind(int32_t(shape.kind))
          .panel(shape.tile.panel())
          .tileRows(shape.tile.rows)
          .together(shape.together)
          .sumBytes(getStorageBytes(sumType))
          .fusesFloats(shape.fma && !isByChannel(shape.kind) &&
                       shape.imageType.isF32() && shape.weightType.isF32())
          .boundary(int32_t(getBoundary(attributes)))
          .packed(shape.packed
                      ? data.bigNumbers(loc, getNumbers(attributes.getPacked()))
                      : FlatSymbolRefAttr())
          .padding(uint64_t(shape.imageZero))
          .ones(ones)
          .groups(attributes.getGroups())
          .operations(body.getOperations().size() - 1));
  program = data.record(loc,
                        ProgramRecord()
                            .numOperands(launch.getInputs().size())
                            .numStages(0)
                            .numResults(results.size())
                            .numValues(bytes.size())
                            .valueBytes(data.numbers(loc, bytes))
                            .stages({})
                            .results(data.numbers(loc, results))
                            .rows({})
                            .contraction(contraction),
                        "loom_contract_program_" +
                            std::to_string(programs.size() - 1));
  return program;
}
