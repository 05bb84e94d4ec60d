//===- Signatures.cpp - what the functions of a program take and give -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/Signatures.h"

#include "codegen/abi/ElementTypes.h"
#include "dialect/ArgumentName.h"
#include "dialect/ElementBytes.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryLayouts.h"
#include "dialect/ShapeConversion.h"
#include "dialect/WiderIntegers.h"
#include "infer/queries/ShapeQuery.h"
#include "legalize/state/LiftState.h"
#include "runtime/abi/PickFunction.h"
#include "shape/TakesText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

/// The axes' names.
static std::vector<std::string> getNames(loom::ExtentsAttr extents) {
  std::vector<std::string> names;
  if (extents)
    for (int64_t axis : llvm::seq(extents.getRank())) {
      auto name = extents.getName(axis);
      names.push_back(name ? extents.getNames()[*name].str() : "");
    }
  return names;
}

std::optional<TensorSignature>
broadloom::getTensorSignature(Type type, loom::ExtentsAttr extents) {
  bool isMemory = isa<BaseMemRefType>(type);
  auto tensor =
      isMemory || isa<TensorType>(type) ? cast<ShapedType>(type) : ShapedType();
  Type element = tensor ? tensor.getElementType() : type;
  std::optional<BroadloomElementType> known = codegen::getRuntimeType(element);
  if (!known || (isa<ShapedType>(type) && !tensor))
    return std::nullopt;
  TensorSignature signature;
  signature.isScalar = !tensor;
  signature.isMemory = isMemory;
  signature.elementType = *known;
  signature.signless = element.isSignlessInteger();
  // An array that is memory with tiles, or whose shape is a set, has the shape
  // of its places (mem-13).
  if (loom::isTiled(type) &&
      loom::findUnsupportedLayout(cast<MemRefType>(type)).empty()) {
    tensor = loom::getPlaces(cast<MemRefType>(type));
    // Names are those of the axes of the type.
    extents = nullptr;
  }
  if (tensor)
    signature.shape = *shapeOf(tensor);
  signature.names = getNames(extents);
  return signature;
}

const FunctionSignature *
broadloom::findFunction(const std::vector<FunctionSignature> &functions,
                        std::string_view name) {
  return pickFunction(functions, name);
}

std::string broadloom::typeText(const TensorSignature &value) {
  const char *element = broadloomElementTypeName(value.elementType);
  if (value.isScalar)
    return element;
  std::string text = tensorText(value.shape, value.names, element);
  constexpr StringLiteral tensor = "tensor";
  return value.isMemory ? "memref" + text.substr(tensor.size()) : text;
}

std::vector<std::string>
broadloom::argumentTexts(const FunctionSignature &function) {
  std::vector<std::string> texts;
  for (const TensorSignature &argument : function.arguments)
    texts.push_back(namedText(argument.name, typeText(argument)));
  return texts;
}

std::vector<std::string>
broadloom::argumentNames(const FunctionSignature &function) {
  std::vector<std::string> names;
  for (const TensorSignature &argument : function.arguments)
    names.push_back(argument.name);
  return names;
}

/// `what` is the argument, result or variable of `func` that has the type.
static LogicalResult readType(func::FuncOp func, const Twine &what, Type type,
                              loom::ExtentsAttr extents,
                              std::vector<TensorSignature> &signatures) {
  std::optional<TensorSignature> signature = getTensorSignature(type, extents);
  if (!signature)
    return func.emitError()
           << what << " of '" << func.getName() << "' has type " << type
           << ", which has no form outside the program; make "
              "it a tensor of an element type of 1, 8, 16, 32 "
              "or 64 bits";
  const Shape &shape = signature->shape;
  if (shape.isRanked() && shape.rank() > BROADLOOM_MAX_RANK)
    return func.emitError()
           << what << " of '" << func.getName() << "' has " << shape.rank()
           << " axes; at most " << BROADLOOM_MAX_RANK << " are possible";
  signatures.push_back(std::move(*signature));
  return success();
}

