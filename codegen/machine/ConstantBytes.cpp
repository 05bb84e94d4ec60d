//===- ConstantBytes.cpp - large constants as arrays of bytes -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ConstantBytes.h"
#include "codegen/machine/LargeConstants.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace broadloom::codegen;

/// Smaller constants stay numbers, which reports and LLVM's passes can read.
static constexpr size_t kLargeBytes = 1024;

ConstantBytes::ConstantBytes(ModuleOp module, bool isLittleEndian) {
  if (!isLittleEndian || llvm::endianness::native != llvm::endianness::little)
    return;
  Type byte = IntegerType::get(module.getContext(), 8);
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    ArrayRef<char> bytes = getLargeBytes(global, kLargeBytes);
    if (bytes.empty())
      continue;
    constants.push_back(
        {global, global.getGlobalType(), *global.getValue(), bytes});
    int64_t size = bytes.size();
    global.setGlobalType(LLVM::LLVMArrayType::get(byte, size));
    global.setValueAttr(
        DenseElementsAttr::get(RankedTensorType::get({size}, byte), int8_t(0)));
  }
}

ConstantBytes::~ConstantBytes() {
  for (Constant &constant : constants) {
    constant.global.setGlobalType(constant.type);
    constant.global.setValueAttr(constant.value);
  }
}

void ConstantBytes::defineIn(llvm::Module &translated) const {
  for (const Constant &constant : constants) {
    llvm::GlobalVariable *global =
        translated.getNamedGlobal(LLVM::GlobalOp(constant.global).getSymName());
    global->setInitializer(llvm::ConstantDataArray::getRaw(
        StringRef(constant.bytes.data(), constant.bytes.size()),
        constant.bytes.size(), llvm::Type::getInt8Ty(translated.getContext())));
  }
}
