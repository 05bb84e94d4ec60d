//===- WatchEffects.cpp - holds libraries to what they declare ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/WatchEffects.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "dialect/MemoryViews.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "legalize/memory/ElementLoops.h"
#include "legalize/memory/MemoryAccess.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Memory of the same extents, row-major.
static Value allocateLike(OpBuilder &b, Location loc, Value memory,
                          Type element) {
  return memref::AllocOp::create(b, loc, memref::getMixedSizes(b, loc, memory),
                                 element);
}

/// What memory holds, in other memory.
static Value copyMemory(OpBuilder &b, Location loc, Value memory) {
  Value copy =
      allocateLike(b, loc, memory, getElementTypeOrSelf(memory.getType()));
  memref::CopyOp::create(b, loc, memory, copy);
  return copy;
}

/// The bits of an element, so that NaNs and zeros of both signs are told apart.
static Value asBits(OpBuilder &b, Location loc, Value element) {
  Type type = element.getType();
  if (!isa<FloatType>(type))
    return element;
  return arith::BitcastOp::create(
      b, loc, b.getIntegerType(type.getIntOrFloatBitWidth()), element);
}

/// Whether two elements have the same bits.
static Value areEqual(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                               asBits(b, loc, x), asBits(b, loc, y));
}

static Value load(OpBuilder &b, Location loc, Value memory,
                  ValueRange indices) {
  return memref::LoadOp::create(b, loc, memory, indices);
}

/// Another number.
static Value getOther(OpBuilder &b, Location loc, Value element) {
  Value bits = asBits(b, loc, element);
  Value ones =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(bits.getType(), -1));
  Value other = arith::XOrIOp::create(b, loc, bits, ones);
  if (other.getType() == element.getType())
    return other;
  return arith::BitcastOp::create(b, loc, element.getType(), other);
}

/// Does what `write` does to memory that is no constant's, and not read-only by
/// its type (mem-17).
static void ifWritable(OpBuilder &b, Location loc, Value memory,
                       llvm::function_ref<void(OpBuilder &)> write) {
  if (loom::findSharedPlace(cast<MemRefType>(memory.getType())))
    return;
  Value writable = loom::IsWritableOp::create(b, loc, memory);
  auto branch = scf::IfOp::create(b, loc, writable, /*withElseRegion=*/false);
  OpBuilder inner = branch.getThenBodyBuilder();
  write(inner);
}

/// "element [{0}] of argument 'x' of 'f'", as a template.
static std::string describeElement(Value argument) {
  std::string element;
  for (int64_t axis :
       llvm::seq<int64_t>(0, cast<MemRefType>(argument.getType()).getRank()))
    element += (axis ? ", {" : "{") + std::to_string(axis) + "}";
  return "element [" + element + "] of " +
         escapeTemplate(infer::describeMemory(argument));
}

WatchEffects::WatchEffects(func::FuncOp func, bool repeats)
    : func(func), repeats(repeats) {
  OpBuilder b(func.getContext());
  b.setInsertionPointToStart(&func.getBody().front());
  Location loc = func.getLoc();
  for (Value argument : func.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    Watched &watched = arguments[argument];
    watched.before = copyMemory(b, loc, argument);
    Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
    auto makeMarks = [&] {
      Value marks = allocateLike(b, loc, argument, b.getI1Type());
      forEachElement(b, loc, marks, [&](OpBuilder &inner, ValueRange indices) {
        memref::StoreOp::create(inner, loc, no, marks, indices);
      });
      return marks;
    };
    watched.marks = makeMarks();
    if (repeats) {
      watched.reads = makeMarks();
      watched.sure = makeMarks();
    }
  }
}

LogicalResult WatchEffects::mark(Operation *op) {
  bool isWrite = MemoryAccess::isWrite(op);
  if (!isWrite && !repeats)
    return success();
  MemoryAccess access = MemoryAccess::get(op);
  auto it = arguments.find(access.memory);
  if (it == arguments.end())
    return op->emitError("'")
           << op->getName() << "' is about a view, and with --check-effects "
           << "the effects of '@" << func.getName() << "' "
           << (isWrite ? "store to" : "load from") << " arguments alone";
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  // Marks have the extents of the argument, whose access is checked.
  auto put = [&](bool mark, Value marks) {
    Value value = arith::ConstantIntOp::create(b, loc, mark, 1);
    Operation *store =
        isa<memref::StoreOp, memref::LoadOp>(op)
            ? memref::StoreOp::create(b, loc, value, marks, access.operands)
                  .getOperation()
            : affine::AffineStoreOp::create(b, loc, value, marks, access.map,
                                            access.operands);
    store->setAttr(loom::kChecked, b.getUnitAttr());
  };
  put(true, isWrite ? it->second.marks : it->second.reads);
  if (repeats && op->hasAttr(kInitializes))
    put(false, it->second.reads);
  if (repeats && op->hasAttr(kIsSure))
    put(true, it->second.sure);
  return success();
}

ArrayAttr WatchEffects::getNames(OpBuilder &b) {
  SmallVector<Attribute> names;
  for (Value argument : func.getArguments())
    names.push_back(b.getStringAttr(isa<MemRefType>(argument.getType())
                                        ? infer::describeMemory(argument)
                                        : ""));
  return b.getArrayAttr(names);
}

