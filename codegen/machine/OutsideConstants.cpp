//===- OutsideConstants.cpp - large constants beside the code -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/OutsideConstants.h"

#include "codegen/machine/LargeConstants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemAlloc.h"

#include <cstring>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The least alignment of memory that is made here.
static constexpr size_t kAlignment = 64;

/// The bytes as they are aligned, in memory of their own.
static std::shared_ptr<const void> copyBytes(ArrayRef<char> bytes,
                                             size_t alignment) {
  size_t size = bytes.size();
  void *memory = llvm::allocate_buffer(size, alignment);
  std::memcpy(memory, bytes.data(), size);
  return std::shared_ptr<const void>(memory, [size, alignment](void *freed) {
    llvm::deallocate_buffer(freed, size, alignment);
  });
}

void OutsideConstant::copy() {
  owner = copyBytes(ArrayRef(bytes.data(), bytes.size()), kAlignment);
  bytes = StringRef(static_cast<const char *>(owner.get()), bytes.size());
}

/// The memory of a resource if that is its own; null if it borrows it.
static std::shared_ptr<const void> takeBlob(Attribute value, size_t alignment) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !blob->isMutable() ||
      reinterpret_cast<uintptr_t>(blob->getData().data()) % alignment != 0)
    return nullptr;
  auto taken = std::make_shared<AsmResourceBlob>(std::move(*blob));
  return std::shared_ptr<const void>(taken, taken->getData().data());
}

static bool isPlain(ElementsAttr value) {
  Type element = value.getElementType();
  return isa<FloatType>(element) || element.isInteger(8);
}

std::vector<OutsideConstant> codegen::takeConstants(ModuleOp module) {
  std::vector<OutsideConstant> taken;
  if (llvm::endianness::native != llvm::endianness::little)
    return taken;
  // Several globals may be one resource.
  llvm::DenseMap<const char *, std::shared_ptr<const void>> owners;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    ArrayRef<char> bytes = getLargeBytes(global, kLargeConstant);
    if (bytes.empty() || !global.getConstant())
      continue;
    size_t alignment =
        std::max<size_t>(kAlignment, global.getAlignment().value_or(1));
    std::shared_ptr<const void> &owner = owners[bytes.data()];
    if (!owner || !llvm::isAddrAligned(llvm::Align(alignment), owner.get())) {
      owner = takeBlob(*global.getValue(), alignment);
      if (!owner)
        owner = copyBytes(bytes, alignment);
    }
    taken.push_back(
        {global.getSymName().str(),
         StringRef(static_cast<const char *>(owner.get()), bytes.size()),
         isPlain(cast<ElementsAttr>(*global.getValue())), owner});
    global.removeValueAttr();
    global.setLinkage(LLVM::Linkage::External);
  }
  return taken;
}
