//===- ReadFields.cpp - attributes of operations in files -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/Values.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom::read;
using llvm::Expected;

/// An element of a list of bytes.
static Expected<Attribute> readElement(const Bytes *bytes, Type type) {
  if (!type)
    return makeError("has no operand whose elements would be of its type");
  unsigned bits = getFileBits(getDType(type));
  size_t size = bytes ? bytes->size() : 0;
  // Some writers pad to a multiple of 8 bytes.
  if (bits < 8 || size < bits / 8 || size - bits / 8 >= 8)
    return makeError("has ", size, " bytes, but an element of type ", type,
                     " has ", bits / 8);
  uint64_t word = 0;
  for (unsigned i = 0; i < bits / 8; ++i)
    word |= uint64_t(bytes->Get(i)) << (8 * i);
  APInt value(type.getIntOrFloatBitWidth(), word, /*isSigned=*/false,
              /*implicitTrunc=*/true);
  if (auto kind = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat(kind.getFloatSemantics(), value));
  return IntegerAttr::get(type, value);
}

/// An enumerator that has the same number in MLIR.
template <typename Attr, typename Symbolize>
static Expected<Attribute> readEnumerator(uint32_t number, Symbolize symbolize,
                                          MLIRContext *context) {
  if (auto value = symbolize(number))
    return Attr::get(context, *value);
  return makeError("is ", number, ", which is none of the values it has");
}

static Expected<Attribute> readField(FieldKind kind, unsigned index,
                                     const AnyTable &table, Type element,
                                     MLIRContext *context) {
  Builder builder(context);
  uint32_t number = 0;
  if (kind == FieldKind::Int || kind == FieldKind::Type ||
      kind == FieldKind::NanMode || kind == FieldKind::Rounding ||
      kind == FieldKind::Resize || kind == FieldKind::BlockSize)
    number = table.get<uint32_t>(index, 0);
  switch (kind) {
  case FieldKind::Int:
    return builder.getI32IntegerAttr(int32_t(number));
  case FieldKind::Bool:
    return builder.getBoolAttr(table.get<uint8_t>(index, 0) != 0);
  case FieldKind::Ints:
  case FieldKind::NarrowInts: {
    const auto *list = table.get<Integers>(index);
    SmallVector<int32_t> values;
    for (unsigned i = 0; list && i < list->size(); ++i)
      values.push_back(list->Get(i));
    if (kind == FieldKind::NarrowInts)
      return builder.getDenseI32ArrayAttr(values);
    return builder.getDenseI64ArrayAttr(llvm::to_vector_of<int64_t>(values));
  }
  case FieldKind::Type:
    if (Type type = getElementType(DType(number), context))
      return TypeAttr::get(type);
    return makeError("is ", describe(DType(number)),
                     ", which is no type of elements here");
  case FieldKind::NanMode:
    // Files from before the mode was added have none.
    if (number == 0)
      return Attribute();
    return readEnumerator<tosa::NanPropagationModeAttr>(
        number, [](uint32_t n) { return tosa::symbolizeNanPropagationMode(n); },
        context);
  case FieldKind::Rounding:
    return readEnumerator<tosa::RoundingModeAttr>(
        number, [](uint32_t n) { return tosa::symbolizeRoundingMode(n); },
        context);
  case FieldKind::Resize:
    return readEnumerator<tosa::ResizeModeAttr>(
        number, [](uint32_t n) { return tosa::symbolizeResizeMode(n); },
        context);
  case FieldKind::BlockSize:
    if (number == 32)
      return tosa::BlockSizeAttr::get(context, tosa::BlockSize::BLOCK_SIZE_32);
    return makeError("is ", number, ", which is none of the values it has");
  case FieldKind::Element:
    return readElement(table.get<Bytes>(index), element);
  case FieldKind::Text:
    return builder.getStringAttr(toRef(table.get<Text>(index)));
  case FieldKind::Bytes: {
    const auto *bytes = table.get<Bytes>(index);
    return builder.getStringAttr(
        bytes ? StringRef(reinterpret_cast<const char *>(bytes->data()),
                          bytes->size())
              : StringRef());
  }
  case FieldKind::Graph:
    return Attribute();
  }
  llvm_unreachable("all kinds are above");
}

Expected<NamedAttrList> broadloom::read::readFields(const OperationForm &form,
                                                    const AnyTable *attribute,
                                                    Type element,
                                                    MLIRContext *context) {
  NamedAttrList fields;
  for (unsigned i = 0; i < kMaxFields && form.fields[i].name; ++i) {
    if (!attribute)
      return makeError("has no attribute; it needs '", form.fields[i].name,
                       "'");
    Expected<Attribute> value =
        readField(form.fields[i].kind, i, *attribute, element, context);
    if (!value)
      return makeError("attribute '", form.fields[i].name, "' ",
                       llvm::toString(value.takeError()));
    if (*value)
      fields.append(form.fields[i].name, *value);
  }
  return fields;
}
