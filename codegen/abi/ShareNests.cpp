//===- ShareNests.cpp - one function for equal loop nests -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nests of long programs that are equal but for the memory and the numbers that
// they use (KernelKey.h). What decides how fast a nest is stays in it, and is
// part of its key: types, and constants other than factors and summands.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/abi/CheckCalls.h"
#include "codegen/kernels/KernelKey.h"
#include "codegen/memory/FunctionPiece.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMSHARENESTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The number of iterations up to which a nest may be faster than a call.
static constexpr int64_t kShortNest = 64;

static size_t countNested(Operation *op) {
  size_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// Whether a nest is known to have few iterations.
static bool isShortNest(Operation *nest) {
  int64_t iterations = 1;
  return !nest->walk([&](LoopLikeOpInterface loop) {
                auto known = dyn_cast<scf::ForOp>(loop.getOperation());
                std::optional<llvm::APInt> count =
                    known ? known.getStaticTripCount() : std::nullopt;
                if (!count || count->ugt(kShortNest))
                  return WalkResult::interrupt();
                iterations *= std::max<int64_t>(count->getZExtValue(), 1);
                return iterations > kShortNest ? WalkResult::interrupt()
                                               : WalkResult::advance();
              })
              .wasInterrupted();
}

/// What computes the operands of `nest` that are no terms, factors or elements
/// which are stored.
static llvm::DenseSet<Operation *> findOthersUsed(Operation *nest) {
  llvm::DenseSet<Operation *> used;
  nest->walk([&](Operation *op) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, memref::StoreOp>(op))
      for (Value operand : op->getOperands())
        used.insert(operand.getDefiningOp());
  });
  return used;
}

/// Whether LLVM makes the same code of a term, a factor or an element with this
/// constant as with a number that it does not know: of no power of two.
static bool isParameter(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto number =
      constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
  if (!number || number.getType().getIntOrFloatBitWidth() > 64)
    return false;
  APFloat value = number.getValue();
  return value.isFiniteNonZero() && value.getExactLog2Abs() == INT_MIN;
}

/// Whether a message may name the place of the operation.
static bool hasPlace(Operation *op) {
  return !isa<memref::LoadOp, memref::StoreOp>(op) &&
         !isa_and_nonnull<scf::SCFDialect>(op->getDialect()) &&
         !isMemoryEffectFree(op);
}

namespace {

class NestSharer {
public:
  NestSharer(ModuleOp module, size_t longest)
      : longest(longest), recursive(findRecursive(module)), symbols(module) {}

  void run(ArrayRef<func::FuncOp> functions) {
    for (func::FuncOp func : functions)
      find(func.getBody(), func);
    while (!nests.empty()) {
      std::vector<Nest> found = std::move(nests);
      nests.clear();
      std::map<Key, size_t> counts;
      for (const Nest &nest : found)
        ++counts[nest.key];
      for (Nest &nest : found)
        if (counts[nest.key] > 1 && !nest.key.empty())
          share(nest);
        else if (countNested(nest.op) > longest)
          for (Region &region : nest.op->getRegions())
            find(region, nest.from);
    }
  }

private:
  struct Nest {
    Operation *op;
    func::FuncOp from;
    /// Empty if the nest stays.
    Key key;
    llvm::DenseSet<Operation *> inside;
    PieceInterface interface;
  };

  /// Finds the outermost loops.
  void find(Region &region, func::FuncOp from) {
    for (Operation &op : region.getOps())
      if (isa<LoopLikeOpInterface>(op))
        add(&op, from);
      else if (!op.hasAttr(loom::kFindsFailure))
        for (Region &inner : op.getRegions())
          find(inner, from);
  }

  void add(Operation *op, func::FuncOp from) {
    Nest nest = {op, from, {}, {}, {}};
    if (canBecomePiece(*op, recursive) && !isShortNest(op)) {
      nest.inside = findInside({op});
      llvm::DenseSet<Operation *> others = findOthersUsed(op);
      auto stays = [&](Operation *def) {
        return isCopied(def) && (others.contains(def) || !isParameter(def));
      };
      if (auto interface = findInterface({op}, nest.inside, stays)) {
        nest.interface = std::move(*interface);
        nest.key = getKey(nest);
      }
    }
    nests.push_back(std::move(nest));
  }

  static Key getKey(const Nest &nest) {
    KeyWriter writer;
    for (Value input : nest.interface.inputs)
      writer.define(input);
    // The writer itself looks for constants in the block of the nest alone.
    for (Operation *op : nest.interface.copied)
      writer.write(op);
    writer.write(nest.op);
    nest.op->walk([&](Operation *part) {
      if (hasPlace(part))
        writer.add(part->getLoc().getAsOpaquePointer());
    });
    for (Value output : nest.interface.outputs)
      writer.use(output);
    return std::move(writer.key);
  }

  void share(Nest &nest) {
    // An input may have been a result of a nest that is a call by now.
    nest.interface =
        *findInterface({nest.op}, nest.inside, [&](Operation *def) {
          return nest.interface.copied.contains(def);
        });
    func::FuncOp &shared = functions[nest.key];
    if (!shared) {
      shared = movePiece({nest.op}, nest.inside, nest.interface, {},
                         functions.size() - 1, nest.from, symbols);
      return;
    }
    OpBuilder b(nest.op);
    auto call = func::CallOp::create(b, nest.op->getLoc(), shared,
                                     nest.interface.inputs.getArrayRef());
    for (auto [output, result] :
         llvm::zip_equal(nest.interface.outputs, call.getResults()))
      output.replaceAllUsesWith(result);
    nest.op->erase();
  }

  const size_t longest;
  const llvm::StringSet<> recursive;
  SymbolTable symbols;
  std::vector<Nest> nests;
  std::map<Key, func::FuncOp> functions;
};

struct LoomShareNestsPass
    : codegen::impl::LoomShareNestsBase<LoomShareNestsPass> {
  using LoomShareNestsBase::LoomShareNestsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions = findLongProgram(module, longest);
    if (!functions.empty())
      NestSharer(module, longest).run(functions);
  }
};

} // namespace
