//===- LoopAccesses.cpp - what loops over memory access -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/LoopAccesses.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryLayouts.h"
#include "infer/report/OperationNumber.h"
#include "poly/Inside.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Accesses of a loop: the time is linear in the program.
static constexpr size_t kMostAccesses = 64;

/// The fewest elements of each row of a copy of several rows, of which a loop
/// over the elements takes no longer than the runtime's copy (decision 98).
static constexpr int64_t kLeastRow = 64;

/// Whether a load and a store of an element keep each bit of its bytes. Of the
/// elements that memory has today, i1 alone has bits that a load drops.
static bool keepsBits(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (!element.isIntOrFloat())
    return element.isIndex();
  unsigned width = element.getIntOrFloatBitWidth();
  return width >= 8 && llvm::isPowerOf2_32(width);
}

/// Whether a loop over the elements of one side of a copy takes no longer than
/// the runtime's copy, as far as that side says: it has one row of elements, or
/// long rows whose elements are beside each other in memory.
static bool hasRows(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  ArrayRef<int64_t> extents = type.getShape();
  if (extents.size() < 2)
    return true;
  bool isOneRow = llvm::all_of(extents.drop_back(),
                               [](int64_t extent) { return extent == 1; });
  return strides.back() == 1 && (isOneRow || extents.back() >= kLeastRow);
}

/// Whether loops over the elements do what the copy does, and as fast.
static bool isByElements(memref::CopyOp copy) {
  return llvm::all_of(copy->getOperandTypes(), [](Type type) {
    auto memory = dyn_cast<MemRefType>(type);
    return memory && !loom::getSetShape(memory) &&
           keepsBits(memory.getElementType()) && hasRows(memory);
  });
}

bool LoopAccesses::collect(Operation *loop, Operation *front) {
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A profile is of the program that runs without one.
    if (isa<loom::SiteOp>(op))
      return WalkResult::advance();
    ++numOperations;
    if (MemoryAccess::isAccess(op)) {
      add({op, MemoryAccess::get(op).memory, MemoryAccess::isWrite(op)}, front);
      return WalkResult::advance();
    }
    if (auto call = dyn_cast<func::CallOp>(op); call && addCall(call, front))
      return WalkResult::advance();
    if (auto copy = dyn_cast<memref::CopyOp>(op);
        copy && takesCopies && isByElements(copy)) {
      add({op, copy.getSource(), /*isWrite=*/false}, front);
      add({op, copy.getTarget(), /*isWrite=*/true}, front);
      return WalkResult::advance();
    }
    if (NestReader::isLoop(op) || NestReader::isBranch(op) ||
        isa<affine::AffineYieldOp, scf::YieldOp>(op) || isMemoryEffectFree(op))
      return WalkResult::advance();
    std::string name = "'" + infer::getOriginalName(op).str() + "'";
    because = isa<loom::RequireOp, loom::ConstrainOp>(op)
                  ? "a check of " + name + " is left in it"
                  : "it has " + name;
    return WalkResult::interrupt();
  });
  for (const auto &[memref, isWritten] : memory)
    if (because.empty() && loom::getSetShape(memref.getType()))
      because = "it has memory whose shape is a set, of which places are not "
                "affine; a loop over its elements by 'loom.packed' may run in "
                "any order";
  if (because.empty() && accesses.size() > kMostAccesses)
    because = "it has more than " + std::to_string(kMostAccesses) + " accesses";
  return because.empty();
}

/// The memory in front of a loop, if it is known, and else the memory.
Value LoopAccesses::getInFront(Value memory, Operation *front) const {
  const NestReader reader(front, NestNumbers::kAllSizes.front(), *roots);
  Value root = reader.getInFront(memory);
  return root ? root : memory;
}

/// Adds an access to the memory in front of a loop.
void LoopAccesses::add(Access access, Operation *front) {
  access.memory = getInFront(access.memory, front);
  memory[access.memory] |= access.isWrite;
  accesses.push_back(std::move(access));
}

