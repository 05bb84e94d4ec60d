//===- ReadConstants.cpp - types and constants of files -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/Values.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace broadloom::read;
using llvm::Expected;

// Passes read the values of smaller constants.
static constexpr int64_t kFewElements = 4096;

namespace {
struct TypeRow {
  DType type;
  const char *name;
  unsigned fileBits;
};
} // namespace

static constexpr TypeRow kTypes[] = {
    {DType::Unknown, "UNKNOWN", 0},   {DType::Bool, "BOOL", 8},
    {DType::Int4, "INT4", 4},         {DType::Int8, "INT8", 8},
    {DType::Int16, "INT16", 16},      {DType::Int32, "INT32", 32},
    {DType::Int48, "INT48", 48},      {DType::FP32, "FP32", 32},
    {DType::FP16, "FP16", 16},        {DType::BF16, "BF16", 16},
    {DType::Shape, "SHAPE", 64},      {DType::FP8E4M3, "FP8E4M3", 8},
    {DType::FP8E5M2, "FP8E5M2", 8},   {DType::FP6E2M3, "FP6E2M3", 0},
    {DType::FP6E3M2, "FP6E3M2", 0},   {DType::FP4E2M1, "FP4E2M1", 0},
    {DType::FP8UE8M0, "FP8UE8M0", 0}, {DType::Int64, "INT64", 64},
    {DType::MXInt8, "MXINT8", 0},
};

static const TypeRow *findRow(DType type) {
  const auto *row = llvm::find_if(
      kTypes, [&](const TypeRow &row) { return row.type == type; });
  return row == std::end(kTypes) ? nullptr : row;
}

std::string broadloom::read::describe(DType type) {
  const TypeRow *row = findRow(type);
  return row ? row->name : "type " + std::to_string(uint32_t(type));
}

unsigned broadloom::read::getFileBits(DType type) {
  const TypeRow *row = findRow(type);
  return row ? row->fileBits : 0;
}

Type broadloom::read::getElementType(DType type, MLIRContext *context) {
  switch (type) {
  case DType::Bool:
    return IntegerType::get(context, 1);
  case DType::Int4:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int48:
  case DType::Int64:
    return IntegerType::get(context, getFileBits(type));
  case DType::FP32:
    return Float32Type::get(context);
  case DType::FP16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::FP8E4M3:
    return Float8E4M3FNType::get(context);
  case DType::FP8E5M2:
    return Float8E5M2Type::get(context);
  default:
    return {};
  }
}

DType broadloom::read::getDType(Type element) {
  for (const TypeRow &row : kTypes)
    if (Type type = getElementType(row.type, element.getContext());
        type && type == element)
      return row.type;
  // Types in files have no signs.
  if (element.isUnsignedInteger() || element.isSignedInteger())
    return getDType(IntegerType::get(element.getContext(),
                                     element.getIntOrFloatBitWidth()));
  return DType::Unknown;
}

Expected<TensorType> broadloom::read::readType(const TensorTable &tensor,
                                               MLIRContext *context) {
  Type element = getElementType(tensor.type(), context);
  if (!element)
    return makeError("has elements of ", describe(tensor.type()),
                     ", which are not supported");
  if (tensor.isUnranked())
    return UnrankedTensorType::get(element);
  SmallVector<int64_t> extents;
  const Integers *shape = tensor.shape();
  if (shape && shape->size() > kMaxAxes)
    return makeError("has ", shape->size(), " axes, more than the ", kMaxAxes,
                     " that TOSA has");
  for (unsigned i = 0; shape && i < shape->size(); ++i) {
    int32_t extent = shape->Get(i);
    if (extent < -1)
      return makeError("has the extent ", extent, " along axis ", i);
    extents.push_back(extent == -1 ? ShapedType::kDynamic : extent);
  }
  return RankedTensorType::get(extents, element);
}

Expected<ArrayRef<uint8_t>> broadloom::read::findData(const TensorTable &tensor,
                                                      StringRef file) {
  if (const Bytes *data = tensor.data(); data && data->size() != 0)
    return ArrayRef<uint8_t>(data->data(), data->size());
  uint64_t offset = tensor.offset(), size = tensor.size();
  // The offset is 0 or 1 in files with data in tables.
  if (offset <= 1)
    return ArrayRef<uint8_t>();
  if (offset > file.size() || size > file.size() - offset)
    return makeError("has its data in ", size, " bytes from ", offset,
                     " on, but the file has ", file.size());
  return ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(file.data()) + offset, size);
}