void WatchEffects::require(OpBuilder &b, Location loc, Value good,
                           const std::string &message, ValueRange indices) {
  loom::RequireOp::create(b, loc, good, b.getStringAttr(func.getName()),
                          b.getStringAttr(message), b.getI64IntegerAttr(-1),
                          indices);
}

void WatchEffects::compareWrites(OpBuilder &b, Location loc) {
  for (const auto &entry : arguments) {
    Value argument = entry.first;
    const Watched &watched = entry.second;
    std::string message =
        "it wrote " + describeElement(argument) +
        ", which its effects do not declare; what was there is lost";
    forEachElement(b, loc, argument, [&](OpBuilder &inner, ValueRange indices) {
      Value may = load(inner, loc, watched.marks, indices);
      Value same =
          areEqual(inner, loc, load(inner, loc, watched.before, indices),
                   load(inner, loc, argument, indices));
      require(inner, loc, arith::OrIOp::create(inner, loc, may, same), message,
              indices);
    });
  }
}

/// What an element is before the second call.
Value WatchEffects::getStart(OpBuilder &b, Location loc, const Watched &watched,
                             ValueRange indices) {
  Value was = load(b, loc, watched.before, indices);
  return arith::SelectOp::create(b, loc, load(b, loc, watched.reads, indices),
                                 was, getOther(b, loc, was));
}

/// Calls once more, leaves what the first call did, and compares what both did.
void WatchEffects::repeat(OpBuilder &b, Operation *call) {
  Location loc = call->getLoc();
  SmallVector<Value> firsts, seconds;
  for (const auto &entry : arguments) {
    Value argument = entry.first;
    const Watched &watched = entry.second;
    firsts.push_back(copyMemory(b, loc, argument));
    ifWritable(b, loc, argument, [&](OpBuilder &then) {
      forEachElement(
          then, loc, argument, [&](OpBuilder &inner, ValueRange indices) {
            memref::StoreOp::create(inner, loc,
                                    getStart(inner, loc, watched, indices),
                                    argument, indices);
          });
    });
  }
  Operation *again = b.clone(*call);
  // All of it before the comparisons, which end the call where they fail.
  for (const auto &entry : arguments)
    seconds.push_back(copyMemory(b, loc, entry.first));
  for (auto [entry, first] : llvm::zip_equal(arguments, firsts))
    ifWritable(b, loc, entry.first,
               [&, first = first, to = entry.first](OpBuilder &then) {
                 memref::CopyOp::create(then, loc, first, to);
               });
  const std::string what = "a second call, with other numbers in the elements "
                           "that it is not declared to read, ",
                    reason = "; it is not deterministic, or reads more than "
                             "its effects declare";
  for (auto [x, y] : llvm::zip_equal(call->getResults(), again->getResults()))
    require(b, loc, areEqual(b, loc, x, y),
            what + "returned another result" + reason, {});
  for (auto [entry, x, y] : llvm::zip_equal(arguments, firsts, seconds))
    compareCalls(b, loc, entry.first, entry.second, x, y,
                 what + "left something else in " +
                     describeElement(entry.first) + reason);
}

/// Requires that two calls left the same in `argument`, `first` and `second`,
/// but where neither wrote, and need not.
void WatchEffects::compareCalls(OpBuilder &b, Location loc, Value argument,
                                const Watched &watched, Value first,
                                Value second, const std::string &message) {
  forEachElement(b, loc, argument, [&](OpBuilder &inner, ValueRange indices) {
    Value x = load(inner, loc, first, indices),
          y = load(inner, loc, second, indices);
    // Neither call wrote it.
    Value isLeft = arith::AndIOp::create(
        inner, loc,
        areEqual(inner, loc, x, load(inner, loc, watched.before, indices)),
        areEqual(inner, loc, y, getStart(inner, loc, watched, indices)));
    Value same = areEqual(inner, loc, x, y),
          sure = load(inner, loc, watched.sure, indices),
          one = arith::ConstantIntOp::create(inner, loc, 1, 1),
          mayBeLeft = arith::XOrIOp::create(inner, loc, sure, one);
    auto either = [&](Value a, Value b) -> Value {
      return arith::OrIOp::create(inner, loc, a, b);
    };
    require(inner, loc, either(same, isLeft), message, indices);
    require(inner, loc, either(same, mayBeLeft),
            "it did not write " + describeElement(argument) +
                ", which its effects declare to be written",
            indices);
  });
  for (Value made : {first, second})
    memref::DeallocOp::create(b, loc, made);
}

void WatchEffects::compare(Operation *call) {
  OpBuilder b(call->getContext());
  b.setInsertionPointAfter(call);
  Location loc = call->getLoc();
  compareWrites(b, loc);
  if (repeats)
    repeat(b, call);
  for (const auto &entry : arguments)
    for (Value made : {entry.second.before, entry.second.marks,
                       entry.second.reads, entry.second.sure})
      if (made)
        memref::DeallocOp::create(b, loc, made);
}
