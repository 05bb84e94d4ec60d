//===- CustomOptions.cpp - options of custom operations -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/tflite/CustomOptions.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

// Numbers are not read from texts, which would need the library besides the
// headers.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0
#include <flatbuffers/flexbuffers.h>

using namespace mlir;
using namespace broadloom;

/// The fields of the structure that the options of this operator are, each of 4
/// bytes; none for an operator whose options are a map. A structure may have
/// further fields behind these, which only its own runtime uses.
static ArrayRef<StringLiteral> getFields(StringRef operatorName) {
  static constexpr StringLiteral pool[] = {"padding",       "stride_width",
                                           "stride_height", "filter_width",
                                           "filter_height", "activation"};
  static constexpr StringLiteral convolution[] = {"padding", "stride_width",
                                                  "stride_height"};
  return llvm::StringSwitch<ArrayRef<StringLiteral>>(operatorName)
      .Cases({"MaxPoolingWithArgmax2D", "MaxUnpooling2D"}, pool)
      .Case("Convolution2DTransposeBias", convolution)
      .Default({});
}

template <typename List>
static Attribute makeArray(Builder &builder, List list) {
  bool isFloat = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].IsNumeric() && !list[i].IsBool())
      return {};
    isFloat |= list[i].IsFloat();
  }
  SmallVector<float> floats;
  SmallVector<int64_t> integers;
  for (size_t i = 0; i < list.size(); ++i)
    if (isFloat)
      floats.push_back(list[i].AsFloat());
    else
      integers.push_back(list[i].AsInt64());
  return isFloat ? Attribute(builder.getDenseF32ArrayAttr(floats))
                 : Attribute(builder.getDenseI64ArrayAttr(integers));
}

/// A value of a map as an attribute; null for a kind that no reference reads.
static Attribute convert(Builder &builder, flexbuffers::Reference value) {
  if (value.IsBool())
    return builder.getBoolAttr(value.AsBool());
  if (value.IsIntOrUint())
    return builder.getI64IntegerAttr(value.AsInt64());
  if (value.IsFloat())
    return builder.getF64FloatAttr(value.AsDouble());
  if (value.IsString())
    return builder.getStringAttr(value.AsString().str());
  if (value.IsTypedVector())
    return makeArray(builder, value.AsTypedVector());
  if (value.IsFixedTypedVector())
    return makeArray(builder, value.AsFixedTypedVector());
  if (value.IsUntypedVector())
    return makeArray(builder, value.AsVector());
  return {};
}

static void readOptions(tosa::CustomOp op) {
  StringRef data = op.getImplementationAttrs();
  Builder builder(op.getContext());
  auto add = [&](StringRef name, Attribute value) {
    // A name with a point is that of a dialect's attribute.
    if (value && !name.empty() && !name.contains('.') && !op->hasAttr(name))
      op->setAttr(name, value);
  };
  ArrayRef<StringLiteral> fields = getFields(op.getOperatorName());
  if (!fields.empty()) {
    for (auto [i, name] : llvm::enumerate(fields))
      if (data.size() >= (i + 1) * 4)
        add(name, builder.getI64IntegerAttr(static_cast<int32_t>(
                      llvm::support::endian::read32le(data.data() + i * 4))));
    // As TOSA has it, for references.
    auto high = op->getAttrOfType<IntegerAttr>("stride_height");
    auto wide = op->getAttrOfType<IntegerAttr>("stride_width");
    if (high && wide)
      add("stride",
          builder.getDenseI64ArrayAttr({high.getInt(), wide.getInt()}));
    return;
  }
  // A copy, because numbers are aligned from the beginning of the buffer.
  std::vector<uint8_t> bytes(data.begin(), data.end());
  // With a tracker, vectors that are shared are verified once.
  std::vector<uint8_t> verified;
  if (!flexbuffers::VerifyBuffer(bytes.data(), bytes.size(), &verified))
    return;
  flexbuffers::Reference root =
      flexbuffers::GetRoot(bytes.data(), bytes.size());
  if (!root.IsMap())
    return;
  flexbuffers::Map map = root.AsMap();
  flexbuffers::TypedVector keys = map.Keys();
  flexbuffers::Vector values = map.Values();
  for (size_t i = 0; i < keys.size() && i < values.size(); ++i)
    add(keys[i].AsKey(), convert(builder, values[i]));
}

void broadloom::read::readCustomOptions(ModuleOp module) {
  module.walk([](tosa::CustomOp op) {
    if (op.getDomainName() == "TFL")
      readOptions(op);
  });
}
