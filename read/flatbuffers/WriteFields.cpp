//===- WriteFields.cpp - attributes and constants as files have them ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/FileWriter.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace broadloom::read;

/// Appends an element of `bits` bits; two of 4 bits share a byte.
static void append(std::vector<uint8_t> &bytes, uint64_t word, unsigned bits,
                   bool isSecond) {
  if (bits == 4 && isSecond) {
    bytes.back() |= uint8_t((word & 0xf) << 4);
    return;
  }
  if (bits == 4)
    word &= 0xf;
  for (unsigned i = 0; i < std::max(bits, 8u); i += 8)
    bytes.push_back(uint8_t(word >> i));
}

unsigned broadloom::read::getBits(Type element) {
  return element.isIndex() ? 64 : getFileBits(getDType(element));
}

/// A resource has whole bytes for each element.
static std::optional<std::vector<uint8_t>>
writeResource(DenseResourceElementsAttr resource) {
  const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  unsigned bits = getBits(resource.getElementType());
  uint64_t count = resource.getNumElements();
  if (!blob || bits == 0 || count == 0 || blob->getData().size() % count != 0)
    return std::nullopt;
  ArrayRef<char> data = blob->getData();
  size_t width = data.size() / count;
  if (bits >= 8 && width == bits / 8)
    return std::vector<uint8_t>(data.begin(), data.end());
  if (width > 8)
    return std::nullopt;
  std::vector<uint8_t> bytes;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, &data[i * width], width);
    append(bytes, word, bits, i % 2);
  }
  return bytes;
}

std::optional<std::vector<uint8_t>>
broadloom::read::writeConstant(Attribute value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return writeResource(resource);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  Type element = dense.getElementType();
  unsigned bits = getBits(element);
  if (bits == 0)
    return std::nullopt;
  std::vector<uint8_t> bytes;
  bytes.reserve(dense.getNumElements() * std::max(bits / 8, 1u));
  uint64_t i = 0;
  if (isa<FloatType>(element))
    for (const APFloat &number : dense.getValues<APFloat>())
      append(bytes, number.bitcastToAPInt().getZExtValue(), bits, i++ % 2);
  else
    for (const APInt &number : dense.getValues<APInt>())
      append(bytes, number.getZExtValue(), bits, i++ % 2);
  return bytes;
}

/// The number of an enumerator, a type or an integer.
static std::optional<uint32_t> getNumber(Attribute value) {
  if (auto mode = dyn_cast<tosa::NanPropagationModeAttr>(value))
    return uint32_t(mode.getValue());
  if (auto mode = dyn_cast<tosa::RoundingModeAttr>(value))
    return uint32_t(mode.getValue());
  if (auto mode = dyn_cast<tosa::ResizeModeAttr>(value))
    return uint32_t(mode.getValue());
  if (auto size = dyn_cast<tosa::BlockSizeAttr>(value))
    return uint32_t(size.getValue());
  if (auto type = dyn_cast<TypeAttr>(value))
    return uint32_t(getDType(type.getValue()));
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return uint32_t(integer.getValue().getSExtValue());
  return std::nullopt;
}

/// The bytes of an element, or of a text.
static std::vector<uint8_t> getBytes(Attribute value) {
  std::vector<uint8_t> bytes;
  if (auto text = dyn_cast<StringAttr>(value))
    bytes.assign(text.begin(), text.end());
  else if (auto real = dyn_cast<FloatAttr>(value))
    append(bytes, real.getValue().bitcastToAPInt().getZExtValue(),
           getBits(real.getType()), false);
  else if (auto integer = dyn_cast<IntegerAttr>(value))
    append(bytes, integer.getValue().getZExtValue(), getBits(integer.getType()),
           false);
  return bytes;
}

static std::vector<int32_t> getIntegers(Attribute value) {
  if (auto wide = dyn_cast<DenseI64ArrayAttr>(value))
    return std::vector<int32_t>(wide.asArrayRef().begin(),
                                wide.asArrayRef().end());
  if (auto narrow = dyn_cast<DenseI32ArrayAttr>(value))
    return std::vector<int32_t>(narrow.asArrayRef().begin(),
                                narrow.asArrayRef().end());
  return {};
}

FailureOr<FileWriter::Offset>
FileWriter::writeAttribute(Operation *op, const OperationForm &form,
                           ArrayRef<std::string> graphs) {
  // Lists and texts are written before the table that refers to them.
  flatbuffers::Offset<void> parts[kMaxFields];
  Attribute values[kMaxFields];
  for (unsigned i = 0; i < kMaxFields && form.fields[i].name; ++i) {
    const Field &field = form.fields[i];
    values[i] = op->getAttr(field.name);
    if (field.kind == FieldKind::Graph) {
      parts[i] = builder.CreateString(graphs[i]).Union();
      continue;
    }
    // An absent field has its default value, such as false.
    if (!values[i])
      continue;
    if (field.kind == FieldKind::Ints || field.kind == FieldKind::NarrowInts)
      parts[i] = builder.CreateVector(getIntegers(values[i])).Union();
    else if (field.kind == FieldKind::Element ||
             field.kind == FieldKind::Bytes) {
      std::vector<uint8_t> bytes = getBytes(values[i]);
      builder.ForceVectorAlignment(bytes.size(), 1, 8);
      parts[i] = builder.CreateVector(bytes).Union();
    } else if (field.kind == FieldKind::Text)
      parts[i] =
          builder.CreateString(cast<StringAttr>(values[i]).str()).Union();
    else if (!getNumber(values[i]))
      return op->emitOpError("has an attribute '")
             << field.name << "' that a TOSA file has not";
  }
  auto start = builder.StartTable();
  for (unsigned i = 0; i < kMaxFields && form.fields[i].name; ++i) {
    if (!parts[i].IsNull())
      builder.AddOffset(slot(i), parts[i]);
    else if (values[i] && form.fields[i].kind == FieldKind::Bool)
      builder.AddElement<uint8_t>(slot(i), *getNumber(values[i]) != 0, 0);
    else if (values[i])
      builder.AddElement<uint32_t>(slot(i), *getNumber(values[i]), 0);
  }
  return Offset(builder.EndTable(start));
}
