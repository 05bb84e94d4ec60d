//===- GivenValues.cpp - values of arguments in a question ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/GivenValues.h"

#include "dialect/ArgumentName.h"
#include "dialect/ShapeConversion.h"
#include "runtime/calls/ElementTypes.h"
#include "shape/Shape.h"
#include "shape/Symbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;

std::optional<BroadloomElementType>
broadloom::takeElementType(StringRef &text) {
  size_t last = text.rfind('x');
  StringRef name = last == StringRef::npos ? text : text.drop_front(last + 1);
  auto type = elementTypeFromName(name);
  if (type)
    text = last == StringRef::npos ? StringRef() : text.take_front(last);
  return type;
}

/// The limit up to which shape functions read elements.
static constexpr int64_t kMaxElements = 4096;

/// The numbers of `text` as attributes of `type`; nothing if one is not a
/// number.
static std::optional<SmallVector<TypedAttr>> readNumbers(StringRef text,
                                                         Type type) {
  SmallVector<StringRef> words;
  SmallVector<TypedAttr> numbers;
  llvm::SplitString(text, words, " ,;[]\t\n");
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  for (StringRef word : words) {
    if (width == 1 && (word == "true" || word == "false"))
      word = word == "true" ? "1" : "0";
    int64_t number;
    if (word.getAsInteger(0, number) ||
        (width == 1 ? number < 0 || number > 1 : !llvm::isIntN(width, number)))
      return std::nullopt;
    numbers.push_back(
        IntegerAttr::get(type, APInt(width, number, /*isSigned=*/width > 1)));
  }
  return numbers;
}

/// The extents of a tensor that is written as `2x3xi64`; nothing if they are
/// not all numbers.
static std::optional<SmallVector<int64_t>> readExtents(StringRef text) {
  SmallVector<int64_t> extents;
  int64_t count = 1;
  while (text.contains('x')) {
    auto [first, rest] = text.split('x');
    int64_t extent;
    // The rest is an element type, such as `index`.
    if (first.getAsInteger(10, extent))
      break;
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count) ||
        count > kMaxElements)
      return std::nullopt;
    extents.push_back(extent);
    text = rest;
  }
  return extents;
}

static bool decidesExtents(BlockArgument argument) {
  return getElementTypeOrSelf(argument).isSignlessIntOrIndex();
}

static std::string useValues(func::FuncOp function, unsigned index,
                             StringRef shape, StringRef values) {
  BlockArgument argument = function.getArgument(index);
  auto tensor = dyn_cast<TensorType>(argument.getType());
  Type element = getElementTypeOrSelf(argument);
  auto wrong = [&](const Twine &why) {
    return (loom::getArgumentText(argument) + ": '" + shape + "=" + values +
            "' " + why)
        .str();
  };
  std::optional<SmallVector<int64_t>> extents = readExtents(shape);
  std::optional<SmallVector<TypedAttr>> numbers = readNumbers(values, element);
  std::string name;
  llvm::raw_string_ostream(name) << element;
  if (!numbers)
    return wrong("has a value that is no " + name);
  if (!extents || (!tensor && !extents->empty()) ||
      (tensor && tensor.hasRank() &&
       tensor.getRank() != static_cast<int64_t>(extents->size())))
    return wrong("is no value of the argument; write it as i64=4 or as "
                 "2xi64=3 4");
  int64_t count = 1;
  for (int64_t extent : *extents)
    count *= extent;
  if (numbers->size() == 1)
    numbers->resize(count, numbers->front());
  if (static_cast<int64_t>(numbers->size()) != count)
    return wrong("has " + Twine(numbers->size()) + " values for " +
                 Twine(count) + " elements");
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = argument.getLoc();
  SmallVector<Value> elements;
  for (TypedAttr number : *numbers)
    elements.push_back(arith::ConstantOp::create(builder, loc, number));
  if (!tensor) {
    argument.replaceAllUsesWith(elements.front());
    return "";
  }
  auto type = RankedTensorType::get(*extents, element);
  // A text that does not fit the argument is an error of its shape, later.
  if (!tensor::CastOp::areCastCompatible(type, tensor))
    return "";
  Value made = tensor::FromElementsOp::create(builder, loc, type, elements);
  if (type != tensor)
    made = tensor::CastOp::create(builder, loc, tensor, made);
  argument.replaceAllUsesWith(made);
  return "";
}

/// Gives an argument the extents that the question has for it.
static void useShape(BlockArgument argument, StringRef text) {
  auto type = dyn_cast<TensorType>(argument.getType());
  (void)takeElementType(text);
  Symbols symbols;
  std::optional<Shape> shape = parseShape(text, &symbols);
  if (!type || !shape || !shape->isRanked())
    return;
  TensorType known = withShape(type, *shape);
  // A text that does not fit the argument is an error of its shape, later.
  if (!known || known == type ||
      !tensor::CastOp::areCastCompatible(known, type))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  Location loc = argument.getLoc();
  auto to = tensor::CastOp::create(builder, loc, known, argument);
  auto back = tensor::CastOp::create(builder, loc, type, to);
  argument.replaceAllUsesExcept(back, to);
}

std::string broadloom::useGivenValues(func::FuncOp function,
                                      std::vector<std::string> &arguments) {
  bool areKnown = false;
  for (auto [i, text] : llvm::enumerate(arguments)) {
    auto [shape, values] = StringRef(text).split('=');
    if (shape.size() == text.size() || i >= function.getNumArguments())
      continue;
    // `?` says that the value is not known, as it does of an extent.
    if (values.trim() != "?" && decidesExtents(function.getArgument(i))) {
      std::string error = useValues(function, i, shape.trim(), values);
      if (!error.empty())
        return error;
      areKnown = true;
    }
    text = shape.trim().str();
  }
  // The variables follow the arguments.
  if (areKnown)
    for (auto [argument, text] : llvm::zip(function.getArguments(), arguments))
      if (!argument.use_empty())
        useShape(argument, text);
  return "";
}
