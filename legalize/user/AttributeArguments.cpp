//===- AttributeArguments.cpp - attributes as values ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/user/AttributeArguments.h"

#include "legalize/user/References.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

/// A number as an attribute of `type`; null if it does not fit.
static TypedAttr convertNumber(Attribute attribute, Type type) {
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    auto wanted = dyn_cast<FloatType>(type);
    if (!wanted)
      return {};
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(wanted.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(type, value);
  }
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || !type.isIntOrIndex())
    return {};
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  APInt value = number.getValue();
  // As in the text: an i1 is 0 or 1, other integers are signed.
  bool isSigned =
      value.getBitWidth() != 1 && !number.getType().isUnsignedInteger();
  bool fits =
      isSigned && width != 1 ? value.isSignedIntN(width) : value.isIntN(width);
  if (!fits)
    return {};
  return IntegerAttr::get(type, isSigned ? value.sextOrTrunc(width)
                                         : value.zextOrTrunc(width));
}

/// The numbers of a list, or nothing.
static std::optional<SmallVector<Attribute>> readList(Attribute attribute) {
  SmallVector<Attribute> numbers;
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    numbers.assign(array.begin(), array.end());
    return numbers;
  }
  auto dense = dyn_cast<DenseArrayAttr>(attribute);
  if (!dense)
    return std::nullopt;
  Builder builder(attribute.getContext());
  auto add = [&](auto list, auto make) {
    for (auto value : list.asArrayRef())
      numbers.push_back(make(value));
    return numbers;
  };
  if (auto list = dyn_cast<DenseI64ArrayAttr>(dense))
    return add(list, [&](int64_t n) { return builder.getI64IntegerAttr(n); });
  if (auto list = dyn_cast<DenseI32ArrayAttr>(dense))
    return add(list, [&](int32_t n) { return builder.getI32IntegerAttr(n); });
  if (auto list = dyn_cast<DenseF32ArrayAttr>(dense))
    return add(list, [&](float n) { return builder.getF32FloatAttr(n); });
  if (auto list = dyn_cast<DenseBoolArrayAttr>(dense))
    return add(list, [&](bool n) { return builder.getBoolAttr(n); });
  return std::nullopt;
}

/// An attribute as a value of `type`, a list of any length where that is open;
/// null if it is not one.
static TypedAttr convert(Attribute attribute, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return convertNumber(attribute, type);
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return succeeded(verifyCompatibleShape(elements.getType(), type)) &&
                   elements.getElementType() == tensor.getElementType()
               ? TypedAttr(elements)
               : TypedAttr();
  std::optional<SmallVector<Attribute>> list = readList(attribute);
  if (!list || tensor.getRank() != 1)
    return {};
  auto size = static_cast<int64_t>(list->size());
  if (tensor.isDynamicDim(0))
    tensor = RankedTensorType::get({size}, tensor.getElementType());
  else if (tensor.getDimSize(0) != size)
    return {};
  for (Attribute &number : *list) {
    number = convertNumber(number, tensor.getElementType());
    if (!number)
      return {};
  }
  return DenseElementsAttr::get(tensor, *list);
}

/// An attribute converted to the type or kind of `like`; null if that is not
/// possible.
static Attribute convertLike(Attribute attribute, Attribute like) {
  if (isa<IntegerAttr, FloatAttr>(like))
    return convertNumber(attribute, cast<TypedAttr>(like).getType());
  Builder builder(like.getContext());
  if (auto dense = dyn_cast<DenseArrayAttr>(like)) {
    std::optional<SmallVector<Attribute>> list = readList(attribute);
    if (!list || !dense.getElementType().isInteger(64))
      return attribute.getTypeID() == like.getTypeID() ? attribute
                                                       : Attribute();
    SmallVector<int64_t> numbers;
    for (Attribute number : *list) {
      auto converted = dyn_cast_or_null<IntegerAttr>(
          convertNumber(number, dense.getElementType()));
      if (!converted)
        return {};
      numbers.push_back(converted.getInt());
    }
    return builder.getDenseI64ArrayAttr(numbers);
  }
  auto typed = dyn_cast<TypedAttr>(like);
  if (typed && (!isa<TypedAttr>(attribute) ||
                cast<TypedAttr>(attribute).getType() != typed.getType()))
    return {};
  return attribute.getTypeID() == like.getTypeID() ? attribute : Attribute();
}

