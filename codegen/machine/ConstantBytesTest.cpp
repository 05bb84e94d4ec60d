//===- ConstantBytesTest.cpp - large constants in LLVM IR -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ConstantBytes.h"
#include "codegen/machine/MachineCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace broadloom::codegen;

namespace {

class ConstantBytesTest : public ::testing::Test {
protected:
  ConstantBytesTest() {
    DialectRegistry registry;
    registry.insert<LLVM::LLVMDialect>();
    registerLLVMTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<LLVM::LLVMDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
  }

  /// A constant of `rows` x 16 numbers of `bits` bits that count from 0, or all
  /// are 7.
  LLVM::GlobalOp add(StringRef name, int64_t rows, unsigned bits,
                     unsigned alignment, bool isSplat = false) {
    OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
    Type element = b.getIntegerType(bits);
    auto inner = LLVM::LLVMArrayType::get(element, 16);
    SmallVector<APInt> numbers;
    for (int64_t i = 0; i < rows * 16; ++i)
      numbers.push_back(APInt(bits, isSplat ? 7 : i));
    auto value = DenseElementsAttr::get(
        RankedTensorType::get({rows, 16}, element), numbers);
    return LLVM::GlobalOp::create(
        b, b.getUnknownLoc(), LLVM::LLVMArrayType::get(inner, rows),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, value, alignment);
  }

  /// The module in LLVM IR, translated through ConstantBytes.
  std::unique_ptr<llvm::Module> translate(bool isLittleEndian = true) {
    ConstantBytes constants(*module, isLittleEndian);
    auto translated = translateModuleToLLVMIR(*module, llvmContext);
    constants.defineIn(*translated);
    return translated;
  }

  MLIRContext context;
  llvm::LLVMContext llvmContext;
  OwningOpRef<ModuleOp> module;
};

/// The bytes of a global, or nothing if it is no array of bytes.
std::string bytesOf(const llvm::Module &module, StringRef name) {
  auto *data = dyn_cast<llvm::ConstantDataArray>(
      module.getNamedGlobal(name)->getInitializer());
  return data && data->getElementType()->isIntegerTy(8)
             ? data->getRawDataValues().str()
             : "";
}

TEST_F(ConstantBytesTest, LargeConstantsAreBytes) {
  add("large", 40, 32, 64);
  std::unique_ptr<llvm::Module> translated = translate();
  std::vector<uint32_t> numbers(40 * 16);
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_EQ(bytesOf(*translated, "large"),
            std::string(reinterpret_cast<const char *>(numbers.data()),
                        numbers.size() * sizeof(uint32_t)));
  EXPECT_EQ(translated->getNamedGlobal("large")->getAlign()->value(), 64u);
}

TEST_F(ConstantBytesTest, TheModuleIsAsBefore) {
  LLVM::GlobalOp global = add("large", 40, 32, 64);
  Type type = global.getGlobalType();
  Attribute value = global.getValueOrNull();
  translate();
  EXPECT_EQ(global.getGlobalType(), type);
  EXPECT_EQ(global.getValueOrNull(), value);
}

TEST_F(ConstantBytesTest, OthersStayNumbers) {
  add("small", 2, 32, 64);
  add("splat", 40, 32, 64, /*isSplat=*/true);
  // Its alignment depends on its type.
  add("unaligned", 40, 32, 0);
  // Numbers of 48 bits are eight bytes apart in memory.
  add("gaps", 40, 48, 64);
  std::unique_ptr<llvm::Module> translated = translate();
  for (const char *name : {"small", "splat", "unaligned", "gaps"})
    EXPECT_EQ(bytesOf(*translated, name), "") << name;
}

TEST_F(ConstantBytesTest, BigEndianTargetsKeepNumbers) {
  add("large", 40, 32, 64);
  EXPECT_EQ(bytesOf(*translate(/*isLittleEndian=*/false), "large"), "");
}

} // namespace