bool LoopAccesses::addCall(func::CallOp call, Operation *front) {
  const CallEffects::Effects *found = effects ? effects->find(call) : nullptr;
  if (!found)
    return false;
  calls.push_back({call, {}});
  for (Value operand : call.getOperands())
    calls.back().memory.push_back(isa<MemRefType>(operand.getType())
                                      ? getInFront(operand, front)
                                      : Value());
  for (const CallEffects::Effects::Access &called : found->accesses)
    add({called.op, call.getOperand(called.argument), called.isWrite, call,
         &called},
        front);
  return true;
}

bool LoopAccesses::read(Access &access, Operation *front,
                        NestNumbers::Sizes sizes) {
  access.reader = std::make_shared<NestReader>(front, sizes, *roots);
  NestReader &reader = *access.reader;
  bool isRead;
  if (auto copy = dyn_cast<memref::CopyOp>(access.op))
    isRead = reader.readElements(
        copy, access.isWrite ? copy.getTarget() : copy.getSource(),
        /*areAll=*/true);
  else if (!access.call)
    isRead = reader.readInFront(access.op);
  else if (func::FuncOp callee = effects->find(access.call)->function;
           access.called->isAll)
    isRead = reader.readElements(
        access.call, access.call.getOperand(access.called->argument),
        /*areAll=*/false);
  else
    isRead = reader.readInCall(access.call, callee, access.op);
  if (!isRead && !reader.because.empty())
    because = reader.because;
  // A step that only the call tells is read as 1.
  return isRead && reader.getSteps().empty();
}

namespace {

/// A condition that an argument of a function begins in front of another one,
/// or behind the bytes that the function accesses of that (decision 124).
struct ApartArguments {
  unsigned earlier, later;
  Value size;

  static std::optional<ApartArguments> get(Value boolean, bool isTrue);
};

} // namespace

std::optional<ApartArguments> ApartArguments::get(Value boolean, bool isTrue) {
  auto compares = boolean.getDefiningOp<arith::CmpIOp>();
  if (!compares || !isTrue ||
      compares.getPredicate() != arith::CmpIPredicate::uge)
    return std::nullopt;
  auto distance = compares.getLhs().getDefiningOp<arith::SubIOp>();
  auto getArgument = [](Value address) -> std::optional<unsigned> {
    if (auto moved = address.getDefiningOp<arith::AddIOp>())
      address = moved.getLhs();
    auto op = address.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
    auto argument =
        op ? dyn_cast<BlockArgument>(op.getSource()) : BlockArgument();
    if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
        !argument.getOwner()->isEntryBlock())
      return std::nullopt;
    return argument.getArgNumber();
  };
  if (!distance)
    return std::nullopt;
  std::optional<unsigned> first = getArgument(distance.getLhs()),
                          second = getArgument(distance.getRhs());
  if (!first || !second)
    return std::nullopt;
  return ApartArguments{*second, *first, compares.getRhs()};
}

/// Whether a call compares these in front of the loop, which runs in any order
/// only where they are apart (eff-2).
bool LoopAccesses::areCompared(Value first, Value second) const {
  auto x = memory.find(first), y = memory.find(second);
  return first != second && x != memory.end() && y != memory.end() &&
         (x->second || y->second);
}

bool LoopAccesses::readGuards(Front getFront, NestNumbers::Sizes sizes) {
  guards.clear();
  for (auto &[call, operands] : calls) {
    const CallEffects::Effects &called = *effects->find(call);
    Operation *front = getFront(call);
    for (auto [boolean, isTrue] : called.guards) {
      auto apart = ApartArguments::get(boolean, isTrue);
      if (apart &&
          areCompared(operands[apart->earlier], operands[apart->later]))
        continue;
      because = "a check in '@" + call.getCallee().str() +
                "' is not known in front of the loop";
      // One reader for all would have the choices of all.
      auto reader = std::make_shared<NestReader>(front, sizes, *roots);
      if (!reader->readCall(call, called.function))
        return false;
      bool isOfOne =
          apart && operands[apart->earlier] == operands[apart->later];
      std::optional<std::vector<poly::Condition>> conditions =
          isOfOne ? reader->whenApart(call.getOperand(apart->earlier),
                                      call.getOperand(apart->later),
                                      operands[apart->earlier], apart->size)
                  : reader->whenAlways(boolean, isTrue);
      if (!conditions) {
        because += ", because " + reader->because;
        return false;
      }
      for (poly::Condition &condition : *conditions)
        guards.push_back({call, reader, std::move(condition)});
    }
  }
  return true;
}

