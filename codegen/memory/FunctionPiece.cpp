//===- FunctionPiece.cpp - operations that become a function --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/FunctionPiece.h"

#include "codegen/SymbolNames.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

SmallVector<func::FuncOp> codegen::findLongProgram(ModuleOp module,
                                                   size_t longest) {
  SmallVector<func::FuncOp> functions = loom::getMemoryFunctions(module);
  size_t operations = 0;
  for (func::FuncOp func : functions)
    func.walk([&](Operation *) { ++operations; });
  if (operations <= longest)
    functions.clear();
  return functions;
}

llvm::DenseSet<Operation *> codegen::findInside(const Piece &piece) {
  llvm::DenseSet<Operation *> inside;
  for (Operation *op : piece)
    op->walk([&](Operation *part) { inside.insert(part); });
  return inside;
}

bool codegen::canBecomePiece(Operation &op,
                             const llvm::StringSet<> &recursive) {
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

bool codegen::isCopied(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(op);
}

static bool isWord(Value value) {
  Type type = value.getType();
  return isa<IndexType>(type) || (isa<IntegerType, FloatType>(type) &&
                                  type.getIntOrFloatBitWidth() <= 64);
}

bool codegen::canBePassed(Value value) {
  return isWord(value) || isa<MemRefType>(value.getType());
}

std::optional<PieceInterface>
codegen::findInterface(const Piece &piece,
                       const llvm::DenseSet<Operation *> &inside,
                       llvm::function_ref<bool(Operation *)> isCopied) {
  PieceInterface found;
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
      passes &= canBePassed(value);
  };
  for (Operation *op : piece) {
    op->walk(
        [&](Operation *part) { llvm::for_each(part->getOperands(), use); });
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !inside.contains(user);
          })) {
        found.outputs.push_back(result);
        passes &= isWord(result);
      }
  }
  if (!passes)
    return std::nullopt;
  return found;
}

func::FuncOp codegen::makePrivateFunction(Location loc, const Twine &name,
                                          TypeRange inputs, TypeRange outputs,
                                          ArrayRef<StringRef> attributes) {
  Builder b(loc.getContext());
  auto made =
      func::FuncOp::create(loc, name.str(), b.getFunctionType(inputs, outputs));
  made.setPrivate();
  made->setAttr(loom::kMemoryFunction, b.getUnitAttr());
  made.setNoInline(true);
  SmallVector<StringRef> all = {"noinline"};
  llvm::append_range(all, attributes);
  made->setAttr("passthrough", b.getStrArrayAttr(all));
  return made;
}

func::FuncOp codegen::makePieceFunction(Location loc, unsigned number,
                                        TypeRange inputs, TypeRange outputs,
                                        ArrayRef<StringRef> attributes) {
  SmallVector<StringRef> all = {kLoopsAttribute};
  llvm::append_range(all, attributes);
  return makePrivateFunction(loc, kLoopPrefix + Twine(number), inputs, outputs,
                             all);
}

func::FuncOp codegen::movePiece(const Piece &ops,
                                const llvm::DenseSet<Operation *> &inside,
                                const PieceInterface &interface,
                                ArrayRef<StringRef> attributes, unsigned number,
                                func::FuncOp from, SymbolTable &symbols) {
  OpBuilder b(ops.front());
  Location loc = ops.front()->getLoc();
  ValueRange inputs = interface.inputs.getArrayRef();
  ValueRange outputs = interface.outputs;
  func::FuncOp made = makePieceFunction(loc, number, inputs.getTypes(),
                                        outputs.getTypes(), attributes);
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
  symbols.insert(made, std::next(from->getIterator()));
  called.setCallee(made.getSymName());
  return made;
}
