//===- CountWork.cpp - multiply-adds and reductions of a call -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counted from the program and not by the compiled code: what an operation
// computes follows from the extents of its operands and results.
//
//===----------------------------------------------------------------------===//

#include "driver/steps/Reachable.h"
#include "driver/steps/Steps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace broadloom;

/// Gives the arguments of `function` the extents of `inputs`: each argument
/// with static extents becomes the value that the body uses. False where an
/// input does not fit its argument.
static bool fixArguments(func::FuncOp function,
                         const std::vector<const BroadloomTensor *> &inputs) {
  // Variables, which have declared extents, may follow the arguments.
  if (inputs.size() > function.getNumArguments())
    return false;
  SmallVector<Type> types;
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  for (auto [argument, input] : llvm::zip(function.getArguments(), inputs)) {
    auto declared = dyn_cast<TensorType>(argument.getType());
    if (!declared) {
      types.push_back(argument.getType());
      continue;
    }
    auto given = RankedTensorType::get(ArrayRef(input->dims, input->rank),
                                       declared.getElementType());
    if (failed(verifyCompatibleShape(declared, given)))
      return false;
    types.push_back(given);
    argument.setType(given);
    if (given == declared)
      continue;
    auto cast =
        tensor::CastOp::create(b, function.getLoc(), declared, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  for (BlockArgument argument :
       function.getArguments().drop_front(inputs.size()))
    types.push_back(argument.getType());
  function.setFunctionType(FunctionType::get(
      function.getContext(), types, function.getFunctionType().getResults()));
  return true;
}

namespace {

/// A number that may not be known, or may not fit.
class Count {
public:
  Count(int64_t number) : number(number) {}
  static Count unknown() {
    Count count(0);
    count.number.reset();
    return count;
  }
  static Count elements(Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type && type.hasStaticShape() ? Count(type.getNumElements())
                                         : unknown();
  }
  static Count extent(Value value, unsigned axis) {
    auto type = cast<ShapedType>(value.getType());
    if (!type.hasRank() || type.getRank() <= axis || type.isDynamicDim(axis))
      return unknown();
    return type.getDimSize(axis);
  }

  Count operator*(Count other) const {
    int64_t product = 0;
    if (!number || !other.number ||
        __builtin_mul_overflow(*number, *other.number, &product))
      return unknown();
    return product;
  }
  Count operator+(Count other) const {
    int64_t sum = 0;
    if (!number || !other.number ||
        __builtin_add_overflow(*number, *other.number, &sum))
      return unknown();
    return sum;
  }

  std::optional<int64_t> number;
};

struct Counts {
  Count multiplyAdds = 0, reduced = 0;

  static Counts unknown() { return {Count::unknown(), Count::unknown()}; }
  bool isZero() const {
    return multiplyAdds.number == 0 && reduced.number == 0;
  }
  void operator+=(const Counts &other) {
    multiplyAdds = multiplyAdds + other.multiplyAdds;
    reduced = reduced + other.reduced;
  }
};

/// How often the innermost body of the operation runs. The extent of a loop is
/// that of any operand's axis that the loop alone indexes.
Count iterations(linalg::LinalgOp op) {
  Count product = 1;
  for (int64_t range : op.getStaticLoopRanges())
    product =
        product * (ShapedType::isDynamic(range) ? Count::unknown() : range);
  if (product.number)
    return product;
  SmallVector<Count> loops(op.getNumLoops(), Count::unknown());
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    while (auto cast = value.getDefiningOp<tensor::CastOp>())
      value = cast.getSource();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index))
        if (Count extent = Count::extent(value, axis); extent.number)
          loops[loop.getPosition()] = extent;
  }
  return std::accumulate(loops.begin(), loops.end(), Count(1),
                         std::multiplies<Count>());
}

/// The extents of `axes` of `value` multiplied.
Count extents(Value value, ArrayRef<unsigned> axes) {
  Count product = 1;
  for (unsigned axis : axes)
    product = product * Count::extent(value, axis);
  return product;
}

Counts countLinalg(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return {};
  if (isa<linalg::ContractionOpInterface, linalg::ConvolutionOpInterface>(
          op.getOperation()) ||
      linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op))
    return {iterations(op), 0};
  return {0, iterations(op)};
}

