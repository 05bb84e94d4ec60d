//===- SplitFunctions.cpp - long functions in pieces ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A piece (FunctionPiece.h) is a run of operations of one block that ends with
// a loop. Outputs that are computed of inputs alone, such as extents, stay in
// front of the call.
//
// What finds the failing access of a nest (GuardNests.cpp) is about as much
// code as the nest. In a long program it is a function that LLVM does not
// optimise.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "codegen/abi/CheckCalls.h"
#include "codegen/memory/FunctionPiece.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMSPLITFUNCTIONS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

/// Numbers of operations.
struct Limits {
  /// Beyond it a program or a block is long.
  size_t longest;
  /// A piece ends behind the first loop with which it has as many.
  size_t piece;
};

class FunctionSplitter {
public:
  FunctionSplitter(func::FuncOp func, const llvm::StringSet<> &recursive,
                   Limits limits, SymbolTable &symbols, unsigned &numPieces)
      : func(func), recursive(recursive), limits(limits), symbols(symbols),
        numPieces(numPieces) {}

  void run() {
    func.walk([&](scf::IfOp branch) {
      if (branch->hasAttr(loom::kFindsFailure))
        moveOut(*branch.thenBlock());
    });
    for (Block &block : func.getBody())
      split(block);
  }

private:
  /// How many operations hand an argument to a function, roughly.
  static constexpr size_t kOperationsOfArgument = 8;

  /// Makes all of a block a function that is rarely called. To optimise few
  /// operations takes less time than a function.
  void moveOut(Block &block) {
    size_t operations = 0;
    block.walk([&](Operation *) { ++operations; });
    if (operations < limits.piece / 16)
      return;
    Piece piece;
    for (Operation &op : block.without_terminator()) {
      if (!canBecomePiece(op, recursive))
        return;
      piece.push_back(&op);
    }
    if (!piece.empty())
      outline(piece, /*isRare=*/true);
  }

  struct Size {
    size_t operations = 0;
    bool hasLoop = false;
    void add(Size other) {
      operations += other.operations;
      hasLoop |= other.hasLoop;
    }
  };

  /// Splits inner blocks first: a block whose loops are calls is short.
  Size split(Block &block) {
    Size whole;
    SmallVector<Size> sizes;
    for (Operation &op : block) {
      Size size{1, isa<LoopLikeOpInterface>(op)};
      // What finds a failing access may have been moved out. Guards at the
      // entry of a function are many in a row then.
      if (op.hasAttr(loom::kFindsFailure)) {
        size.hasLoop = true;
        op.walk([&](func::CallOp call) {
          size.operations += kOperationsOfArgument * call.getNumOperands();
        });
      }
      // Nests that are calls (ShareNests.cpp) may be as many.
      if (auto call = dyn_cast<func::CallOp>(op);
          call && call.getCallee().starts_with(kLoopPrefix)) {
        size.hasLoop = true;
        size.operations += kOperationsOfArgument * call.getNumOperands();
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          size.add(split(inner));
      sizes.push_back(size);
      whole.add(size);
    }
    if (whole.operations <= limits.longest || !whole.hasLoop)
      return whole;
    SmallVector<Piece> pieces = findPieces(block, sizes);
    if (pieces.size() < 2)
      return whole;
    for (const Piece &piece : pieces)
      outline(piece, /*isRare=*/false);
    return {block.getOperations().size(), /*hasLoop=*/false};
  }

  SmallVector<Piece> findPieces(Block &block, ArrayRef<Size> sizes) const {
    SmallVector<Piece> pieces;
    Piece piece;
    // The operations of the piece, and how many of them end with a loop.
    size_t operations = 0, used = 0;
    auto end = [&] {
      if (used != 0) {
        piece.truncate(used);
        pieces.push_back(std::move(piece));
      }
      piece.clear();
      operations = used = 0;
    };
    for (auto [op, size] : llvm::zip_equal(block, sizes)) {
      if (!canBecomePiece(op, recursive)) {
        end();
        continue;
      }
      piece.push_back(&op);
      operations += size.operations;
      if (!size.hasLoop)
        continue;
      used = piece.size();
      bool isInFront = op.hasAttr(loom::kFindsFailure) &&
                       isa<LoopLikeOpInterface>(op.getNextNode());
      if (operations >= limits.piece && !isInFront)
        end();
    }
    end();
    return pieces;
  }

  /// Whether `op` computes a value of others, anywhere behind them.
  static bool isComputation(Operation *op) {
    return op->getNumRegions() == 0 && isPure(op);
  }

  /// The operations of `piece` that have uses behind it and depend on inputs
  /// alone. They stay in front of the call, as do those that they use.
  static Piece findStaying(const Piece &piece,
                           const llvm::DenseSet<Operation *> &inside) {
    llvm::DenseSet<Operation *> movable, staying;
    for (Operation *op : piece)
      if (isComputation(op) && llvm::all_of(op->getOperands(), [&](Value it) {
            Operation *def = it.getDefiningOp();
            return !def || !inside.contains(def) || movable.contains(def);
          }))
        movable.insert(op);
    Piece found;
    for (Operation *op : llvm::reverse(piece))
      if (movable.contains(op) &&
          llvm::any_of(op->getUsers(), [&](Operation *user) {
            return !inside.contains(user) || staying.contains(user);
          })) {
        staying.insert(op);
        found.push_back(op);
      }
    std::reverse(found.begin(), found.end());
    return found;
  }

  /// Whether LLVM may keep what is in the memory in registers, unless its
  /// address is handed on.
  static bool isOnStack(Value memory) {
    return isa_and_nonnull<memref::AllocaOp>(
        loom::getRoot(memory).getDefiningOp());
  }

  void outline(const Piece &piece, bool isRare) {
    llvm::DenseSet<Operation *> inside = findInside(piece);
    Piece staying = findStaying(piece, inside), ops;
    for (Operation *op : staying)
      inside.erase(op);
    for (Operation *op : piece)
      if (inside.contains(op))
        ops.push_back(op);
    std::optional<PieceInterface> interface =
        findInterface(ops, inside, isCopied);
    if (!interface || (isRare && llvm::any_of(interface->inputs, isOnStack)))
      return;
    for (Operation *op : staying)
      op->moveBefore(ops.front());
    static constexpr StringRef ofRare[] = {"cold", "optnone"};
    movePiece(ops, inside, *interface,
              isRare ? ArrayRef<StringRef>(ofRare) : ArrayRef<StringRef>(),
              numPieces++, func, symbols);
  }

  func::FuncOp func;
  const llvm::StringSet<> &recursive;
  const Limits limits;
  SymbolTable &symbols;
  unsigned &numPieces;
};

struct LoomSplitFunctionsPass
    : codegen::impl::LoomSplitFunctionsBase<LoomSplitFunctionsPass> {
  using LoomSplitFunctionsBase::LoomSplitFunctionsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions = findLongProgram(module, longest);
    if (functions.empty())
      return;
    llvm::StringSet<> recursive = findRecursive(module);
    SymbolTable symbols(module);
    unsigned numPieces = 0;
    for (func::FuncOp func : functions)
      FunctionSplitter(func, recursive, {longest, piece}, symbols, numPieces)
          .run();
  }
};

} // namespace
