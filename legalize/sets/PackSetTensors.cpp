//===- PackSetTensors.cpp - tensors whose shape is a set ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such a tensor becomes one of a single axis with the elements of the set
// (set-5), so that passes behind this one know nothing of sets. What works on
// each element alone stays as it is; what works on indices becomes loops.
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/sets/CheckSetTensors.h"
#include "legalize/sets/SetValues.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMPACKSETTENSORS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static bool hasSet(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isSetTensor) ||
         llvm::any_of(op->getResultTypes(), isSetTensor);
}

namespace {

class Packing {
public:
  explicit Packing(ModuleOp module)
      : module(module), b(module.getContext()), sets(b) {}

  LogicalResult run() {
    llvm::StringMap<func::FuncOp> functions;
    for (auto func : module.getOps<func::FuncOp>())
      functions.try_emplace(func.getName(), func);
    bool isFine = true;
    module.walk([&](Operation *op) {
      // What a text says of this, nobody has checked.
      if (isa<tensor::ExtractOp>(op))
        op->removeAttr(loom::kChecked);
      if (failed(checkSetEdges(op, functions))) {
        isFine = false;
        return;
      }
      if (auto func = dyn_cast<func::FuncOp>(op))
        isFine &= succeeded(checkSetSignature(func));
      else if (hasSet(op) ||
               isa<loom::ToSetOp, loom::FromSetOp, loom::SetElementsOp>(op)) {
        isFine &= succeeded(checkSetOperation(op));
        operations.push_back(op);
        for (OpOperand &operand : op->getOpOperands())
          if (isSetTensor(operand.get().getType()))
            setOperands.insert(&operand);
      }
    });
    if (!isFine)
      return failure();
    sets.changeTypes(module);
    for (Operation *op : operations)
      rewrite(op);
    for (Operation *op : llvm::reverse(erased))
      op->erase();
    return success();
  }

private:
  void replace(Operation *op, Value by) {
    op->getResult(0).replaceAllUsesWith(by);
    erased.push_back(op);
  }
  /// The same by the elements of `made`.
  void replace(Operation *op, const SetTensor &made, Value by) {
    replace(op, by);
    sets.add(by, made);
  }

