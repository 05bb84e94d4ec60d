//===- ElementBytes.cpp - the bytes of constants --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ElementBytes.h"

#include "runtime/memory/Allocator.h"
#include "runtime/memory/LargePages.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/ErrorHandling.h"

#include <mutex>

using namespace mlir;

std::optional<ArrayRef<char>>
broadloom::getElementBytes(ElementsAttr constant) {
  Type element = constant.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  int64_t bytes =
      constant.getNumElements() * (element.getIntOrFloatBitWidth() / 8);
  if (!blob || int64_t(blob->getData().size()) != bytes)
    return std::nullopt;
  return blob->getData();
}

namespace {

/// The memory that makeElements() has made, as long as it exists. A name would
/// not tell it from a resource of the program's own text.
class MadeMemory {
public:
  static MadeMemory &get() {
    // Contexts may free memory when the process ends.
    static auto *memory = new MadeMemory;
    return *memory;
  }
  AsmResourceBlob allocate(size_t bytes) {
    auto *data = static_cast<char *>(broadloom::obtainMemory(int64_t(bytes)));
    if (!data)
      llvm::report_bad_alloc_error("no memory for a constant");
    {
      std::lock_guard lock(mutex);
      addresses.insert(data);
    }
    auto free = [this](void *data, size_t size, size_t) {
      {
        std::lock_guard lock(mutex);
        addresses.erase(data);
      }
      broadloom::returnMemory(data, int64_t(size));
    };
    return AsmResourceBlob(ArrayRef<char>(data, bytes),
                           broadloom::kMemoryAlignment, free,
                           /*dataIsMutable=*/true);
  }
  bool contains(const AsmResourceBlob &blob) {
    std::lock_guard lock(mutex);
    return addresses.contains(blob.getData().data());
  }

private:
  std::mutex mutex;
  llvm::DenseSet<const void *> addresses;
};

} // namespace

ElementsAttr
broadloom::makeElements(ShapedType type,
                        llvm::function_ref<void(MutableArrayRef<char>)> write) {
  size_t bytes = size_t(type.getNumElements()) *
                 (type.getElementType().getIntOrFloatBitWidth() / 8);
  if (bytes < kLargeConstant) {
    std::vector<char> elements(bytes);
    write(elements);
    return DenseElementsAttr::getFromRawBuffer(type, elements);
  }
  AsmResourceBlob blob = MadeMemory::get().allocate(bytes);
  write(blob.getMutableData());
  return DenseResourceElementsAttr::get(type, "__made__", std::move(blob));
}

ElementsAttr broadloom::reshapeElements(ElementsAttr constant,
                                        ShapedType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.reshape(type);
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  if (!resource || !getElementBytes(constant))
    return {};
  return DenseResourceElementsAttr::get(type, resource.getRawHandle());
}

void broadloom::freeElements(DenseResourceElementsAttr constant) {
  AsmResourceBlob *blob = constant.getRawHandle().getBlob();
  if (blob && MadeMemory::get().contains(*blob))
    *blob = AsmResourceBlob();
}

bool broadloom::isElided(DenseResourceElementsAttr constant) {
  return constant.getRawHandle().getKey().starts_with(kElided);
}
