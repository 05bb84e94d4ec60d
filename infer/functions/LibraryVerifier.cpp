//===- LibraryVerifier.cpp - what a shape library must be -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/LibraryVerifier.h"
#include "dialect/BroadcastableOpInterface.h"
#include "infer/functions/Evaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

LogicalResult infer::verifyText(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa<func::FuncOp>(op) && failed(mlir::verify(&op)))
      return failure();
  return success();
}

shape::FunctionLibraryOp LibraryVerifier::findLibrary(StringRef name) {
  for (shape::FunctionLibraryOp op : ops)
    if (op.getSymName() == name)
      return op;
  return library.libraries.lookup(name);
}

/// Whether the text has definitions of operations besides libraries (sf-5).
static bool definesOperations(ModuleOp module) {
  return llvm::any_of(*module.getBody(), [](Operation &op) {
    return isa<irdl::DialectOp>(op) || op.hasAttr(kImplementsAttr);
  });
}

LogicalResult LibraryVerifier::verify(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (auto functions = dyn_cast<shape::FunctionLibraryOp>(op))
      ops.push_back(functions);
  if (ops.empty() && !definesOperations(module))
    return module.emitError(
        "there is nothing in it for a shape library: no "
        "'shape.function_library', no 'irdl.dialect', and no function with "
        "'loom.implements'");
  for (shape::FunctionLibraryOp op : ops)
    if (failed(verifyLibrary(op)))
      return failure();
  for (shape::FunctionLibraryOp op : ops) {
    for (auto function : op.getOps<shape::FuncOp>())
      if (failed(verifyNoRecursion(function)))
        return failure();
    if (failed(verifyMapping(op)))
      return failure();
  }
  return success();
}

/// Whether the compiler itself computes the operation, so that a text's
/// function for it is an addition. lib-2 Legalization makes maps of
/// element-wise operations of any dialect.
static bool isComputedHere(StringRef operation, MLIRContext *context) {
  constexpr StringLiteral dialects[] = {
      "affine", "arith",  "bufferization", "cf",     "func",       "index",
      "linalg", "loom",   "math",          "memref", "ml_program", "scf",
      "shape",  "tensor", "tosa",          "ub",     "vector"};
  auto name = RegisteredOperationName::lookup(operation, context);
  return (name && name->hasInterface<BroadcastableOpInterface>()) ||
         (operation.split(':').first != "tosa.custom" &&
          llvm::is_contained(dialects, operation.split('.').first));
}

void ShapeLibrary::setFunction(StringRef operation, ShapeFunction function) {
  bool adds = !loadsOwn && isComputedHere(operation, context);
  (adds ? additions : functions)[operation] = std::move(function);
}

void LibraryVerifier::commit() {
  for (shape::FunctionLibraryOp op : ops)
    library.libraries[op.getSymName()] = op;
  for (auto &entry : functions)
    library.setFunction(entry.getKey(), std::move(entry.second));
  for (auto &[apply, callee] : callees)
    library.callees[apply] = callee;
}

