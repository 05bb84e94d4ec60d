//===- OutlineKernels.cpp - launches to programs of strip kernels ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "codegen/kernels/KernelParts.h"
#include "codegen/kernels/OutlineContractions.h"
#include "codegen/kernels/OutlineLoops.h"
#include "codegen/kernels/OutlineReductions.h"
#include "codegen/kernels/StagePartition.h"
#include "codegen/kernels/StreamedLoops.h"
#include "codegen/kernels/StripKernel.h"
#include "codegen/layout/ConstantData.h"
#include "codegen/layout/Storage.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "runtime/abi/Slots.h"
#include "scalar/MathFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMOUTLINEKERNELS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// The key of a kernel: stages with equal keys have equal code.
Key makeKey(const Stage &stage) {
  KeyWriter writer;
  for (Value input : stage.inputs)
    writer.define(input);
  for (Operation *op : stage.operations)
    writer.write(op);
  writer.add(nullptr);
  for (Value output : stage.outputs)
    writer.use(output);
  return std::move(writer.key);
}

/// The key of a body: launches with equal keys have equal stages.
Key makeKey(Block &body, ArrayRef<OperandReach> reach) {
  Stage whole;
  llvm::append_range(whole.inputs, body.getArguments());
  for (Operation &op : body.without_terminator())
    whole.operations.push_back(&op);
  llvm::append_range(whole.outputs, body.getTerminator()->getOperands());
  Key key = makeKey(whole);
  for (OperandReach each : reach)
    key.push_back(uintptr_t(each));
  return key;
}

/// What the access kinds, or else the types, prove about the extents of operand
/// `index` compared with the result's.
OperandReach getReach(loom::LaunchOp launch, unsigned index) {
  auto type = dyn_cast<ShapedType>(launch.getInputs()[index].getType());
  if (!type)
    return OperandReach::Scalar;
  auto result = dyn_cast<MemRefType>(launch.getResult(0).getType());
  if (!type.hasRank() || !result)
    return OperandReach::Open;
  auto areAll = [&](loom::AxisAccess access) {
    return launch.getKinds() &&
           cast<loom::AccessAttr>((*launch.getKinds())[index]).areAll(access);
  };
  if ((type.hasStaticShape() && type.getNumElements() == 1) ||
      areAll(loom::AxisAccess::One))
    return OperandReach::Scalar;
  bool sameRank = type.getRank() == result.getRank();
  if (sameRank &&
      ((type.hasStaticShape() && result.getShape() == type.getShape()) ||
       areAll(loom::AxisAccess::Match)))
    return OperandReach::Full;
  return OperandReach::Open;
}

