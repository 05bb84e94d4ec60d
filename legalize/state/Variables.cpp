//===- Variables.cpp - the variables of a program, and who uses them ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/state/Variables.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

LogicalResult Variables::add(tosa::VariableOp op) {
  if (!TensorType::isValidElementType(op.getType()))
    return op.emitOpError("has elements of type ")
           << op.getType() << ", of which there are no tensors";
  Variable variable{op, tosa::getVariableType(op), {}};
  if (Attribute initial = op.getInitialValueAttr()) {
    variable.initial = dyn_cast<ElementsAttr>(initial);
    if (!variable.initial ||
        variable.initial.getElementType() != op.getType() ||
        failed(verifyCompatibleShape(variable.initial.getShapedType(),
                                     variable.type)))
      return op.emitOpError("is declared as ")
             << variable.type << ", which its initial value is not";
  } else if (!variable.type.hasStaticShape()) {
    return op.emitOpError("of type ")
           << variable.type
           << " has no initial value, which would say how large it is at first";
  }
  if (!numbers.try_emplace(op.getSymName(), variables.size()).second)
    return op.emitOpError("declares the variable '")
           << op.getSymName() << "' again";
  variables.push_back(variable);
  return success();
}

LogicalResult Variables::check(Operation *op, StringRef name, Type type,
                               StringRef does) {
  auto it = numbers.find(name);
  if (it == numbers.end())
    return op->emitOpError(does) << " the variable '" << name
                                 << "', which the program does not declare";
  Variable variable = variables[it->second];
  if (type == variable.type)
    return success();
  InFlightDiagnostic error = op->emitOpError(does)
                             << " the variable '" << name << "' as " << type
                             << ", but it is declared as " << variable.type;
  error.attachNote(variable.op.getLoc()) << "declared here";
  return error;
}

static bool insert(SmallVector<unsigned> &numbers, unsigned number) {
  auto *it = llvm::lower_bound(numbers, number);
  if (it != numbers.end() && *it == number)
    return false;
  numbers.insert(it, number);
  return true;
}

/// Records a use at `op` and all enclosing operations; false if the function
/// already had it.
bool Variables::note(Operation *op, unsigned number, bool isWritten) {
  bool isNew = false;
  for (; !isa<ModuleOp>(op); op = op->getParentOp()) {
    VariableUse &use = uses[op];
    // A variable that is written on some paths keeps its value on the others,
    // so that it is also used.
    isNew = insert(use.used, number);
    if (isWritten)
      isNew |= insert(use.written, number);
  }
  return isNew;
}

/// A call has the uses of its callee.
void Variables::followCalls(ModuleOp module) {
  DenseMap<Operation *, SmallVector<func::CallOp>> calls;
  module.walk([&](func::CallOp call) {
    if (func::FuncOp callee = getCallee(call))
      calls[callee].push_back(call);
  });
  SmallVector<Operation *> work;
  for (auto function : module.getOps<func::FuncOp>())
    if (uses.contains(function))
      work.push_back(function);
  while (!work.empty()) {
    Operation *function = work.pop_back_val();
    VariableUse use = uses[function];
    for (func::CallOp call : calls.lookup(function)) {
      bool isNew = false;
      for (unsigned number : use.used)
        isNew |= note(call, number, llvm::is_contained(use.written, number));
      if (isNew)
        work.push_back(call->getParentOfType<func::FuncOp>());
    }
  }
}

LogicalResult Variables::collect(ModuleOp module) {
  for (auto op : module.getOps<tosa::VariableOp>())
    if (failed(add(op)))
      return failure();
  for (auto function : module.getOps<func::FuncOp>())
    byName[function.getName()] = function;
  WalkResult checked = module.walk([&](Operation *op) -> WalkResult {
    if (isa<tosa::VariableOp>(op) && op->getParentOp() != module)
      return op->emitOpError("must stand in the module");
    auto read = dyn_cast<tosa::VariableReadOp>(op);
    auto write = dyn_cast<tosa::VariableWriteOp>(op);
    if (!read && !write)
      return WalkResult::advance();
    if (!op->getParentOfType<func::FuncOp>())
      return op->emitOpError("must stand in a function");
    StringRef name = read ? read.getName() : write.getName();
    if (failed(read ? check(op, name, read.getOutput1().getType(), "reads")
                    : check(op, name, write.getInput1().getType(), "writes")))
      return WalkResult::interrupt();
    note(op, getNumber(name), bool(write));
    return WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  followCalls(module);
  return success();
}

const VariableUse &Variables::getUse(Operation *op) const {
  static const VariableUse none;
  auto it = uses.find(op);
  return it == uses.end() ? none : it->second;
}
