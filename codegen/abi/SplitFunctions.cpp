//===- SplitFunctions.cpp - long functions in pieces ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A piece is a run of operations of one block that ends with a loop. What a
// piece has in common with the rest are its inputs, which become arguments, and
// its outputs. Outputs that are computed of inputs alone, such as extents, stay
// in front of the call; others become results. Constants, and the addresses of
// globals, are copied into each piece, so that LLVM knows there what it knew.
//
// What finds the failing access of a nest (GuardNests.cpp) is about as much
// code as the nest. In a long program it is a function that LLVM does not
// optimise.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "codegen/abi/CheckCalls.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMSPLITFUNCTIONS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

using Piece = SmallVector<Operation *>;

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
      if (!canMove(op))
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
      if (!canMove(op)) {
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

  /// Whether nothing in `op` depends on the function that it stands in: memory
  /// of its block, the depth of its recursion, or a site of a profile.
  bool canMove(Operation &op) const {
    if (op.hasTrait<OpTrait::IsTerminator>() ||
        isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp>(op))
      return false;
    return !op.walk([&](Operation *part) {
                auto call = dyn_cast<func::CallOp>(part);
                bool stays = isa<loom::SiteOp>(part) ||
                             (call && recursive.contains(call.getCallee()));
                return stays ? WalkResult::interrupt() : WalkResult::advance();
              }).wasInterrupted();
  }

  /// What is copied into each piece: a number, or memory that LLVM knows.
  static bool isCopied(Operation *op) {
    return op->hasTrait<OpTrait::ConstantLike>() ||
           isa<memref::GetGlobalOp>(op);
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

  /// Whether `value` can be an argument or a result of a function: as a word or
  /// less.
  static bool isNumber(Value value) {
    Type type = value.getType();
    return isa<IndexType>(type) || (isa<IntegerType, FloatType>(type) &&
                                    type.getIntOrFloatBitWidth() <= 64);
  }

  struct Interface {
    llvm::SetVector<Operation *> copied;
    llvm::SetVector<Value> inputs;
    SmallVector<Value> outputs;
  };

  /// What the piece of `ops` needs and gives; nothing where no function can.
  static std::optional<Interface>
  findInterface(const Piece &ops, const llvm::DenseSet<Operation *> &inside) {
    Interface found;
    bool passes = true;
    auto use = [&](Value value) {
      Operation *def = value.getDefiningOp();
      Operation *owner =
          def ? def : cast<BlockArgument>(value).getOwner()->getParentOp();
      if (inside.contains(owner))
        return;
      if (def && isCopied(def))
        found.copied.insert(def);
      else if (found.inputs.insert(value))
        passes &= isNumber(value) || isa<MemRefType>(value.getType());
    };
    for (Operation *op : ops) {
      op->walk(
          [&](Operation *part) { llvm::for_each(part->getOperands(), use); });
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !inside.contains(user);
            })) {
          found.outputs.push_back(result);
          passes &= isNumber(result);
        }
    }
    if (!passes)
      return std::nullopt;
    return found;
  }

  /// Whether LLVM may keep what is in the memory in registers, unless its
  /// address is handed on.
  static bool isOnStack(Value memory) {
    return isa_and_nonnull<memref::AllocaOp>(
        loom::getRoot(memory).getDefiningOp());
  }

  void outline(const Piece &piece, bool isRare) {
    llvm::DenseSet<Operation *> inside;
    for (Operation *op : piece)
      op->walk([&](Operation *part) { inside.insert(part); });
    Piece staying = findStaying(piece, inside), ops;
    for (Operation *op : staying)
      inside.erase(op);
    for (Operation *op : piece)
      if (inside.contains(op))
        ops.push_back(op);
    std::optional<Interface> interface = findInterface(ops, inside);
    if (!interface || (isRare && llvm::any_of(interface->inputs, isOnStack)))
      return;
    for (Operation *op : staying)
      op->moveBefore(ops.front());
    call(ops, inside, *interface, isRare);
  }

  /// Moves `ops` to a function of their own, which is called in their place.
  void call(const Piece &ops, const llvm::DenseSet<Operation *> &inside,
            const Interface &interface, bool isRare) {
    OpBuilder b(ops.front());
    Location loc = ops.front()->getLoc();
    ValueRange inputs = interface.inputs.getArrayRef();
    ValueRange outputs = interface.outputs;
    auto made = func::FuncOp::create(
        loc, (kLoopPrefix + Twine(numPieces++)).str(),
        b.getFunctionType(inputs.getTypes(), outputs.getTypes()));
    made.setPrivate();
    made->setAttr(loom::kMemoryFunction, b.getUnitAttr());
    // Inlined, it would be part of a long function again.
    made.setNoInline(true);
    SmallVector<StringRef> attributes = {"noinline", kLoopsAttribute};
    if (isRare)
      attributes.append({"cold", "optnone"});
    made->setAttr("passthrough", b.getStrArrayAttr(attributes));
    Block *body = made.addEntryBlock();
    IRMapping mapping;
    mapping.map(inputs, made.getArguments());
    OpBuilder inner = OpBuilder::atBlockBegin(body);
    for (Operation *op : interface.copied)
      inner.clone(*op, mapping);
    auto called = func::CallOp::create(b, loc, made, inputs);
    for (Operation *op : ops) {
      op->moveBefore(body, body->end());
      op->walk([&](Operation *part) {
        for (OpOperand &operand : part->getOpOperands())
          if (Value mapped = mapping.lookupOrNull(operand.get()))
            operand.set(mapped);
      });
    }
    for (auto [output, result] : llvm::zip_equal(outputs, called.getResults()))
      output.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !inside.contains(use.getOwner());
      });
    inner.setInsertionPointToEnd(body);
    func::ReturnOp::create(inner, loc, outputs);
    // Where loops of tensors have functions of this name (OutlineLoops.cpp),
    // the table gives it another one.
    symbols.insert(made, std::next(func->getIterator()));
    called.setCallee(made.getSymName());
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
    SmallVector<func::FuncOp> functions = llvm::filter_to_vector(
        module.getOps<func::FuncOp>(), loom::isOverMemory);
    size_t operations = 0;
    for (func::FuncOp func : functions)
      func.walk([&](Operation *) { ++operations; });
    if (operations <= longest)
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
