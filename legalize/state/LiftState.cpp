//===- LiftState.cpp - variables as arguments and results -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/state/LiftState.h"

#include "dialect/VariableName.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/state/Variables.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLIFTSTATE
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

/// The current values of variables during the walk, by their numbers; null for
/// those that the function does not use.
using Values = SmallVector<Value>;

class Lifter {
public:
  explicit Lifter(const Variables &variables) : variables(variables) {}

  LogicalResult lift(func::FuncOp function) {
    const VariableUse &use = variables.getUse(function);
    if (use.used.empty())
      return success();
    // A declaration uses no variables.
    Block &body = function.getBody().front();
    if (!function.getBody().hasOneBlock())
      return function.emitError()
             << "'" << function.getName()
             << "' uses variables and has several blocks; only structured "
                "control flow, such as 'tosa.cond_if' or 'scf.if', can be "
                "compiled around variables";
    Values values(variables.all().size());
    for (unsigned number : use.used)
      values[number] =
          body.addArgument(variables.all()[number].type, function.getLoc());
    if (failed(lift(body, values)))
      return failure();
    append(body.getTerminator(), values, use.written);
    function.setFunctionType(getLiftedType(function.getFunctionType(), use));
    resizeAttributes(function, use);
    return success();
  }

private:
  //===--------------------------------------------------------------------===//
  // Functions
  //===--------------------------------------------------------------------===//

  FunctionType getLiftedType(FunctionType type, const VariableUse &use) {
    SmallVector<Type> inputs(type.getInputs()), results(type.getResults());
    for (unsigned number : use.used)
      inputs.push_back(variables.all()[number].type);
    for (unsigned number : use.written)
      results.push_back(variables.all()[number].type);
    return FunctionType::get(type.getContext(), inputs, results);
  }

  /// The list has one dictionary for each argument and result, or is absent.
  void resizeAttributes(func::FuncOp function, const VariableUse &use) {
    Builder builder(function.getContext());
    auto grow = [&](ArrayAttr attributes, size_t count) {
      SmallVector<Attribute> all(attributes.begin(), attributes.end());
      all.append(count, builder.getDictionaryAttr({}));
      return builder.getArrayAttr(all);
    };
    if (ArrayAttr attributes = function.getArgAttrsAttr())
      function.setArgAttrsAttr(grow(attributes, use.used.size()));
    if (ArrayAttr attributes = function.getResAttrsAttr())
      function.setResAttrsAttr(grow(attributes, use.written.size()));
    SmallVector<Attribute> state;
    for (unsigned number : use.used) {
      Variable variable = variables.all()[number];
      NamedAttrList entry;
      entry.append("name", variable.op.getSymNameAttr());
      if (llvm::is_contained(use.written, number))
        entry.append("written", builder.getUnitAttr());
      if (variable.op->hasAttr(loom::kInPlace))
        entry.append("in_place", builder.getUnitAttr());
      if (variable.initial)
        entry.append("initial", variable.initial);
      state.push_back(entry.getDictionary(function.getContext()));
    }
    function->setAttr(loom::kState, builder.getArrayAttr(state));
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  LogicalResult lift(Block &block, Values &values) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto read = dyn_cast<tosa::VariableReadOp>(op)) {
        read.getOutput1().replaceAllUsesWith(
            values[variables.getNumber(read.getName())]);
        read.erase();
      } else if (auto write = dyn_cast<tosa::VariableWriteOp>(op)) {
        values[variables.getNumber(write.getName())] = write.getInput1();
        write.erase();
      } else if (!variables.getUse(&op).used.empty() &&
                 failed(liftUser(&op, values))) {
        return failure();
      }
    }
    return success();
  }

  LogicalResult liftUser(Operation *op, Values &values) {
    const VariableUse &use = variables.getUse(op);
    if (auto call = dyn_cast<func::CallOp>(op)) {
      append(op, values, use.used);
      extend(op, use, values);
      return success();
    }
    auto region = dyn_cast<scf::ExecuteRegionOp>(op);
    if (isa<scf::IfOp, scf::IndexSwitchOp, tosa::IfOp>(op) ||
        (region && region.getRegion().hasOneBlock()))
      return liftBranches(op, use, values);
    if (isa<scf::ForOp, scf::WhileOp, tosa::WhileOp>(op))
      return liftLoop(op, use, values);
    return op->emitOpError("has variables in its regions; they can be used in "
                           "functions, branches, loops and regions of one "
                           "block only");
  }

  LogicalResult liftBranches(Operation *op, const VariableUse &use,
                             Values &values) {
    for (Region &region : op->getRegions()) {
      Values inside = values;
      if (region.empty()) {
        OpBuilder builder(region);
        builder.createBlock(&region);
        scf::YieldOp::create(builder, op->getLoc());
      } else if (failed(lift(region.front(), inside))) {
        return failure();
      }
      append(region.front().getTerminator(), inside, use.written);
    }
    extend(op, use, values);
    return success();
  }

  /// Every region of a loop gets the written variables as further arguments,
  /// and yields them after its own values, except the condition of a
  /// `tosa.while_loop`.
  LogicalResult liftLoop(Operation *op, const VariableUse &use,
                         Values &values) {
    append(op, values, use.written);
    for (Region &region : op->getRegions()) {
      Values inside = values;
      for (unsigned number : use.written)
        inside[number] = region.front().addArgument(
            variables.all()[number].type, op->getLoc());
      Values before = inside;
      if (failed(lift(region.front(), inside)))
        return failure();
      if (!isa<tosa::WhileOp>(op) || region.getRegionNumber() == 1)
        append(region.front().getTerminator(), inside, use.written);
      else if (before != inside)
        return op->emitOpError("writes a variable in its condition; write it "
                               "in its body");
    }
    extend(op, use, values);
    return success();
  }

  static void append(Operation *op, const Values &values,
                     ArrayRef<unsigned> numbers) {
    SmallVector<Value> operands(op->getOperands());
    for (unsigned number : numbers)
      operands.push_back(values[number]);
    op->setOperands(operands);
  }

  /// Gives `op` the written variables as further results, and makes these the
  /// current values.
  void extend(Operation *op, const VariableUse &use, Values &values) {
    if (use.written.empty())
      return;
    OpBuilder builder(op);
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    for (unsigned number : use.written)
      state.addTypes(variables.all()[number].type);
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    Operation *extended = builder.create(state);
    unsigned numOwn = op->getNumResults();
    op->replaceAllUsesWith(extended->getResults().take_front(numOwn));
    for (auto [i, number] : llvm::enumerate(use.written))
      values[number] = extended->getResult(numOwn + i);
    op->erase();
  }

  const Variables &variables;
};

