//===- FlattenTuples.cpp - tuples of functions as their elements ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR has tuples and no operation on them. A function takes and returns the
// elements of a tuple, one behind another (abi-10), and
// `builtin.unrealized_conversion_cast` makes a tuple of its elements and takes
// it apart.
//
//===----------------------------------------------------------------------===//

#include "dialect/ArgumentName.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMFLATTENTUPLES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

static bool isTuple(Type type) { return isa<TupleType>(type); }

static SmallVector<Type> flatten(TypeRange types) {
  SmallVector<Type> flat;
  for (Type type : types)
    if (auto tuple = dyn_cast<TupleType>(type))
      tuple.getFlattenedTypes(flat);
    else
      flat.push_back(type);
  return flat;
}

static bool hasTuple(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTuple) ||
         llvm::any_of(op->getResultTypes(), isTuple);
}

/// Checks an operation that has tuples.
static LogicalResult check(Operation *op) {
  if (isa<func::CallOp, func::ReturnOp>(op))
    return success();
  if (!isa<UnrealizedConversionCastOp>(op))
    return op->emitOpError("has a tuple; functions and calls alone have, and "
                           "'builtin.unrealized_conversion_cast' makes it of "
                           "its elements and takes it apart");
  SmallVector<Type> from = flatten(op->getOperandTypes()),
                    to = flatten(op->getResultTypes());
  if (from == to)
    return success();
  InFlightDiagnostic error = op->emitOpError("converts ")
                             << op->getOperandTypes() << " to "
                             << op->getResultTypes();
  return error << ", whose elements are of other types";
}

/// Checks the signature of a function.
static LogicalResult check(func::FuncOp func) {
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (DictionaryAttr attributes = func.getArgAttrDict(i);
        isTuple(type) && attributes && !attributes.empty())
      return func.emitError()
             << "argument " << i << " is a tuple and has the attribute "
             << attributes.begin()->getName()
             << ", which says nothing of its elements; give arguments instead";
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (DictionaryAttr attributes = func.getResultAttrDict(i);
        isTuple(type) && attributes && !attributes.empty())
      return func.emitError()
             << "result " << i << " is a tuple and has the attribute "
             << attributes.begin()->getName()
             << ", which says nothing of its elements; give results instead";
  return success();
}

/// Whether a block but a function's first one has a tuple as an argument.
static bool hasTupleInBlock(Operation *op) {
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return llvm::any_of(region, [&](Block &block) {
      return !(isa<func::FuncOp>(op) && block.isEntryBlock()) &&
             llvm::any_of(block.getArgumentTypes(), isTuple);
    });
  });
}

namespace {

class Flattener {
public:
  explicit Flattener(ModuleOp module) : module(module) {}

  LogicalResult run() {
    bool isFine = true;
    module.walk([&](Operation *op) {
      if (hasTupleInBlock(op)) {
        isFine = false;
        op->emitError("a block has a tuple as an argument; functions and calls "
                      "alone have tuples");
      }
      if (auto func = dyn_cast<func::FuncOp>(op)) {
        if (!llvm::any_of(func.getArgumentTypes(), isTuple) &&
            !llvm::any_of(func.getResultTypes(), isTuple))
          return;
        isFine &= succeeded(check(func));
        functions.push_back(func);
      } else if (hasTuple(op)) {
        isFine &= succeeded(check(op));
        operations.push_back(op);
      }
    });
    if (!isFine)
      return failure();
    for (func::FuncOp func : functions)
      flattenSignature(func);
    for (Operation *&op : operations)
      if (auto call = dyn_cast<func::CallOp>(op))
        op = flattenCall(call);
    for (Operation *op : operations)
      if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
        if (failed(flattenCast(cast)))
          return failure();
    for (Operation *op : operations)
      if (!isa<UnrealizedConversionCastOp>(op))
        op->setOperands(getParts(op->getOperands()));
    for (Operation *op : llvm::reverse(operations))
      if (isa<UnrealizedConversionCastOp>(op))
        op->erase();
    for (func::CallOp call : replaced)
      call.erase();
    for (auto [block, count] : oldArguments)
      block->eraseArguments(0, count);
    return success();
  }

private:
  SmallVector<Value> getParts(ValueRange values) {
    SmallVector<Value> all;
    for (Value value : values)
      if (isTuple(value.getType()))
        llvm::append_range(all, parts[value]);
      else
        all.push_back(value);
    return all;
  }

  /// Whether what the operand is made of is known: it is no result of a cast
  /// that stands behind in the text.
  bool isKnown(Value operand) const {
    if (isTuple(operand.getType()))
      return parts.contains(operand);
    auto cast = operand.getDefiningOp<UnrealizedConversionCastOp>();
    return !cast || !hasTuple(cast);
  }

