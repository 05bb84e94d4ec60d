//===- FillElided.cpp - made-up values for constants left out -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "import/versions/FillElided.h"

#include "dialect/ElementBytes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>
#include <cstring>

using namespace mlir;

/// The bytes that are made up for a program.
static constexpr uint64_t kMostBytes = uint64_t(1) << 34;

namespace {

/// Numbers that look random: the same for the same seed, constant and element.
class Numbers {
public:
  Numbers(uint64_t seed, uint64_t constant) : start(mix(seed + constant)) {}
  uint64_t get(uint64_t element) const { return mix(start + element); }
  /// From 0 to 1, with 24 bits.
  double getFraction(uint64_t element) const {
    return double(get(element) >> 40) * 0x1p-24;
  }

private:
  /// The finaliser of SplitMix64.
  static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  uint64_t start;
};

} // namespace

/// Whether the value of an attribute was left out.
static DenseResourceElementsAttr getElided(Attribute value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || resource.getRawHandle().getBlob() ||
      !broadloom::isElided(resource))
    return {};
  return resource;
}

static void store(char *to, const APInt &bits, size_t bytes) {
  // Little-endian, as the bytes of resources are.
  uint64_t word = bits.zextOrTrunc(64).getZExtValue();
  std::memcpy(to, &word, bytes);
}

static void fillFloats(MutableArrayRef<char> data, size_t bytes,
                       ShapedType type, FloatType element,
                       const Numbers &numbers) {
  int64_t most = 1, wide = 0;
  for (int64_t extent : type.getShape()) {
    most = std::max(most, extent);
    wide += extent > 1;
  }
  uint64_t count = data.size() / bytes;
  double limit = std::sqrt(6.0 * double(most) / double(count));
  for (uint64_t i = 0; i < count; ++i) {
    double u = numbers.getFraction(i);
    APFloat value(wide <= 1 ? 0.5 + u : (2 * u - 1) * limit);
    bool losesBits = false;
    value.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesBits);
    store(&data[i * bytes], value.bitcastToAPInt(), bytes);
  }
}

static void fillIntegers(MutableArrayRef<char> data, size_t bytes,
                         IntegerType element, const Numbers &numbers) {
  unsigned width = element.getWidth();
  uint64_t most = std::min<uint64_t>(127, llvm::maxUIntN(width) >> 1);
  for (uint64_t i = 0; i < data.size() / bytes; ++i) {
    uint64_t value = numbers.get(i);
    if (width == 1)
      value &= 1;
    else if (element.isUnsigned())
      value %= 2 * most + 2;
    else
      value = value % (2 * most + 1) - most;
    store(&data[i * bytes], APInt(64, value), bytes);
  }
}

/// The bytes of an element; 0 for types that have no made-up values.
static size_t getBytes(ShapedType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() > 64)
    return 0;
  return llvm::PowerOf2Ceil(
      llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u));
}

/// The bytes of all elements; UINT64_MAX where there are as many or more.
static uint64_t countBytes(ShapedType type) {
  uint64_t count = getBytes(type);
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  for (int64_t extent : type.getShape())
    count = llvm::SaturatingMultiply(count, uint64_t(extent));
  return count;
}

/// A resource with made-up values.
static Attribute fill(ShapedType type, const Numbers &numbers, StringRef name) {
  Type element = type.getElementType();
  size_t bytes = getBytes(type);
  AsmResourceBlob blob =
      HeapAsmResourceBlob::allocate(countBytes(type), sizeof(uint64_t));
  MutableArrayRef<char> data = blob.getMutableData();
  if (auto kind = dyn_cast<FloatType>(element))
    fillFloats(data, bytes, type, kind, numbers);
  else
    fillIntegers(data, bytes, cast<IntegerType>(element), numbers);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

LogicalResult broadloom::versions::fillElided(ModuleOp module, uint64_t seed) {
  uint64_t constant = 0, left = kMostBytes;
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs()) {
      DenseResourceElementsAttr elided = getElided(attribute.getValue());
      if (!elided)
        continue;
      std::string name = "filled_" + std::to_string(constant);
      Numbers numbers(seed, constant++);
      ShapedType type = elided.getType();
      if (getBytes(type) == 0)
        continue;
      uint64_t bytes = countBytes(type);
      if (bytes > left) {
        emitError(op->getLoc())
            << "has a constant of type " << type
            << ", whose values were left out, and --fill-elided makes up at "
               "most "
            << kMostBytes << " bytes for a program, of which " << left
            << " are left; give the constant its values";
        return WalkResult::interrupt();
      }
      left -= bytes;
      op->setAttr(attribute.getName(), fill(type, numbers, name));
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