/// Whether the body has a mathematical function that is inline arithmetic.
bool hasFunction(loom::LaunchOp launch) {
  return launch.getBody()
      .walk([](Operation *op) {
        return scalar::hasExpansion(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

class Outliner {
public:
  Outliner(ModuleOp module, const VectorUnit &unit)
      : builder(OpBuilder::atBlockEnd(module.getBody())),
        data(module, "loom_numbers_"), rows(module, unit),
        contractions(module, unit), unit(unit) {}

  void outline(loom::LaunchOp launch) {
    if (launch.getAxes())
      return replace(launch, rows.outline(launch));
    if (launch.getContraction())
      return replace(launch, contractions.outline(launch));
    Block &body = launch.getBody().front();
    SmallVector<OperandReach> reach;
    for (unsigned i = 0; i < launch.getInputs().size(); ++i)
      reach.push_back(getReach(launch, i));
    FlatSymbolRefAttr &program = launched[makeKey(body, reach)];
    if (!program) {
      SmallVector<Stage> stages = partitionIntoStages(body, reach);
      addConstantResults(body, stages);
      program = getProgram(launch.getLoc(), body, stages);
    }
    replace(launch, program);
  }

private:
  /// A kernel, and whether it has a loop that stores past the caches.
  struct Kernel {
    FlatSymbolRefAttr symbol;
    bool streams = false;
  };

  void replace(loom::LaunchOp launch, FlatSymbolRefAttr program) {
    OpBuilder here(launch);
    auto run = loom::RunOp::create(
        here, launch.getLoc(), launch.getResultTypes(), program,
        launch.getInputs(), /*destinations=*/ValueRange(), /*memory=*/Value(),
        launch.getSlotsAttr(), /*offsets=*/DenseI64ArrayAttr());
    if (Value place = getDestination(launch)) {
      run.setSlots(ArrayRef{slotWithGaps(run->getNumOperands())});
      run.getDestinationsMutable().append(place);
    }
    launch.replaceAllUsesWith(run);
    launch.erase();
  }

  /// Adds a stage that stores results that are constants.
  void addConstantResults(Block &body, SmallVector<Stage> &stages) {
    llvm::SmallDenseSet<Value> made;
    Operation *yield = body.getTerminator();
    OpBuilder inner(yield);
    for (OpOperand &operand : yield->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      if (!def || !def->hasTrait<OpTrait::ConstantLike>())
        continue;
      Operation *copy = buildCopy(inner, operand.get());
      operand.set(copy->getResult(0));
      Stage &stage = stages.emplace_back();
      stage.operations.push_back(copy);
      stage.outputs.push_back(copy->getResult(0));
    }
  }

  const Kernel &getKernel(Location loc, const Stage &stage) {
    Kernel &kernel = kernels[makeKey(stage)];
    if (!kernel.symbol) {
      std::string name = (kKernelPrefix + Twine(kernels.size() - 1)).str();
      kernel.streams = isWorthStreamedLoop(stage, unit);
      kernel.symbol = FlatSymbolRefAttr::get(
          buildStripKernel(builder, loc, name, stage, kernel.streams)
              .getSymNameAttr());
    }
    return kernel;
  }

  FlatSymbolRefAttr getProgram(Location loc, Block &body,
                               ArrayRef<Stage> stages) {
    DenseMap<Value, int32_t> numbers;
    SmallVector<int32_t> bytes, results;
    auto addValue = [&](Value value) {
      numbers[value] = bytes.size();
      bytes.push_back(getStorageBytes(value.getType()));
    };
    for (Value argument : body.getArguments())
      addValue(argument);
    SmallVector<StageRow> rows;
    for (const Stage &stage : stages) {
      StageRow &row = rows.emplace_back();
      row.kernel = getKernel(loc, stage);
      row.numOutputs = stage.outputs.size();
      row.operations = stage.operations.size();
      for (Value input : stage.inputs)
        row.inputs.push_back(numbers.lookup(input));
      for (Value output : stage.outputs)
        addValue(output);
    }
    for (Value value : body.getTerminator()->getOperands())
      results.push_back(numbers.lookup(value));

    Key key = {body.getNumArguments()};
    for (const StageRow &row : rows) {
      key.push_back(uintptr_t(row.kernel.symbol.getAsOpaquePointer()));
      key.push_back(row.inputs.size());
      llvm::append_range(key, row.inputs);
    }
    key.push_back(results.size());
    llvm::append_range(key, results);
    llvm::append_range(key, bytes);
    FlatSymbolRefAttr &program = programs[key];
    if (!program)
      program = buildProgram(loc, body.getNumArguments(), rows, bytes, results);
    return program;
  }

  struct StageRow {
    Kernel kernel;
    SmallVector<int32_t> inputs;
    int32_t numOutputs = 0;
    int64_t operations = 0;
  };

  FlatSymbolRefAttr buildProgram(Location loc, unsigned numOperands,
                                 ArrayRef<StageRow> rows,
                                 ArrayRef<int32_t> bytes,
                                 ArrayRef<int32_t> results) {
    std::string name = (kMapProgramPrefix + Twine(programs.size() - 1)).str();
    SmallVector<StageRecord> stages;
    for (const StageRow &row : rows)
      stages.push_back(StageRecord()
                           .kernel(row.kernel.symbol)
                           .numInputs(row.inputs.size())
                           .numOutputs(row.numOutputs)
                           .inputs(data.numbers(loc, row.inputs))
                           .operations(row.operations)
                           .streams(row.kernel.streams));
    // A map that only returns its operands has no stages.
    return data.record(loc,
                       ProgramRecord()
                           .numOperands(numOperands)
                           .numStages(rows.size())
                           .numResults(results.size())
                           .numValues(bytes.size())
                           .valueBytes(data.numbers(loc, bytes))
                           .stages(data.table(loc, stages, name + "_stages"))
                           .results(data.numbers(loc, results))
                           .rows({})
                           .contraction({}),
                       name);
  }

  OpBuilder builder;
  ConstantData data;
  RowOutliner rows;
  ContractOutliner contractions;
  VectorUnit unit;
  std::map<Key, Kernel> kernels;
  std::map<Key, FlatSymbolRefAttr> programs;
  /// The programs by the keys of bodies, so that equal bodies are partitioned
  /// once.
  std::map<Key, FlatSymbolRefAttr> launched;
};

struct LoomOutlineKernelsPass
    : codegen::impl::LoomOutlineKernelsBase<LoomOutlineKernelsPass> {
  void runOnOperation() override {
    SmallVector<loom::LaunchOp> launches;
    getOperation().walk(
        [&](loom::LaunchOp launch) { launches.push_back(launch); });
    // Looked up only for kernels that depend on it: the tiles of contractions,
    // streamed functions, and short rows.
    VectorUnit unit{};
    if (llvm::any_of(launches, [](loom::LaunchOp launch) {
          return launch.getContraction() || launch.getAxes() ||
                 hasFunction(launch);
        })) {
      auto target = CodeTarget::getOf(getOperation());
      if (!target) {
        emitError(getOperation().getLoc())
            << llvm::toString(target.takeError());
        return signalPassFailure();
      }
      unit = target->getVectorUnit();
    }
    Outliner outliner(getOperation(), unit);
    for (loom::LaunchOp launch : launches)
      outliner.outline(launch);
    outlineLoops();
  }

  void outlineLoops() {
    LoopOutliner loops(getOperation());
    // Lists the functions first, to leave out those that the pass creates.
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp func : functions)
      if (!loom::isOverMemory(func))
        loops.outline(func);
  }
};

} // namespace