  LogicalResult flattenCast(UnrealizedConversionCastOp cast) {
    if (!llvm::all_of(cast.getOperands(),
                      [&](Value operand) { return isKnown(operand); }))
      return cast.emitOpError("has a tuple that is made behind it in the text; "
                              "write blocks in the order in which they run");
    SmallVector<Value> all = getParts(cast.getOperands());
    ArrayRef<Value> rest = all;
    for (Value result : cast.getResults()) {
      size_t count = flatten(result.getType()).size();
      if (isTuple(result.getType()))
        parts[result] = llvm::to_vector(rest.take_front(count));
      else
        result.replaceAllUsesWith(rest.front());
      rest = rest.drop_front(count);
    }
    return success();
  }

  void flattenSignature(func::FuncOp func) {
    FunctionType type = func.getFunctionType();
    SmallVector<Type> inputs = flatten(type.getInputs()),
                      results = flatten(type.getResults());
    SmallVector<Attribute> arguments = spread(
        type.getInputs(), [&](unsigned i) { return func.getArgAttrDict(i); });
    SmallVector<Attribute> returned =
        spread(type.getResults(),
               [&](unsigned i) { return func.getResultAttrDict(i); });
    func.removeArgAttrsAttr();
    func.removeResAttrsAttr();
    func.setFunctionType(FunctionType::get(func.getContext(), inputs, results));
    auto isGiven = [](Attribute attributes) {
      return !cast<DictionaryAttr>(attributes).empty();
    };
    if (llvm::any_of(arguments, isGiven))
      func.setArgAttrsAttr(ArrayAttr::get(func.getContext(), arguments));
    if (llvm::any_of(returned, isGiven))
      func.setResAttrsAttr(ArrayAttr::get(func.getContext(), returned));
    if (!func.isExternal())
      flattenArguments(func.getBody().front());
  }

  /// The attributes of each flat type: those of what is no tuple.
  static SmallVector<Attribute>
  spread(TypeRange types,
         llvm::function_ref<DictionaryAttr(unsigned)> getAttributes) {
    SmallVector<Attribute> all;
    for (auto [i, type] : llvm::enumerate(types)) {
      DictionaryAttr attributes = getAttributes(i);
      if (!attributes)
        attributes = DictionaryAttr::get(type.getContext());
      all.append(flatten(type).size(), attributes);
    }
    return all;
  }

  /// New arguments for all, behind the old ones, which are erased at last.
  void flattenArguments(Block &block) {
    if (llvm::none_of(block.getArgumentTypes(), isTuple))
      return;
    SmallVector<BlockArgument> old(block.getArguments());
    for (BlockArgument argument : old) {
      SmallVector<Value> made;
      for (auto [i, type] : llvm::enumerate(flatten(argument.getType()))) {
        BlockArgument part = block.addArgument(type, argument.getLoc());
        if (StringRef name = loom::getArgumentName(argument);
            !name.empty() && isTuple(argument.getType()))
          loom::setArgumentName(part, (name + "." + Twine(i)).str());
        made.push_back(part);
      }
      if (isTuple(argument.getType()))
        parts[argument] = made;
      else
        argument.replaceAllUsesWith(made.front());
    }
    oldArguments.push_back({&block, unsigned(old.size())});
  }

  Operation *flattenCall(func::CallOp call) {
    OpBuilder b(call);
    OperationState state(call.getLoc(), func::CallOp::getOperationName(),
                         call.getOperands(), flatten(call.getResultTypes()),
                         call->getAttrs());
    Operation *made = b.create(state);
    size_t next = 0;
    for (Value result : call.getResults()) {
      size_t count = flatten(result.getType()).size();
      ValueRange own = made->getResults().slice(next, count);
      if (isTuple(result.getType()))
        parts[result] = llvm::to_vector(own);
      else
        result.replaceAllUsesWith(own.front());
      next += count;
    }
    replaced.push_back(call);
    return made;
  }

  ModuleOp module;
  SmallVector<func::FuncOp> functions;
  SmallVector<Operation *> operations;
  SmallVector<func::CallOp> replaced;
  SmallVector<std::pair<Block *, unsigned>> oldArguments;
  llvm::DenseMap<Value, SmallVector<Value>> parts;
};

struct LoomFlattenTuplesPass
    : legalize::impl::LoomFlattenTuplesBase<LoomFlattenTuplesPass> {
  LogicalResult apply(ModuleOp module) override {
    return Flattener(module).run();
  }
};

} // namespace