template <typename Pool> Counts countPool(Pool op) {
  Count window = 1;
  for (int64_t extent : op.getKernel())
    window = window * extent;
  return {0, Count::elements(op->getResult(0)) * window};
}

/// What one operation computes, without what is inside it or what it calls.
Counts countOne(Operation *operation) {
  return TypeSwitch<Operation *, Counts>(operation)
      // Weights have the output channels first, and then what is summed over.
      .Case([](tosa::Conv2DOp op) -> Counts {
        return {Count::elements(op) * extents(op.getWeight(), {1, 2, 3}), 0};
      })
      .Case([](tosa::Conv3DOp op) -> Counts {
        return {Count::elements(op) * extents(op.getWeight(), {1, 2, 3, 4}), 0};
      })
      .Case([](tosa::DepthwiseConv2DOp op) -> Counts {
        return {Count::elements(op) * extents(op.getWeight(), {0, 1}), 0};
      })
      // Each element of the input goes to a window of every output channel.
      .Case([](tosa::TransposeConv2DOp op) -> Counts {
        return {Count::elements(op.getInput()) *
                    extents(op.getWeight(), {0, 1, 2}),
                0};
      })
      .Case([](tosa::MatMulOp op) -> Counts {
        return {Count::elements(op) * Count::extent(op.getA(), 2), 0};
      })
      .Case<tosa::AvgPool2dOp, tosa::MaxPool2dOp>(
          [](auto op) { return countPool(op); })
      .Case<tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
            tosa::ReduceProductOp, tosa::ReduceAllOp, tosa::ReduceAnyOp,
            tosa::ArgMaxOp>([](Operation *op) -> Counts {
        return {0, Count::elements(op->getOperand(0))};
      })
      .Case([](linalg::LinalgOp op) { return countLinalg(op); })
      // The work of these is neither counted as products nor as reductions.
      .Case<tosa::FFT2dOp, tosa::RFFT2dOp>(
          [](Operation *) { return Counts::unknown(); })
      .Default([](Operation *) { return Counts(); });
}

class WorkCounter {
public:
  explicit WorkCounter(ModuleOp module) : symbols(module) {}

  Counts count(func::FuncOp function) {
    if (auto it = known.find(function); it != known.end())
      return it->second;
    // The work of a recursive function is unknown.
    known.insert({function, Counts::unknown()});
    Counts total;
    function.walk([&](Operation *op) {
      Counts counts = countWithCallee(op);
      bool isOnce =
          op->getParentOp() == function && function.getBody().hasOneBlock();
      if (!counts.isZero())
        total += isOnce ? counts : Counts::unknown();
    });
    return known.find(function)->second = total;
  }

private:
  Counts countWithCallee(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      return countOne(op);
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    return callee && !callee.isExternal() ? count(callee) : Counts::unknown();
  }

  SymbolTable symbols;
  llvm::DenseMap<func::FuncOp, Counts> known;
};

} // namespace

/// The work of one call of `function` in a program whose types have been
/// refined. Nothing where an extent is not known, or a product or reduction is
/// computed on one path of several, or as often as data say.
static std::optional<WorkCount> countWork(func::FuncOp function) {
  WorkCounter counter(function->getParentOfType<ModuleOp>());
  Counts counts = counter.count(function);
  if (!counts.multiplyAdds.number || !counts.reduced.number)
    return std::nullopt;
  return WorkCount{*counts.multiplyAdds.number, *counts.reduced.number};
}

std::optional<WorkCount>
steps::countWork(Session &session, const std::string &function,
                 const std::vector<const BroadloomTensor *> &inputs) {
  OwningOpRef<ModuleOp> module = parse(session);
  if (!module)
    return std::nullopt;
  keepReachable(*module, function);
  func::FuncOp func;
  // The extents of the arguments determine those of all values.
  auto fixExtents = [&](Stage stage) {
    if (stage != Stage::Legalize)
      return true;
    func = SymbolTable(*module).lookup<func::FuncOp>(function);
    return func && !func.isExternal() && fixArguments(func, inputs);
  };
  if (!session.runStages(*module, session.getPipeline(Goal::Check), fixExtents))
    return std::nullopt;
  return ::countWork(func);
}