LogicalResult LibraryVerifier::verifyLibrary(shape::FunctionLibraryOp op) {
  if (auto earlier = library.libraries.lookup(op.getSymName())) {
    InFlightDiagnostic error = op.emitError("a shape library '@")
                               << op.getSymName()
                               << "' has been loaded already; give one of them "
                                  "another name";
    error.attachNote(earlier->getLoc()) << "by this text";
    return error;
  }
  // A missing body has no block.
  if (op.getBody().empty())
    return success();
  for (Operation &inner : op.getBody().front()) {
    auto function = dyn_cast<shape::FuncOp>(inner);
    if (!function)
      return inner.emitError("a shape library has only 'shape.func', but here "
                             "is '")
             << inner.getName() << "'";
    if (failed(verifyFunction(function)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether values of shape functions may have the type.
static bool isValueType(Type type) {
  if (isa<IndexType, shape::ShapeType, shape::SizeType, shape::ValueShapeType,
          shape::WitnessType, loom::ElementTypeType, loom::EncodingType>(type))
    return true;
  if (type.isInteger(1) || type.isInteger(32) || type.isInteger(64))
    return true;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return loom::isOperandList(type) ||
         (tensor && tensor.getRank() == 1 && tensor.getElementType().isIndex());
}

LogicalResult LibraryVerifier::verifyFunction(shape::FuncOp function) {
  if (function.isDeclaration())
    return function.emitError("shape function '@")
           << function.getSymName() << "' has no body";
  if (!function.getBody().hasOneBlock())
    return function.emitError("shape function '@")
           << function.getSymName()
           << "' has more than one block; use 'scf.if' and 'scf.for'";
  for (Type type : function.getArgumentTypes())
    if (!isValueType(type))
      return function.emitError("shape function '@")
             << function.getSymName() << "' has an argument of type " << type
             << ", which no shape function can read";
  return verifyBody(function);
}

LogicalResult LibraryVerifier::verifyBody(shape::FuncOp function) {
  auto result = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (auto apply = dyn_cast<loom::ApplyOp>(op))
      return failed(verifyCall(function, apply)) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
    return failed(verifyOperation(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  auto last = dyn_cast<shape::ReturnOp>(function.getBody().front().back());
  if (!last)
    return function.emitError("shape function '@")
           << function.getSymName() << "' does not end in 'shape.return'";
  TypeRange wanted = function.getResultTypes(), given(last.getOperands());
  if (wanted.size() != given.size())
    return last.emitError("shape function '@")
           << function.getSymName() << "' has " << wanted.size()
           << " results but returns " << given.size();
  for (auto [i, want, have] : llvm::enumerate(wanted, given))
    if (want != have)
      return last.emitError("result ")
             << i << " of shape function '@" << function.getSymName()
             << "' is of type " << want << " but " << have << " is returned";
  return success();
}

/// Accepts only operations that the interpreter knows, so that functions are
/// pure. sf-2
LogicalResult LibraryVerifier::verifyOperation(Operation *op) {
  bool isTerminator = isa<shape::ReturnOp, shape::YieldOp,
                          shape::AssumingYieldOp, scf::YieldOp>(op);
  if (!isTerminator && !Evaluator::getHandler(op))
    return op->emitError("a shape function cannot have '")
           << op->getName()
           << "'; docs/shape-functions.md lists what it can have";
  for (Type type : op->getResultTypes())
    if (!isValueType(type))
      return op->emitError("a value of a shape function cannot be of type ")
             << type;
  for (Region &region : op->getRegions()) {
    if (!region.empty() && !region.hasOneBlock())
      return op->emitError("a region in a shape function has one block, but "
                           "here are several");
    for (Block &block : region)
      if (block.empty() ||
          !block.back().hasTrait<mlir::OpTrait::IsTerminator>())
        return op->emitError("a region does not end in a terminator");
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (!loop.getInductionVar().getType().isIndex())
      return op->emitError("a loop in a shape function counts in index");
    if (loop.getUnsignedCmp())
      return op->emitError("a loop in a shape function counts mathematical "
                           "integers; leave out 'unsigned'");
  }
  if (auto require = dyn_cast<shape::CstrRequireOp>(op))
    if (require.getMsg().empty())
      return op->emitError("a constraint has no message; say what the user did "
                           "wrong");
  return success();
}

LogicalResult LibraryVerifier::verifyCall(shape::FuncOp caller,
                                          loom::ApplyOp apply) {
  SymbolRefAttr symbol = apply.getCallee();
  shape::FunctionLibraryOp owner =
      caller->getParentOfType<shape::FunctionLibraryOp>();
  if (!symbol.getNestedReferences().empty()) {
    StringRef name = symbol.getRootReference().getValue();
    owner = findLibrary(name);
    if (!owner)
      return apply.emitError("there is no shape library '@")
             << name << "' before this one";
  }
  Operation *found =
      symbol.getNestedReferences().size() > 1
          ? nullptr
          : SymbolTable::lookupSymbolIn(owner, symbol.getLeafReference());
  if (!found)
    return apply.emitError("there is no shape function ") << symbol;
  auto callee = dyn_cast<shape::FuncOp>(found);
  if (!callee)
    return apply.emitError() << symbol << " is no shape function";
  FunctionType type = callee.getFunctionType();
  auto given =
      FunctionType::get(apply.getContext(), apply.getArguments().getTypes(),
                        apply.getResultTypes());
  if (type != given)
    return apply.emitError("calls ")
           << symbol << " as " << given << " but it is " << type;
  callees[apply] = callee;
  calls[caller].push_back(apply);
  return success();
}

/// A depth-first walk without recursion: chains of calls may be long.
LogicalResult LibraryVerifier::verifyNoRecursion(shape::FuncOp root) {
  struct Visit {
    shape::FuncOp function;
    size_t next = 0;
  };
  std::vector<Visit> stack;
  llvm::DenseSet<Operation *> active;
  auto enter = [&](shape::FuncOp function) {
    active.insert(function);
    stack.push_back({function});
  };
  if (!done.contains(root))
    enter(root);
  while (!stack.empty()) {
    Visit &visit = stack.back();
    const std::vector<loom::ApplyOp> &list = calls[visit.function];
    if (visit.next == list.size()) {
      active.erase(visit.function);
      done.insert(visit.function);
      stack.pop_back();
      continue;
    }
    loom::ApplyOp apply = list[visit.next++];
    shape::FuncOp callee = callees.lookup(apply);
    if (active.contains(callee))
      return apply.emitError("shape functions must not call themselves, but "
                             "this calls '@")
             << callee.getSymName() << "', which leads here again";
    if (!done.contains(callee))
      enter(callee);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

/// Whether the dialect of an operation is loaded and does not have the
/// operation. A dialect that is not loaded may be defined later; loadLibraries
/// checks again.
static bool isMissing(StringRef operation, MLIRContext *context) {
  // For `tosa.custom:domain:name`, the operation is `tosa.custom`.
  operation = operation.split(':').first;
  auto [dialectName, name] = operation.split('.');
  Dialect *dialect = context->getLoadedDialect(dialectName);
  return dialect && !dialect->allowsUnknownOperations() &&
         !OperationName(operation, context).isRegistered();
}

LogicalResult LibraryVerifier::verifyMapping(shape::FunctionLibraryOp op) {
  for (NamedAttribute entry : op.getMapping()) {
    StringRef operation = entry.getName().getValue();
    auto symbol = dyn_cast<FlatSymbolRefAttr>(entry.getValue());
    if (!symbol)
      return op.emitError("'")
             << operation << "' is mapped to " << entry.getValue()
             << ", which is no function of this library";
    if (isMissing(operation, op.getContext()))
      return op.emitError("'")
             << operation << "' is mapped, but dialect '"
             << operation.split('.').first << "' has no such operation";
    Operation *found = SymbolTable::lookupSymbolIn(op, symbol.getAttr());
    if (!found)
      return op.emitError("'") << operation << "' is mapped to " << symbol
                               << ", but there is no such function";
    ShapeFunction function;
    if (failed(readSignature(cast<shape::FuncOp>(found), operation, function)))
      return failure();
    if (!functions.try_emplace(operation, std::move(function)).second)
      return op.emitError("'") << operation << "' is mapped twice in this text";
  }
  return success();
}