/// The bytes of `count` elements in a file; nothing if they exceed 2^64.
static std::optional<uint64_t> countTensorBytes(ArrayRef<int64_t> extents,
                                                unsigned bits) {
  uint64_t count = 1;
  for (int64_t extent : extents) {
    bool overflows = false;
    count = llvm::SaturatingMultiply(count, uint64_t(extent), &overflows);
    if (overflows)
      return std::nullopt;
  }
  bool overflows = false;
  uint64_t all = llvm::SaturatingMultiply(count, uint64_t(bits), &overflows);
  if (overflows)
    return std::nullopt;
  return llvm::divideCeil(all, 8);
}

/// Element `i` of a list of integers of any width.
static uint64_t readBits(ArrayRef<uint8_t> data, uint64_t i, unsigned bits) {
  if (bits == 4)
    return (data[i / 2] >> (i % 2 * 4)) & 0xf;
  uint64_t word = 0;
  for (unsigned byte = 0; byte < bits / 8; ++byte)
    word |= uint64_t(data[i * (bits / 8) + byte]) << (8 * byte);
  return word;
}

/// A constant whose elements are read one by one.
static Attribute readElements(ArrayRef<uint8_t> data, RankedTensorType type,
                              unsigned bits) {
  Type element = type.getElementType();
  unsigned width = element.getIntOrFloatBitWidth();
  SmallVector<APInt> values;
  values.reserve(type.getNumElements());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    uint64_t word = readBits(data, i, bits);
    values.emplace_back(width, width == 1 ? word != 0 : word);
  }
  if (auto kind = dyn_cast<FloatType>(element)) {
    auto floats = llvm::map_to_vector(values, [&](const APInt &value) {
      return APFloat(kind.getFloatSemantics(), value);
    });
    return DenseElementsAttr::get(type, floats);
  }
  return DenseElementsAttr::get(type, values);
}

/// A constant that refers to the file, which it keeps alive.
static Attribute referTo(ArrayRef<uint8_t> data, RankedTensorType type,
                         unsigned bytes, const SourceFile &file) {
  ArrayRef<char> chars(reinterpret_cast<const char *>(data.data()),
                       data.size());
  bool isAligned = reinterpret_cast<uintptr_t>(chars.data()) % bytes == 0;
  AsmResourceBlob blob =
      isAligned
          ? UnmanagedAsmResourceBlob::allocateWithAlign(
                chars, bytes, [owner = file.sources](void *, size_t, size_t) {})
          : HeapAsmResourceBlob::allocateAndCopyWithAlign(chars, bytes);
  return DenseResourceElementsAttr::get(type, "constant", std::move(blob));
}

Expected<Attribute> broadloom::read::readConstant(const TensorTable &tensor,
                                                  RankedTensorType type,
                                                  const SourceFile &file) {
  if (!type.hasStaticShape())
    return makeError("is a constant of type ", type,
                     ", whose extents must be static");
  Expected<ArrayRef<uint8_t>> data = findData(tensor, file.contents);
  if (!data)
    return data.takeError();
  unsigned bits = getFileBits(tensor.type());
  std::optional<uint64_t> bytes = countTensorBytes(type.getShape(), bits);
  // Some writers pad to a multiple of 8 bytes.
  if (!bytes || data->size() < *bytes || data->size() - *bytes >= 8)
    return makeError("has ", data->size(), " bytes of data, but ", type,
                     " needs ",
                     bytes ? std::to_string(*bytes) : "more than 2^64");
  *data = data->take_front(*bytes);
  // Elements that have another form in a resource, or small constants.
  if (bits < 8 || bits == 48 || tensor.type() == DType::Bool ||
      type.getNumElements() < kFewElements)
    return readElements(*data, type, bits);
  return referTo(*data, type, bits / 8, file);
}

Expected<SmallVector<int64_t>>
broadloom::read::readShape(const ShapeTable &shape) {
  uint64_t size = shape.data() ? shape.data()->size() : 0;
  uint64_t needed = uint64_t(shape.rank()) * 8;
  // Some writers write one number for an empty shape.
  if (size != needed && !(needed == 0 && size == 8))
    return makeError("has ", size, " bytes of data, but a shape of ",
                     shape.rank(), " numbers needs ", needed);
  SmallVector<int64_t> numbers;
  for (uint32_t i = 0; i < shape.rank(); ++i)
    numbers.push_back(int64_t(
        readBits(ArrayRef<uint8_t>(shape.data()->data(), needed), i, 64)));
  return numbers;
}