void LoopAccesses::addSymbols(const NestReader &reader) {
  for (const auto &[variable, symbol] : reader.getSymbols()) {
    getNumber(symbol);
    if (reader.isLimited(symbol) && !llvm::is_contained(limited, symbol))
      limited.push_back(symbol);
  }
}

bool LoopAccesses::read(Front getFront, NestNumbers::Sizes sizes) {
  because = "a bound or a subscript is not affine in numbers that are known in "
            "front of the loop";
  std::vector<std::pair<Block *, MemoryAccess>> seen;
  for (size_t i = 0; i < accesses.size(); ++i) {
    Access &access = accesses[i];
    access.reader = nullptr;
    if (access.call || isa<memref::CopyOp>(access.op)) {
      seen.push_back({});
      if (!read(access, getFront(access.call ? access.call : access.op), sizes))
        return false;
      continue;
    }
    MemoryAccess what = MemoryAccess::get(access.op);
    seen.push_back({access.op->getBlock(), what});
    for (size_t j = 0; j < i && !access.reader; ++j)
      if (seen[j].first == access.op->getBlock() && seen[j].second == what)
        access.reader = accesses[j].reader;
    if (!access.reader && !read(access, getFront(access.op), sizes))
      return false;
  }
  if (!readGuards(getFront, sizes))
    return false;
  for (const Access &access : accesses)
    addSymbols(*access.reader);
  because.clear();
  return true;
}

bool LoopAccesses::read(Front getFront) {
  for (NestNumbers::Sizes sizes : NestNumbers::kAllSizes) {
    symbols.clear();
    limited.clear();
    inside.reset();
    if (read(getFront, sizes)) {
      bits = sizes.bits;
      return true;
    }
  }
  return false;
}

size_t LoopAccesses::getNumber(const NestSymbol &symbol) {
  auto it = llvm::find(symbols, symbol);
  size_t number = it - symbols.begin();
  if (it == symbols.end())
    symbols.push_back(symbol);
  return number;
}

std::vector<std::pair<poly::Variable, size_t>>
LoopAccesses::getNumbers(const NestReader &reader) {
  std::vector<std::pair<poly::Variable, size_t>> numbers;
  for (const auto &[variable, symbol] : reader.getSymbols())
    numbers.push_back({variable, getNumber(symbol)});
  return numbers;
}

poly::PlacedAccess LoopAccesses::place(const Access &access) {
  return {access.reader->getDomain(), access.reader->access,
          getNumbers(*access.reader)};
}

/// Each access of the loops has been checked in front of them, or is inside
/// anyway: `collect` refuses loops in which a check is left. Guards of called
/// functions hold.
poly::Premises LoopAccesses::getPremises() {
  constexpr size_t kMostPremises = 24;
  if (!inside) {
    inside.emplace();
    llvm::DenseSet<const NestReader *> seen;
    for (const Access &access : accesses) {
      if (access.call || access.reader->mayHaveFewer() ||
          inside->size() == kMostPremises ||
          !seen.insert(access.reader.get()).second)
        continue;
      poly::Inside found = access.reader->whenInside();
      if (found.condition && !found.condition->isTrue())
        inside->push_back(
            {access.op, access.reader, std::move(*found.condition)});
    }
    for (const CheckedAccess &guard : guards)
      if (inside->size() < kMostPremises && !guard.condition.isTrue())
        inside->push_back(guard);
  }
  poly::Premises premises;
  for (const CheckedAccess &access : *inside)
    premises.push_back({access.reader->getDomain(), access.condition,
                        getNumbers(*access.reader)});
  return premises;
}

poly::Dependence LoopAccesses::compare(const Access &first,
                                       const Access &second,
                                       const poly::Directions &directions) {
  poly::PlacedAccess a = place(first), b = place(second);
  poly::Dependence found = poly::findDependence(a, b, directions);
  if (found.exists == Truth::Refuted)
    return found;
  poly::Premises premises = getPremises();
  return premises.empty() ? found
                          : poly::findDependence(a, b, directions, premises);
}