LogicalResult legalize::checkTakenAttributes(Operation *inner,
                                             func::FuncOp function) {
  Attribute taken = inner->getAttr(kTakenAttributes);
  if (!taken)
    return success();
  if (!function->hasAttr(infer::kImplementsAttr))
    return inner->emitError("takes attributes, but '@")
           << function.getName() << "' implements no operation";
  auto names = dyn_cast<DictionaryAttr>(taken);
  if (!names)
    return inner->emitError("'")
           << kTakenAttributes << "' must be names of attributes, such as "
           << "{axis = \"axis\"}, but is " << taken;
  for (NamedAttribute entry : names) {
    if (!isa<StringAttr>(entry.getValue()))
      return inner->emitError("'")
             << kTakenAttributes << "': " << entry.getName()
             << " must be the name of an attribute, but is "
             << entry.getValue();
    if (!inner->getAttr(entry.getName()))
      return inner->emitError("'")
             << kTakenAttributes << "': the operation has no attribute "
             << entry.getName()
             << "; write one, which stands where the other is missing";
  }
  return success();
}

LogicalResult legalize::takeAttributes(Operation *clone, Operation *op) {
  auto names = clone->getAttrOfType<DictionaryAttr>(kTakenAttributes);
  if (!names)
    return success();
  clone->removeAttr(kTakenAttributes);
  for (NamedAttribute entry : names) {
    StringRef outer = cast<StringAttr>(entry.getValue()).getValue();
    Attribute attribute = op->getAttr(outer);
    if (!attribute)
      continue;
    Attribute like = clone->getAttr(entry.getName());
    Attribute value = convertLike(attribute, like);
    if (!value)
      return op->emitError("attribute \"")
             << outer << "\" is " << attribute << ", which cannot stand for "
             << entry.getName() << " = " << like << " of '" << clone->getName()
             << "' in its reference implementation";
    // Checks the requirements of the operation's definition.
    NamedAttrList all(clone->getAttrDictionary());
    all.set(entry.getName(), value);
    auto registered = clone->getRegisteredInfo();
    if (registered && failed(registered->verifyInherentAttrs(all, [&] {
          return op->emitError("attribute \"")
                 << outer << "\" is " << attribute << ", but for '"
                 << clone->getName() << "' ";
        })))
      return failure();
    clone->setAttr(entry.getName(), value);
  }
  return success();
}

FailureOr<Value> legalize::makeAttributeValue(OpBuilder &builder, Operation *op,
                                              func::FuncOp function,
                                              unsigned index) {
  auto name = cast<StringAttr>(function.getArgAttr(index, kAttributeArg));
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    attribute = function.getArgAttr(index, kAttributeDefault);
  auto error = [&](const Twine &text) -> LogicalResult {
    InFlightDiagnostic diagnostic = op->emitError("attribute ")
                                    << name << " " << text;
    diagnostic.attachNote(function.getLoc())
        << "argument " << index << " of its reference implementation '@"
        << function.getName() << "'";
    return diagnostic;
  };
  if (!attribute)
    return error("is missing");
  Type type = function.getArgumentTypes()[index];
  TypedAttr value = convert(attribute, type);
  if (!value) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "is " << attribute << ", which is no value of type " << type;
    return error(text);
  }
  Value constant = arith::ConstantOp::create(builder, op->getLoc(), value);
  if (constant.getType() == type)
    return constant;
  return tensor::CastOp::create(builder, op->getLoc(), type, constant)
      .getResult();
}