/// The elements of a variable's first value in row-major order, one where all
/// are equal, since that can have any number of them; integers in `bits` bits
/// each, which may be more than their own (el-12); nothing if the attribute
/// does not have them.
static std::optional<std::string> readInitial(ElementsAttr initial,
                                              unsigned bits) {
  if (initial.getElementType().isInteger(1)) {
    auto dense = dyn_cast<DenseElementsAttr>(initial);
    if (!dense)
      return std::nullopt;
    if (dense.isSplat())
      return std::string(1, char(dense.getSplatValue<bool>()));
    std::string bytes;
    for (bool element : dense.getValues<bool>())
      bytes.push_back(char(element));
    return bytes;
  }
  if (Type own = initial.getElementType();
      own.isSignlessInteger() && own.getIntOrFloatBitWidth() != bits) {
    auto numbers = dyn_cast<DenseIntElementsAttr>(initial);
    if (!numbers)
      return std::nullopt;
    initial = widenNumbers(numbers, bits);
  }
  std::optional<ArrayRef<char>> given = getElementBytes(initial);
  if (!given)
    return std::nullopt;
  return std::string(given->begin(), given->end());
}

/// The last arguments of a function and the last results are variables.
static LogicalResult readVariables(func::FuncOp func,
                                   FunctionSignature &signature) {
  SmallVector<legalize::LiftedVariable> state = legalize::getState(func);
  size_t first = signature.arguments.size() - state.size();
  for (auto [i, lifted] : llvm::enumerate(state)) {
    VariableSignature &variable = signature.variables.emplace_back();
    variable.name = lifted.name;
    variable.type = std::move(signature.arguments[first + i]);
    variable.isWritten = lifted.isWritten;
    if (lifted.isWritten)
      signature.results.pop_back();
    auto type = cast<RankedTensorType>(func.getArgumentTypes()[first + i]);
    ArrayRef<int64_t> extents = lifted.initial
                                    ? lifted.initial.getShapedType().getShape()
                                    : type.getShape();
    variable.initialExtents.assign(extents.begin(), extents.end());
    if (!lifted.initial)
      continue;
    std::optional<std::string> bytes = readInitial(
        lifted.initial, 8 * broadloomElementBytes(variable.type.elementType));
    if (!bytes)
      return func.emitError()
             << "the first value of the variable '" << lifted.name
             << "' is not in the program; was it left out of the text?";
    variable.initial = std::move(*bytes);
  }
  signature.arguments.resize(first);
  return success();
}

/// Whether the program writes memory of which several elements have one place,
/// which then are written wherever they are arguments.
static bool accumulates(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return op->hasAttr(loom::kAccumulates) || isa<memref::AtomicRMWOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool broadloom::readSignatures(ModuleOp module,
                               std::vector<FunctionSignature> &signatures) {
  bool areGood = true;
  bool areWritten = accumulates(module);
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic())
      continue;
    FunctionSignature &signature = signatures.emplace_back();
    bool isGood = true;
    signature.name = func.getName().str();
    SmallVector<legalize::LiftedVariable> state = legalize::getState(func);
    size_t first = func.getNumArguments() - state.size();
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
      BlockArgument argument = func.getArgument(i);
      std::string what = i < first ? loom::getArgumentText(argument)
                                   : "variable '" + state[i - first].name + "'";
      bool isRead = succeeded(readType(
          func, what, type,
          func.getArgAttrOfType<loom::ExtentsAttr>(i, loom::ExtentsAttr::kKey),
          signature.arguments));
      if (isRead && i < first)
        signature.arguments.back().name = loom::getArgumentName(argument);
      if (auto memory = dyn_cast<MemRefType>(type); isRead && memory)
        signature.arguments.back().isReadOnly =
            !areWritten && loom::findSharedPlace(memory);
      isGood &= isRead;
    }
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      isGood &= succeeded(readType(func, "result " + Twine(i), type, nullptr,
                                   signature.results));
    areGood &= isGood && succeeded(readVariables(func, signature));
  }
  return areGood;
}

void broadloom::noteObstacles(ModuleOp module,
                              std::vector<FunctionSignature> &functions) {
  SymbolTable symbols(module);
  for (FunctionSignature &function : functions)
    if (auto why = symbols.lookup(function.name)
                       ->getAttrOfType<StringAttr>(infer::kNoShapeQuery))
      function.whyNoShapes = why.getValue();
}
