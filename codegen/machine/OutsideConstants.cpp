//===- OutsideConstants.cpp - large constants beside the code -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/OutsideConstants.h"

#include "codegen/machine/LargeConstants.h"
#include "runtime/memory/Allocator.h"
#include "runtime/memory/LargePages.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The alignment of the constants that are taken.
static constexpr size_t kAlignment = kMemoryAlignment;

/// The bytes, aligned, in memory of their own.
static std::shared_ptr<const void> copyBytes(ArrayRef<char> bytes) {
  size_t size = bytes.size();
  void *memory = obtainMemory(int64_t(size));
  if (!memory)
    llvm::report_bad_alloc_error("no memory for a constant");
  std::memcpy(memory, bytes.data(), size);
  return std::shared_ptr<const void>(
      memory, [size](void *freed) { returnMemory(freed, int64_t(size)); });
}

void OutsideConstant::copy() {
  owner = copyBytes(ArrayRef(bytes.data(), bytes.size()));
  bytes = StringRef(static_cast<const char *>(owner.get()), bytes.size());
}

/// The memory of a resource if that is its own and aligned; else null.
static std::shared_ptr<const void> takeBlob(Attribute value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !blob->isMutable() ||
      !llvm::isAddrAligned(llvm::Align(kAlignment), blob->getData().data()))
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
    // Code may rely on a larger alignment, which saved programs do not keep.
    if (bytes.empty() || !global.getConstant() ||
        global.getAlignment().value_or(1) > kAlignment)
      continue;
    std::shared_ptr<const void> &owner = owners[bytes.data()];
    if (!owner)
      owner = takeBlob(*global.getValue());
    if (!owner)
      owner = copyBytes(bytes);
    taken.push_back(
        {global.getSymName().str(),
         StringRef(static_cast<const char *>(owner.get()), bytes.size()),
         isPlain(cast<ElementsAttr>(*global.getValue())), owner});
    global.removeValueAttr();
    global.setLinkage(LLVM::Linkage::External);
  }
  return taken;
}
