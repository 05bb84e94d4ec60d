//===- References.cpp - functions that say what operations do -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/user/References.h"

#include "infer/functions/UserDialects.h"
#include "legalize/CheckProgram.h"
#include "legalize/user/AttributeArguments.h"
#include "read/structure/CheckStructure.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ExtensibleDialect.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

bool legalize::isUserOperation(Operation *op) {
  return isa_and_nonnull<DynamicDialect>(op->getDialect());
}

Value legalize::getRepresentation(Value value) {
  // Casts between variants of the type may be in between.
  while (infer::isUserType(value.getType())) {
    auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
    if (!cast || cast.getNumOperands() != 1)
      return {};
    value = cast.getOperand(0);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

LogicalResult References::collect(const infer::ShapeLibrary &library,
                                  DynamicToStatic policy) {
  references.clear();
  done.clear();
  SmallVector<func::FuncOp> functions;
  // Later texts come first; within a text, the order of the text. lib-1
  std::vector<ModuleOp> texts = library.getModules();
  for (ModuleOp module : llvm::reverse(texts)) {
    bool hasFunctions = false;
    for (auto function : module.getOps<func::FuncOp>()) {
      functions.push_back(function);
      hasFunctions = true;
    }
    // An operation without a lowering for its current types may have one for
    // better types.
    if (hasFunctions &&
        (failed(read::checkStructure(module)) ||
         failed(checkProgram(module, policy, /*forCompilation=*/false))))
      return failure();
  }
  for (func::FuncOp function : functions)
    if (failed(add(function)) || failed(checkBody(function)))
      return failure();
  for (func::FuncOp function : functions)
    if (failed(checkNoRecursion(function)))
      return failure();
  return success();
}

/// Whether the body of a reference implementation may have `inner`. Only its
/// dialect is checked here (docs/user-operations.md lists those); legalization
/// checks the operation itself, in the program into which the body is inlined.
static LogicalResult checkDialect(Operation *inner) {
  constexpr StringLiteral dialects[] = {"func", "tosa",   "linalg",
                                        "scf",  "arith",  "math",
                                        "loom", "tensor", "affine"};
  if (isUserOperation(inner) ||
      llvm::is_contained(dialects, inner->getName().getDialectNamespace()))
    return success();
  return inner->emitError("'")
         << inner->getName() << "' cannot stand in a reference implementation; "
         << "use func, tosa, linalg, scf, arith, math, tensor and affine";
}

LogicalResult References::checkBody(func::FuncOp function) const {
  auto error = [&] {
    return function.emitError("function '@") << function.getName() << "' ";
  };
  if (function.isExternal())
    return error() << "has no body; a reference implementation, and what it "
                      "calls, stands in the same text";
  if (!function.getBody().hasOneBlock())
    return error() << "has several blocks; use 'scf.if', 'scf.for' and "
                      "'scf.while' in reference implementations";
  return failure(
      function
          .walk([&](Operation *inner) {
            return inner != function &&
                           (failed(checkDialect(inner)) ||
                            failed(checkTakenAttributes(inner, function)))
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted());
}

LogicalResult References::add(func::FuncOp function) {
  Attribute attribute = function->getAttr(infer::kImplementsAttr);
  if (!attribute)
    return success();
  auto key = dyn_cast<StringAttr>(attribute);
  if (!key)
    return function.emitError("'")
           << infer::kImplementsAttr << "' must be the name of an operation, "
           << "such as \"mine.scale\", but is " << attribute;
  if (failed(checkOperation(function, key)) || failed(checkSignature(function)))
    return failure();
  references[key].push_back(getSignature(function));
  return success();
}

LogicalResult References::checkOperation(func::FuncOp function,
                                         StringRef key) const {
  constexpr StringLiteral custom = "tosa.custom";
  auto [name, operatorName] = key.split(':');
  if (name == custom) {
    auto [domain, own] = operatorName.split(':');
    if (!domain.empty() && !own.empty())
      return success();
    return function.emitError("'")
           << key
           << "' names no operator; write \"tosa.custom:domain:operator\"";
  }
  OperationName operation(key, function.getContext());
  if (!operation.isRegistered())
    return function.emitError("there is no operation '")
           << key << "'; define it with 'irdl.dialect', in this text or in one "
           << "before it";
  if (!isa<DynamicDialect>(operation.getDialect()))
    return function.emitError("'")
           << key << "' is one of the program's own operations; references are "
           << "for those of 'irdl.dialect' and for 'tosa.custom'";
  return success();
}

/// Whether an attribute can be passed as an argument of the type. A body that
/// computes one element reads lists by constant indices, so that it needs their
/// lengths.
static bool isAttributeType(Type type, bool isScalar) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && !tensor.hasStaticShape() && (isScalar || tensor.getRank() != 1))
    return false;
  return getElementTypeOrSelf(type).isIntOrIndexOrFloat() &&
         (tensor || !isa<ShapedType>(type));
}

Reference legalize::getSignature(func::FuncOp function) {
  Reference reference;
  reference.function = function;
  auto isShaped = [](Type type) { return isa<ShapedType>(type); };
  auto types = function.getArgumentTypes();
  while (reference.numOperands < types.size() &&
         !function.getArgAttr(reference.numOperands, kAttributeArg))
    ++reference.numOperands;
  reference.isScalar =
      reference.numOperands != 0 && function.getNumResults() != 0 &&
      llvm::none_of(types.take_front(reference.numOperands), isShaped) &&
      llvm::none_of(function.getResultTypes(), isShaped);
  return reference;
}

LogicalResult References::checkSignature(func::FuncOp function) const {
  bool mayBeOperand = true, isScalar = getSignature(function).isScalar;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    Attribute attribute = function.getArgAttr(i, kAttributeArg);
    if (!attribute && !mayBeOperand)
      return function.emitError("argument ")
             << i << " of '@" << function.getName()
             << "' is an operand behind an attribute; attributes come last";
    if (!attribute) {
      if (!isa<TensorType>(type) && !type.isIntOrIndexOrFloat())
        return function.emitError("argument ")
               << i << " of '@" << function.getName() << "' is of type " << type
               << "; operands are tensors or scalars";
      continue;
    }
    mayBeOperand = false;
    if (!isa<StringAttr>(attribute))
      return function.emitError("argument ")
             << i << " of '@" << function.getName() << "': '" << kAttributeArg
             << "' must be the name of an attribute, but is " << attribute;
    if (!isAttributeType(type, isScalar))
      return function.emitError("argument ")
             << i << " of '@" << function.getName() << "' is of type " << type
             << "; an attribute is a number, a tensor of numbers with static "
                "extents, or, where a reference is on tensors, a list of any "
                "length";
  }
  for (Type type : function.getResultTypes()) {
    if (!isa<TensorType>(type) && !type.isIntOrIndexOrFloat())
      return function.emitError("'@")
             << function.getName() << "' gives a " << type
             << "; results are tensors or scalars";
  }
  return success();
}

/// A depth-first walk without recursion: chains may be long.
LogicalResult References::checkNoRecursion(func::FuncOp root) {
  struct Visit {
    func::FuncOp function;
    /// Callees, with the operation that leads to each.
    SmallVector<std::pair<Operation *, func::FuncOp>> next;
    size_t position = 0;
  };
  std::vector<Visit> stack;
  llvm::DenseSet<Operation *> active;
  auto enter = [&](func::FuncOp function) {
    active.insert(function);
    Visit visit{function, {}};
    function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        visit.next.push_back(
            {op,
             getCallee(call, function->getParentOfType<ModuleOp>()).function});
      if (auto it = references.find(infer::getOperationKey(op));
          it != references.end())
        for (const Reference &reference : it->second)
          visit.next.push_back({op, reference.function});
    });
    stack.push_back(std::move(visit));
  };
  if (!done.contains(root))
    enter(root);
  while (!stack.empty()) {
    Visit &visit = stack.back();
    if (visit.position == visit.next.size()) {
      active.erase(visit.function);
      done.insert(visit.function);
      stack.pop_back();
      continue;
    }
    auto [op, next] = visit.next[visit.position++];
    if (active.contains(next))
      return op->emitError("leads to '@")
             << next.getName() << "', which leads back here; a reference "
             << "implementation must not use itself";
    if (!done.contains(next))
      enter(next);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

Reference References::getCallee(func::CallOp call, ModuleOp module) const {
  Reference callee;
  callee.function =
      symbols.lookupSymbolIn<func::FuncOp>(module, call.getCalleeAttr());
  callee.numOperands = call.getNumOperands();
  return callee;
}

static bool canCast(Type from, Type to) {
  if (from == to)
    return true;
  return isa<TensorType>(from) && isa<TensorType>(to) &&
         tensor::CastOp::areCastCompatible(from, to);
}

/// Why the signature does not fit; empty if it does.
static std::string findMismatch(Reference reference, Operation *op) {
  func::FuncOp function = reference.function;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (op->getNumOperands() != reference.numOperands ||
      op->getNumResults() != function.getNumResults()) {
    stream << "takes " << reference.numOperands << " operands and gives "
           << function.getNumResults() << " results, but the operation has "
           << op->getNumOperands() << " and " << op->getNumResults();
    return text;
  }
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    Value known = getRepresentation(value);
    Type from = known ? known.getType() : value.getType();
    Type to = function.getArgumentTypes()[i];
    if (reference.isScalar ? getElementTypeOrSelf(from) == to
                           : canCast(from, to))
      continue;
    stream << "takes " << to << " as operand " << i << ", but it is " << from;
    return text;
  }
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    Type from = function.getResultTypes()[i];
    if (infer::isUserType(type) ||
        (reference.isScalar ? getElementTypeOrSelf(type) == from
                            : canCast(from, type)))
      continue;
    stream << "gives " << from << " as result " << i << ", but it is " << type;
    return text;
  }
  return text;
}

const Reference *References::choose(Operation *op) const {
  const auto &candidates = references.find(infer::getOperationKey(op))->second;
  for (const Reference &reference : candidates)
    if (findMismatch(reference, op).empty())
      return &reference;
  InFlightDiagnostic error = op->emitError("no reference implementation of '")
                             << infer::getOperationKey(op)
                             << "' fits this operation";
  // The limit of notes.
  constexpr size_t maxNotes = 8;
  for (Reference reference : ArrayRef(candidates).take_front(maxNotes))
    error.attachNote(reference.function.getLoc())
        << "'@" << reference.function.getName() << "' "
        << findMismatch(reference, op);
  return nullptr;
}