  void rewrite(Operation *op) {
    b.setInsertionPoint(op);
    Origin named(b, op);
    if (op->hasTrait<OpTrait::ConstantLike>())
      return rewriteConstant(op);
    if (auto order = getAxisOrder(op))
      return rewriteTransposition(op, *order);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](loom::ToSetOp to) { rewriteToSet(to); })
        .Case([&](loom::FromSetOp from) { rewriteFromSet(from); })
        .Case([&](loom::SetElementsOp elements) {
          replace(op, elements.getSet());
        })
        .Case([&](tensor::EmptyOp empty) { rewriteEmpty(empty); })
        .Case([&](tensor::DimOp dim) { rewriteDim(dim); })
        .Case([&](tensor::ExtractOp extract) { rewriteExtract(extract); })
        .Case([&](linalg::MatmulOp product) { rewriteProduct(product); })
        .Default([&](Operation *other) {
          if (!passesOnSets(other))
            rewriteElementwise(other);
        });
  }

  /// Names what is made after the operation that it is made for.
  class Origin : OpBuilder::Listener {
  public:
    Origin(OpBuilder &b, Operation *op) : b(b), op(op) { b.setListener(this); }
    ~Origin() override { b.setListener(nullptr); }
    void notifyOperationInserted(Operation *made,
                                 OpBuilder::InsertPoint) override {
      if (isa_and_nonnull<tensor::TensorDialect, linalg::LinalgDialect>(
              made->getDialect()))
        infer::setOrigin(made, op);
    }

  private:
    OpBuilder &b;
    Operation *op;
  };

  void rewriteConstant(Operation *op) {
    DenseElementsAttr value;
    matchPattern(op, m_Constant(&value));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    DenseElementsAttr packed = value.resizeSplat(type);
    op->setAttr(isa<tosa::ConstOp>(op) ? "values" : "value", packed);
  }

  /// All tensors of the set have one extent, and those of one element no more
  /// axes than they.
  void rewriteElementwise(Operation *op) {
    Value first;
    unsigned firstNumber = 0;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      auto type = cast<RankedTensorType>(value.getType());
      if (!setOperands.contains(&operand)) {
        dropAxes(operand, type);
      } else if (!first) {
        first = value;
        firstNumber = operand.getOperandNumber();
      } else if (first != value) {
        requireSame(op, first, firstNumber, operand);
      }
    }
  }

  void dropAxes(OpOperand &operand, RankedTensorType type) {
    if (type.getRank() < 2)
      return;
    SmallVector<ReassociationIndices> all(1);
    llvm::append_range(all[0], llvm::seq<int64_t>(type.getRank()));
    operand.set(tensor::CollapseShapeOp::create(b, operand.getOwner()->getLoc(),
                                                operand.get(), all));
  }

  void requireSame(Operation *op, Value first, unsigned number,
                   OpOperand &second) {
    Location loc = op->getLoc();
    Value a = tensor::DimOp::create(b, loc, first, 0),
          c = tensor::DimOp::create(b, loc, second.get(), 0);
    Value isSame =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, a, c);
    std::string message =
        "operand " + std::to_string(number) + " has {0} elements but operand " +
        std::to_string(second.getOperandNumber()) + " has {1}, of the shape " +
        escapeTemplate(sets.getSet(first).getText().str()) +
        "; both need the same extents";
    loom::ConstrainOp::create(b, loc, infer::getOrigin(op), isSame, message,
                              ValueRange{a, c});
  }

  void rewriteToSet(loom::ToSetOp op) {
    Location loc = op.getLoc();
    SetTensor to = sets.getOpen(op.getResult());
    SetFormulas formulas(b, loc);
    loom::SetShapeAttr set = to.getSet();
    // A use that stands in front in the text may have computed them.
    to.symbols.clear();
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < to.type.getRank(); ++axis)
      extents.push_back(tensor::DimOp::create(b, loc, op.getDense(), axis));
    for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol)
      to.symbols.push_back(to.type.isDynamicDim(symbol)
                               ? extents[symbol]
                               : formulas.get(to.type.getDimSize(symbol)));
    requireExtents(op, to, extents, "the tensor");
    SetLoops loops(b, op);
    if (op.getRest() != loom::SetRest::Dropped)
      loops.requireRest(to, op.getDense(),
                        op.getRest() == loom::SetRest::Symmetric);
    Value elements = loops.pack(to, op.getDense());
    replace(op, to, elements);
  }

  /// Axes of one symbol have one extent, for which the formulas are exact.
  void requireExtents(Operation *op, const SetTensor &to,
                      ArrayRef<Value> extents, const std::string &what) {
    SetFormulas formulas(b, op->getLoc());
    std::string shape = escapeTemplate(to.getSet().getText().str());
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      Value expected = to.type.isDynamicDim(axis)
                           ? extents[to.getSet().getSymbolAxis(axis)]
                           : formulas.get(to.type.getDimSize(axis));
      if (expected != extent)
        constrain(op, arith::CmpIPredicate::eq, extent, expected,
                  "axis " + std::to_string(axis) + " of " + what +
                      " has extent {0}, but the shape " + shape + " needs {1}");
    }
    if (!to.type.hasStaticShape())
      constrain(op, arith::CmpIPredicate::ult, to.symbols.front(),
                formulas.get(int64_t(1) << to.getSet().getPacked().bits),
                "places of the shape " + shape +
                    " are computed for extents less than {1}, and " + what +
                    " has {0}");
  }

  void rewriteEmpty(tensor::EmptyOp op) {
    SetTensor made = sets.getOpen(op.getResult());
    SetFormulas formulas(b, op.getLoc());
    SmallVector<Value> extents;
    size_t next = 0;
    for (int64_t axis = 0; axis < made.type.getRank(); ++axis)
      extents.push_back(made.type.isDynamicDim(axis)
                            ? op.getDynamicSizes()[next++]
                            : formulas.get(made.type.getDimSize(axis)));
    made.symbols.assign(extents.begin(),
                        extents.begin() + made.getSet().getNumSymbols());
    requireExtents(op, made, extents, "'tensor.empty'");
    replace(op, made, SetLoops(b, op).makeEmpty(made));
  }

  void constrain(Operation *op, arith::CmpIPredicate predicate, Value x,
                 Value y, const std::string &message) {
    Value holds = arith::CmpIOp::create(b, op->getLoc(), predicate, x, y);
    loom::ConstrainOp::create(b, op->getLoc(), infer::getOrigin(op), holds,
                              message, ValueRange{x, y});
  }

  void rewriteFromSet(loom::FromSetOp op) {
    SetTensor from = sets.get(op.getSet());
    auto type = cast<RankedTensorType>(op.getResult().getType());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (!type.isDynamicDim(axis) && from.type.isDynamicDim(axis))
        constrain(op, arith::CmpIPredicate::eq,
                  cast<Value>(from.getExtent(axis)),
                  SetFormulas(b, op.getLoc()).get(type.getDimSize(axis)),
                  "axis " + std::to_string(axis) +
                      " of the shape has extent {0}, but the result has {1}");
    replace(op, SetLoops(b, op).unpack(
                    from, type, op.getRest() == loom::SetRest::Symmetric));
  }

  Value getExtent(const SetTensor &of, int64_t axis, Location loc) {
    return getValueOrCreateConstantIndexOp(b, loc, of.getExtent(axis));
  }

  void rewriteDim(tensor::DimOp op) {
    SetTensor from = sets.get(op.getSource());
    Location loc = op.getLoc();
    SetFormulas formulas(b, loc);
    Value extent;
    for (int64_t axis = from.type.getRank(); axis-- > 0;) {
      Value of = getExtent(from, axis, loc);
      if (!extent) {
        extent = of;
        continue;
      }
      Value isAxis = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           op.getIndex(), formulas.get(axis));
      extent = arith::SelectOp::create(b, loc, isAxis, of, extent);
    }
    requireAxis(op, from.type.getRank());
    replace(op, extent);
  }

  /// rt-4: an axis that may be computed.
  void requireAxis(tensor::DimOp op, int64_t rank) {
    if (auto index = op.getConstantIndex();
        index && *index >= 0 && *index < rank)
      return;
    constrain(op, arith::CmpIPredicate::ult, op.getIndex(),
              SetFormulas(b, op.getLoc()).get(rank),
              "axis {0} is asked for, and the tensor has {1}");
  }

  void rewriteExtract(tensor::ExtractOp op) {
    SetTensor from = sets.get(op.getTensor());
    Location loc = op.getLoc();
    SetFormulas formulas(b, loc);
    SmallVector<Value> values(from.symbols);
    llvm::append_range(values, op.getIndices());
    loom::SetShapeAttr set = from.getSet();
    // The comparisons of the set may wrap around for indices that are none of
    // the extents.
    Value isInside = formulas.holds(set.getSet().getParts().front(), values);
    for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
      Value isIndex = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                            index, getExtent(from, axis, loc));
      isInside =
          isInside ? formulas.make<arith::AndIOp>(isIndex, isInside) : isIndex;
    }
    if (isInside) {
      std::string place;
      for (size_t i = 0; i < op.getIndices().size(); ++i)
        place += (i ? ", {" : "{") + std::to_string(i) + "}";
      std::string message = "element [" + place + "] is not in the shape " +
                            escapeTemplate(set.getText().str());
      for (size_t i = 0; i < from.symbols.size(); ++i)
        message += (i ? " and " : ", where ") +
                   set.getSet().getSignature().symbols[i] + " is {" +
                   std::to_string(op.getIndices().size() + i) + "}";
      SmallVector<Value> numbers(op.getIndices());
      llvm::append_range(numbers, from.symbols);
      loom::ConstrainOp::create(b, loc, infer::getOrigin(op), isInside, message,
                                numbers);
    }
    auto made = tensor::ExtractOp::create(
        b, loc, op.getTensor(),
        formulas.compute(set.getPacked().place, values));
    // Messages have the indices of the program, not the place.
    if (isInside)
      made->setAttr(loom::kChecked, b.getUnitAttr());
    replace(op, made);
  }

  void rewriteTransposition(Operation *op, ArrayRef<int64_t> order) {
    SetTensor from = sets.get(op->getOperand(0)),
              to = sets.getOpen(op->getResult(0));
    // Both have one symbol, or none.
    to.symbols = from.symbols;
    if (from.type.hasStaticShape() != to.type.hasStaticShape() &&
        !to.symbols.empty() && to.type.hasStaticShape())
      constrain(op, arith::CmpIPredicate::eq, to.symbols[0],
                SetFormulas(b, op->getLoc()).get(to.type.getDimSize(0)),
                "the operand has extent {0}, but the result has {1}");
    if (isa<linalg::TransposeOp>(op) && !from.symbols.empty())
      constrain(op, arith::CmpIPredicate::eq, from.symbols[0],
                sets.get(op->getOperand(1)).symbols[0],
                "operand 0 has extent {0}, but its destination has {1}");
    Value elements = SetLoops(b, op).transpose(from, to, order);
    replace(op, to, elements);
  }

  void rewriteProduct(linalg::MatmulOp op) {
    Location loc = op.getLoc();
    OpOperand &second = op->getOpOperand(1);
    std::optional<SetTensor> other, to;
    if (setOperands.contains(&second))
      other = sets.get(second.get());
    if (OpOperand &result = op->getOpOperand(2); setOperands.contains(&result))
      to = sets.get(result.get());
    if (!setOperands.contains(&op->getOpOperand(0))) {
      // Columns of the set are read by all rows.
      auto dense = RankedTensorType::get(other->type.getShape(),
                                         other->type.getElementType());
      second.set(SetLoops(b, op).unpack(*other, dense, false));
      return;
    }
    SetTensor from = sets.get(op.getInputs()[0]);
    auto getDim = [&](unsigned operand, int64_t axis) -> Value {
      const SetTensor *set = operand == 0   ? &from
                             : operand == 1 ? (other ? &*other : nullptr)
                                            : (to ? &*to : nullptr);
      if (set)
        return getExtent(*set, axis, loc);
      return tensor::DimOp::create(b, loc, op->getOperand(operand), axis);
    };
    auto same = [&](unsigned x, int64_t axis, unsigned y, int64_t axisOfY) {
      constrain(op, arith::CmpIPredicate::eq, getDim(x, axis),
                getDim(y, axisOfY),
                ("axis " + Twine(axis) + " of operand " + Twine(x) +
                 " has extent {0} but axis " + Twine(axisOfY) + " of operand " +
                 Twine(y) + " has {1}")
                    .str());
    };
    same(0, 1, 1, 0);
    same(0, 0, 2, 0);
    same(1, 1, 2, 1);
    if (to)
      return replace(op, *to, SetLoops(b, op).multiply(from, *other, *to));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SetLoops::Factor factor = second.get();
    if (other)
      factor = *other;
    replace(op, SetLoops(b, op).multiply(from, factor, type));
  }

  ModuleOp module;
  OpBuilder b;
  SmallVector<Operation *> operations, erased;
  /// Those whose type was one of a set.
  llvm::DenseSet<OpOperand *> setOperands;
  SetValues sets;
};

struct LoomPackSetTensorsPass
    : legalize::impl::LoomPackSetTensorsBase<LoomPackSetTensorsPass> {
  LogicalResult apply(ModuleOp module) override {
    return Packing(module).run();
  }
};

} // namespace
