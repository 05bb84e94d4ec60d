//===- AbiTypesTest.cpp - the interface as types of LLVM ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/layout/AbiTypes.h"
#include "codegen/layout/Record.h"
#include "codegen/target/CodeTarget.h"
#include "runtime/calls/Descriptor.h"

#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

// Not a using directive: the C++ library has a namespace `abi` too.
namespace broadloom::codegen {
namespace {

class AbiTypes : public testing::Test {
protected:
  AbiTypes() { context.loadDialect<mlir::LLVM::LLVMDialect>(); }

  void SetUp() override {
    auto host = CodeTarget::getHost();
    ASSERT_TRUE(bool(host)) << toString(host.takeError());
    layout.emplace(host->getTriple().computeDataLayout());
  }

  /// How LLVM lays out the struct for this machine.
  const llvm::StructLayout &layOut(mlir::LLVM::LLVMStructType type) {
    mlir::LLVM::TypeToLLVMIRTranslator translator(llvmContext);
    return *layout->getStructLayout(
        llvm::cast<llvm::StructType>(translator.translateType(type)));
  }

  void expectSame(llvm::StringRef name, mlir::LLVM::LLVMStructType type,
                  llvm::ArrayRef<abi::FieldInfo> fields, size_t bytes) {
    const llvm::StructLayout &made = layOut(type);
    ASSERT_EQ(type.getBody().size(), fields.size()) << name.str();
    for (size_t i = 0; i < fields.size(); ++i)
      EXPECT_EQ(uint64_t(made.getElementOffset(i)), fields[i].offset)
          << name.str() << "." << fields[i].name;
    EXPECT_EQ(uint64_t(made.getSizeInBytes()), bytes) << name.str();
  }

  mlir::MLIRContext context;
  llvm::LLVMContext llvmContext;
  std::optional<llvm::DataLayout> layout;
};

} // namespace

// Compiled code finds each field where C has it. A descriptor's size depends on
// its rank; it has a test of its own.
TEST_F(AbiTypes, StructsAreLaidOutAsInC) {
#define BROADLOOM_STRUCT_END(NAME)                                             \
  if constexpr (abi::NAME::kFields[abi::NAME::kNumFields - 1].type !=          \
                abi::Dims)                                                     \
    expectSame(#NAME, getAbiStruct<abi::NAME>(&context), abi::NAME::kFields,   \
               sizeof(Broadloom##NAME));
#include "runtime/abi/Abi.def"
}

TEST_F(AbiTypes, DescriptorsOfAnyRankAreLaidOutAsInC) {
  for (int64_t rank : {0, 1, 3, BROADLOOM_MAX_RANK}) {
    mlir::LLVM::LLVMStructType type = getDescriptorStruct(&context, rank);
    const llvm::StructLayout &made = layOut(type);
    for (int32_t field = 0; field < kExtentsField; ++field)
      EXPECT_EQ(uint64_t(made.getElementOffset(field)),
                abi::Descriptor::kFields[field].offset);
    if (rank > 0) {
      EXPECT_EQ(int64_t(made.getElementOffset(kExtentsField)),
                getExtentOffset(0));
      EXPECT_EQ(int64_t(made.getElementOffset(kStridesField)),
                getExtentOffset(rank));
    }
    EXPECT_EQ(int64_t(made.getSizeInBytes()), descriptorBytes(rank));
  }
}

TEST_F(AbiTypes, SignaturesHaveTheDescribedTypes) {
  auto type = getAbiSignature(&context, abi::broadloomFrame);
  EXPECT_EQ(type, mlir::LLVM::LLVMFunctionType::get(
                      getAbiType(&context, abi::Pointer),
                      {getAbiType(&context, abi::Pointer),
                       mlir::IntegerType::get(&context, 64)}));
}

// A struct of numbers alone, in the order of its fields.
TEST_F(AbiTypes, NumbersOfAStructAreInOrder) {
  BroadloomResult result;
  result.offset = 3;
  result.elementBytes = 2;
  result.rank = 1;
  llvm::SmallVector<int32_t> numbers = {0};
  appendNumbers<abi::Result>(numbers, result);
  EXPECT_EQ(numbers, (llvm::SmallVector<int32_t>{0, 1, 2, 3}));
}

// The version stands in one place, the name of the symbol too.
TEST_F(AbiTypes, VersionSymbolHasTheVersion) {
  EXPECT_EQ(std::string(abi::kVersionSymbol),
            "broadloomAbi" + std::to_string(BROADLOOM_ABI_VERSION));
}

#ifndef NDEBUG
TEST_F(AbiTypes, RecordsNeedEachFieldOnce) {
  mlir::OpBuilder b(&context);
  EXPECT_DEATH(SlotRecord().rank(1).build(b, b.getUnknownLoc()),
               "a field has no value");
  EXPECT_DEATH(SlotRecord().rank(1).rank(2), "a field has one value");
  EXPECT_DEATH(SlotRecord().rank(int64_t(1) << 40), "more than 32 bits");
}
#endif

} // namespace broadloom::codegen