struct LoomLiftStatePass
    : legalize::impl::LoomLiftStateBase<LoomLiftStatePass> {
  LogicalResult apply(ModuleOp module) override;
};

} // namespace

/// Whether `state` describes the last arguments and results of a function of
/// this type.
static bool describesLast(func::FuncOp function, Attribute state) {
  auto entries = dyn_cast<ArrayAttr>(state);
  ArrayRef<Type> arguments = function.getArgumentTypes(),
                 results = function.getResultTypes();
  if (!entries || entries.size() > arguments.size())
    return false;
  arguments = arguments.take_back(entries.size());
  SmallVector<Type> written;
  for (auto [attribute, type] : llvm::zip_equal(entries, arguments)) {
    auto entry = dyn_cast<DictionaryAttr>(attribute);
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!entry || !tensor || !isa_and_nonnull<StringAttr>(entry.get("name")))
      return false;
    if (entry.contains("written"))
      written.push_back(type);
    Attribute given = entry.get("initial");
    auto initial = dyn_cast_or_null<ElementsAttr>(given);
    if (initial
            ? initial.getElementType() != tensor.getElementType() ||
                  failed(verifyCompatibleShape(initial.getShapedType(), tensor))
            : given || !tensor.hasStaticShape())
      return false;
  }
  return written.size() <= results.size() &&
         results.take_back(written.size()) == ArrayRef<Type>(written);
}

LogicalResult LoomLiftStatePass::apply(ModuleOp module) {
  auto isOfState = [](Operation *op) {
    return isa<tosa::VariableOp, tosa::VariableReadOp, tosa::VariableWriteOp>(
               op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  bool hasVariables = module.walk(isOfState).wasInterrupted();
  // Only a program that was already lifted has this attribute.
  for (auto function : module.getOps<func::FuncOp>())
    if (Attribute state = function->getAttr(loom::kState);
        state && (hasVariables || !describesLast(function, state)))
      return function.emitError()
             << "'" << function.getName() << "' has the attribute '"
             << loom::kState
             << "', which does not describe its last arguments and results";
  if (!hasVariables)
    return success();
  Variables variables;
  if (failed(variables.collect(module)))
    return failure();
  Lifter lifter(variables);
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(lifter.lift(function)))
      return failure();
  for (Variable variable : variables.all())
    variable.op->erase();
  return success();
}

SmallVector<LiftedVariable> legalize::getState(Operation *function) {
  SmallVector<LiftedVariable> state;
  if (auto entries = function->getAttrOfType<ArrayAttr>(loom::kState))
    for (auto entry : entries.getAsRange<DictionaryAttr>())
      state.push_back({entry.getAs<StringAttr>("name").getValue().str(),
                       entry.contains("written"),
                       entry.getAs<ElementsAttr>("initial")});
  return state;
}
