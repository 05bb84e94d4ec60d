//===- CheckShapeFunctions.cpp - operations from operands alone -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/CreateOperation.h"
#include "infer/functions/Passes.h"

#include "mlir/IR/Verifier.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMCHECKSHAPEFUNCTIONS
#include "infer/functions/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// `(a, b)` or one type alone.
static std::string write(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << (types.size() == 1 ? "" : "(");
  llvm::interleaveComma(types, stream);
  stream << (types.size() == 1 ? "" : ")");
  return text;
}

namespace {

struct LoomCheckShapeFunctionsPass
    : infer::impl::LoomCheckShapeFunctionsBase<LoomCheckShapeFunctionsPass> {
  using LoomCheckShapeFunctionsBase::LoomCheckShapeFunctionsBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<std::shared_ptr<ShapeLibrary>> loaded =
        loadLibraries(context, libraries);
    if (succeeded(loaded))
      library = *loaded;
    return loaded;
  }

  void runOnOperation() override {
    std::vector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (library->lookupOrDerive(getOperationKey(op)))
        ops.push_back(op);
    });
    bool isGood = true;
    for (Operation *op : ops)
      isGood &= succeeded(check(op));
    if (!isGood)
      return signalPassFailure();
    getOperation().walk([&](func::FuncOp function) {
      for (const std::string &name : operations)
        createPairs(function, name);
    });
  }

private:
  /// Creates an operation from the operands of `op` and returns its types; an
  /// error if they cannot be inferred or the operation is invalid.
  FailureOr<SmallVector<Type>> create(Operation *op) {
    SmallVector<Type> elementTypes;
    for (Type type : op->getResultTypes())
      elementTypes.push_back(getElementTypeOrSelf(type));
    CreateOptions options{Report::All, elementTypes};
    if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
      return inferResultTypes(*library, makeRequest(op), op->getLoc(), options);
    OpBuilder builder(op);
    Operation *created = createWithInferredTypes(
        builder, op->getLoc(), op->getName().getStringRef(), op->getOperands(),
        op->getAttrDictionary().getValue(), *library, options);
    if (!created)
      return failure();
    LogicalResult verified = verify(created);
    SmallVector<Type> types(created->getResultTypes());
    created->erase();
    if (failed(verified))
      return failure();
    return types;
  }

  LogicalResult check(Operation *op) {
    FailureOr<SmallVector<Type>> inferred = create(op);
    if (failed(inferred))
      return failure();
    if (TypeRange(*inferred) == op->getResultTypes())
      return success();
    return op->emitError("'")
           << op->getName() << "' is declared " << write(op->getResultTypes())
           << " but from its operands it is " << write(*inferred);
  }

  void createPairs(func::FuncOp function, StringRef name) {
    if (function.isDeclaration())
      return;
    Block &entry = function.getBody().front();
    auto builder = OpBuilder::atBlockBegin(&entry);
    for (BlockArgument left : entry.getArguments())
      for (BlockArgument right : entry.getArguments()) {
        Operation *created = createWithInferredTypes(
            builder, function.getLoc(), name, {left, right}, {}, *library);
        if (!created)
          continue;
        if (succeeded(verify(created)))
          function.emitRemark("'")
              << name << "' of arguments " << left.getArgNumber() << " and "
              << right.getArgNumber() << " is "
              << write(created->getResultTypes());
        created->erase();
      }
  }

  std::shared_ptr<ShapeLibrary> library;
};

} // namespace
