//===- CarriedVectors.cpp - vectors that are passed on --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops, branches and calls pass on of a vector are its elements: taken
// out of it in front of them, and put together behind.
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"
#include "legalize/memory/VectorLanes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace broadloom;

static bool isVector(Type type) { return isa<VectorType>(type); }

static void addLanes(Type type, SmallVectorImpl<Type> &to) {
  if (auto vector = dyn_cast<VectorType>(type))
    to.append(vector.getNumElements(), vector.getElementType());
  else
    to.push_back(type);
}

static SmallVector<Type> getLaneTypes(TypeRange types) {
  SmallVector<Type> lanes;
  for (Type type : types)
    addLanes(type, lanes);
  return lanes;
}

/// A vector of `lanes`, which is told of as a result of `op`.
static Value join(OpBuilder &b, Type type, ValueRange lanes, Operation *op) {
  auto made = vector::FromElementsOp::create(b, op->getLoc(),
                                             cast<VectorType>(type), lanes);
  infer::takeOrigin(made, op);
  return made;
}

static SmallVector<Value> split(OpBuilder &b, ValueRange values) {
  SmallVector<Value> lanes;
  for (Value value : values)
    if (isVector(value.getType()))
      llvm::append_range(
          lanes,
          vector::ToElementsOp::create(b, value.getLoc(), value).getResults());
    else
      lanes.push_back(value);
  return lanes;
}

static void splitArguments(Block &block) {
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  for (unsigned i = 0; i < block.getNumArguments();) {
    BlockArgument argument = block.getArgument(i);
    auto type = dyn_cast<VectorType>(argument.getType());
    if (!type) {
      ++i;
      continue;
    }
    SmallVector<Value> lanes;
    for (int64_t lane : llvm::seq(type.getNumElements()))
      lanes.push_back(block.insertArgument(
          i + 1 + unsigned(lane), type.getElementType(), argument.getLoc()));
    argument.replaceAllUsesWith(join(b, type, lanes, block.getParentOp()));
    block.eraseArgument(i);
    i += lanes.size();
  }
}

static void splitOperands(Operation *op) {
  OpBuilder b(op);
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (unsigned i : llvm::seq(op->getNumSuccessors())) {
      MutableOperandRange passed =
          branch.getSuccessorOperands(i).getMutableForwardedOperands();
      passed.assign(split(b, passed.getAsOperandRange()));
    }
  } else if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    loop.getInitsMutable().assign(split(b, loop.getInits()));
  } else {
    op->setOperands(split(b, op->getOperands()));
  }
}

static void splitResults(Operation *op) {
  OpBuilder b(op);
  Operation *made = Operation::create(
      op->getLoc(), op->getName(), getLaneTypes(op->getResultTypes()),
      op->getOperands(), NamedAttrList(op->getDiscardableAttrDictionary()),
      op->getPropertiesStorage(), op->getSuccessors(), op->getNumRegions());
  b.insert(made);
  for (auto [to, from] : llvm::zip_equal(made->getRegions(), op->getRegions()))
    to.takeBody(from);
  ValueRange lanes = made->getResults();
  for (Value result : op->getResults()) {
    size_t size = size_t(legalize::VectorLanes::count(result.getType()));
    result.replaceAllUsesWith(
        isVector(result.getType())
            ? join(b, result.getType(), lanes.take_front(size), made)
            : lanes.front());
    lanes = lanes.drop_front(size);
  }
  op->erase();
}

/// The attributes of arguments or results, with none for those of lanes.
static SmallVector<Attribute>
splitAttributes(TypeRange types,
                llvm::function_ref<DictionaryAttr(unsigned)> get,
                MLIRContext *context) {
  SmallVector<Attribute> attributes;
  DictionaryAttr none = DictionaryAttr::get(context);
  for (auto [i, type] : llvm::enumerate(types)) {
    DictionaryAttr given = isVector(type) ? none : get(i);
    attributes.append(size_t(legalize::VectorLanes::count(type)),
                      given ? given : none);
  }
  return attributes;
}

static void splitSignature(FunctionOpInterface func) {
  TypeRange inputs = func.getArgumentTypes(), results = func.getResultTypes();
  if (llvm::none_of(inputs, isVector) && llvm::none_of(results, isVector))
    return;
  MLIRContext *context = func->getContext();
  SmallVector<Attribute> ofInputs = splitAttributes(
      inputs, [&](unsigned i) { return func.getArgAttrDict(i); }, context);
  SmallVector<Attribute> ofResults = splitAttributes(
      results, [&](unsigned i) { return func.getResultAttrDict(i); }, context);
  func.setFunctionTypeAttr(TypeAttr::get(
      FunctionType::get(context, getLaneTypes(inputs), getLaneTypes(results))));
  func.setArgAttrsAttr(ArrayAttr::get(context, ofInputs));
  func.setResAttrsAttr(ArrayAttr::get(context, ofResults));
}

void legalize::carryLanes(FunctionOpInterface func) {
  SmallVector<Operation *> ops;
  func->walk([&](Operation *op) {
    if (isa<BranchOpInterface, scf::ForOp, scf::WhileOp, scf::IfOp,
            scf::IndexSwitchOp, scf::YieldOp, scf::ConditionOp,
            affine::AffineForOp, affine::AffineIfOp, affine::AffineYieldOp,
            func::CallOp, func::ReturnOp>(op))
      ops.push_back(op);
  });
  splitSignature(func);
  func->walk([](Block *block) { splitArguments(*block); });
  for (Operation *op : ops) {
    if (llvm::any_of(op->getOperandTypes(), isVector))
      splitOperands(op);
    if (llvm::any_of(op->getResultTypes(), isVector))
      splitResults(op);
  }
}
