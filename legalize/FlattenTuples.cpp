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
#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMFLATTENTUPLES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

static bool isTuple(Type type) { return isa<TupleType>(type); }

/// As many elements as a tuple may have, those of tuples in it included.
static constexpr int64_t kMaxElements = 4096;

namespace {

/// Counts what is in a tuple, tuples included. A text of n lines makes a tuple
/// of 2^n elements, so that each type is counted once.
class TupleCounter {
public:
  bool isTooLarge(Type type) { return count(type) > kMaxElements; }

private:
  /// kMaxElements + 1 where there are more.
  int64_t count(Type type) {
    auto tuple = dyn_cast<TupleType>(type);
    if (!tuple)
      return 1;
    if (auto it = counts.find(type); it != counts.end())
      return it->second;
    int64_t sum = 0;
    for (Type element : tuple.getTypes())
      sum = std::min(sum + std::max<int64_t>(count(element), 1),
                     kMaxElements + 1);
    counts[type] = sum;
    return sum;
  }

  llvm::DenseMap<Type, int64_t> counts;
};

} // namespace

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

/// Checks that an operation has the types of a function's signature where
/// either is a tuple. Others are checked, or cast, later.
static LogicalResult checkTypes(Operation *op, StringRef what, TypeRange types,
                                TypeRange expected, func::FuncOp func) {
  if (!llvm::any_of(types, isTuple) && !llvm::any_of(expected, isTuple))
    return success();
  if (types.size() != expected.size())
    return op->emitOpError("has ")
           << types.size() << " " << what << "s, but function '"
           << func.getName() << "' has " << expected.size()
           << ", of which each tuple counts as one";
  for (auto [i, type, other] : llvm::enumerate(types, expected))
    if (type != other && (isTuple(type) || isTuple(other)))
      return op->emitOpError("has ")
             << what << " " << i << " of type " << type << ", but function '"
             << func.getName() << "' has " << other
             << "; 'builtin.unrealized_conversion_cast' makes a tuple of its "
                "elements and takes it apart";
  return success();
}

/// Checks an operation that has tuples, and is no call and no return.
static LogicalResult check(Operation *op) {
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
    for (auto func : module.getOps<func::FuncOp>())
      signatures.try_emplace(func.getName(), func);
    bool isFine = true;
    module.walk([&](Operation *op) {
      if (isTooLarge(op)) {
        isFine = false;
        op->emitError("a tuple has more than ")
            << kMaxElements
            << " elements, with those of tuples in it; give a tensor of them";
        return;
      }
      if (isa<func::CallOp, func::ReturnOp>(op)) {
        isFine &= succeeded(checkAgainstSignature(op));
        if (hasTuple(op))
          operations.push_back(op);
        return;
      }
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
  bool isTooLarge(Operation *op) {
    auto isAnyTooLarge = [&](TypeRange types) {
      return llvm::any_of(types,
                          [&](Type type) { return counter.isTooLarge(type); });
    };
    if (auto func = dyn_cast<func::FuncOp>(op))
      return isAnyTooLarge(func.getArgumentTypes()) ||
             isAnyTooLarge(func.getResultTypes());
    return isAnyTooLarge(op->getResultTypes()) ||
           llvm::any_of(op->getRegions(), [&](Region &region) {
             return llvm::any_of(region, [&](Block &block) {
               return isAnyTooLarge(block.getArgumentTypes());
             });
           });
  }

  LogicalResult checkAgainstSignature(Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      func::FuncOp callee = signatures.lookup(call.getCallee());
      // The type of one that is too large is not printed.
      if (!callee || isTooLarge(callee))
        return success();
      if (hasTuple(op) && (call.getArgAttrsAttr() || call.getResAttrsAttr()))
        return op->emitOpError("has a tuple and attributes of arguments or "
                               "results, which say nothing of its elements");
      if (failed(checkTypes(op, "argument", op->getOperandTypes(),
                            callee.getArgumentTypes(), callee)))
        return failure();
      return checkTypes(op, "result", op->getResultTypes(),
                        callee.getResultTypes(), callee);
    }
    auto func = dyn_cast<func::FuncOp>(op->getParentOp());
    return func && !isTooLarge(func)
               ? checkTypes(op, "result", op->getOperandTypes(),
                            func.getResultTypes(), func)
               : success();
  }

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
    // What they are made of is erased before the call.
    call->setOperands(ValueRange());
    replaced.push_back(call);
    return made;
  }

  ModuleOp module;
  TupleCounter counter;
  /// By name; the first one, where several have it.
  llvm::StringMap<func::FuncOp> signatures;
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
