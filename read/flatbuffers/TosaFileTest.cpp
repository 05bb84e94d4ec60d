//===- TosaFileTest.cpp - files that are written, cut off and damaged -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/ReadFile.h"
#include "read/flatbuffers/Schema.h"
#include "read/flatbuffers/WriteFile.h"
#include "read/structure/CheckStructure.h"
#include "test/lib/flatbuffers/HandMade.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom;

namespace {

class TosaFiles : public testing::Test {
protected:
  TosaFiles() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        tosa::TosaDialect>();
  }

  std::string write(llvm::StringRef text) {
    auto module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    std::string file;
    EXPECT_TRUE(module && succeeded(read::writeTosaFile(*module, file)));
    return file;
  }

  /// The program in a file as text; what is reported goes to `errors`.
  std::string read(llvm::StringRef file) {
    errors.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
    });
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(file, "file.tosa"), {});
    OwningOpRef<ModuleOp> module = read::readTosaFile(sources, &context);
    if (!module || failed(read::checkStructure(*module))) {
      EXPECT_FALSE(errors.empty());
      return "";
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, OpPrintingFlags().assumeVerified());
    return text;
  }

  MLIRContext context;
  std::string errors;
};

} // namespace

static constexpr char kProgram[] = R"(
tosa.variable @state = dense<[1, -1]> : tensor<2xi32>
func.func @main(%a: tensor<?x4xf32>, %c: tensor<i1>, %n: tensor<2xi8>) -> (tensor<?x4xf32>, tensor<*xf32>) {
  %0 = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %1 = "tosa.const"() <{values = dense<[1, -8, 7]> : tensor<3xi4>}> : () -> tensor<3xi4>
  %2 = "tosa.const"() <{values = dense<[1, -140737488355328]> : tensor<2xi48>}> : () -> tensor<2xi48>
  %3 = "tosa.const"() <{values = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
  %4 = "tosa.const"() <{values = dense<[1.5, -2.0]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
  %5 = "tosa.const"() <{values = dense<[1.5, -2.0]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
  %6 = "tosa.const"() <{values = dense<> : tensor<0xf32>}> : () -> tensor<0xf32>
  %7 = "tosa.const_shape"() <{values = dense<[-1, 4]> : tensor<2xindex>}> : () -> !tosa.shape<2>
  %8 = tosa.reshape %0, %7 : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
  %9 = tosa.clamp %n {max_val = 7 : i8, min_val = -7 : i8, nan_mode = IGNORE} : (tensor<2xi8>) -> tensor<2xi8>
  %10 = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %11 = tosa.variable_read @state : tensor<2xi32>
  tosa.variable_write @state, %11 : tensor<2xi32>
  %12 = tosa.cond_if %c : tensor<i1> -> tensor<?x4xf32> {
    %13 = tosa.add %a, %8 : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    tosa.yield %13 : tensor<?x4xf32>
  } else {
    tosa.yield %a : tensor<?x4xf32>
  }
  %14 = tosa.while_loop (%x = %12) : (tensor<?x4xf32>) -> tensor<?x4xf32> {
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%x: tensor<?x4xf32>):
    %15 = tosa.custom %x, %0 {domain_name = "d", implementation_attrs = "a\00b", operator_name = "o"} : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    tosa.yield %15 : tensor<?x4xf32>
  }
  %16 = tosa.identity %14 : (tensor<?x4xf32>) -> tensor<*xf32>
  return %14, %16 : tensor<?x4xf32>, tensor<*xf32>
}
)";

// All kinds of constants, attributes and regions come back.
TEST_F(TosaFiles, RoundTrip) {
  std::string file = write(kProgram);
  ASSERT_TRUE(read::isTosaFile(file));
  std::string text = read(file);
  ASSERT_FALSE(text.empty()) << errors;
  for (const char *part :
       {"dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : "
        "tensor<4xf32>",
        "dense<[1, -8, 7]> : tensor<3xi4>",
        "dense<[1, -140737488355328]> : tensor<2xi48>",
        "dense<[true, false, true]> : tensor<3xi1>",
        "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xbf16>",
        "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E4M3FN>",
        "dense<> : tensor<0xf32>", "dense<[-1, 4]> : tensor<2xindex>",
        "max_val = 7 : i8, min_val = -7 : i8, nan_mode = IGNORE",
        "perms = array<i32: 1, 0>", "tosa.variable @state = dense<[1, -1]>",
        "tosa.variable_read @state", "tosa.variable_write @state",
        "tosa.while_loop", "implementation_attrs = \"a\\00b\"",
        "-> tensor<*xf32>"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  // A loop carries what it uses.
  EXPECT_NE(text.find("tosa.while_loop (%arg3 = %"), std::string::npos) << text;
  // What was written from what was read is the same.
  EXPECT_EQ(write(text), write(read(write(text))));
}

// Large constants stay in the file.
TEST_F(TosaFiles, LargeConstantsReferToTheFile) {
  std::string values(2 * 5000 * 4, '1');
  std::string text =
      read(write("func.func @main() -> tensor<5000xf32> {\n  %0 = "
                 "\"tosa.const\"() <{values = dense<\"0x" +
                 values +
                 "\"> : tensor<5000xf32>}> : () -> tensor<5000xf32>\n  return "
                 "%0 : tensor<5000xf32>\n}\n"));
  EXPECT_NE(text.find("dense_resource<constant"), std::string::npos);
  EXPECT_NE(text.find("0x0400000011111111"), std::string::npos)
      << text.substr(0, 500);
}

// A file that is cut off anywhere is an error, and no crash.
TEST_F(TosaFiles, EveryPrefix) {
  std::string file = write(kProgram);
  for (size_t length = 0; length < file.size(); ++length)
    if (!read(llvm::StringRef(file).take_front(length)).empty())
      // What is left out was padding.
      EXPECT_GT(length + 16, file.size());
}

// A file with a wrong byte anywhere is read as another program, or is an error.
TEST_F(TosaFiles, EveryByteIsWrongOnce) {
  std::string file = write(kProgram);
  for (size_t at = 0; at < file.size(); ++at)
    for (int mask : {0x01, 0x80, 0xff}) {
      std::string damaged = file;
      damaged[at] = char(damaged[at] ^ mask);
      read(damaged);
    }
}

// Numbers that no writer has, wherever a number can stand.
TEST_F(TosaFiles, EveryWordIsExtremeOnce) {
  std::string file = write(kProgram);
  for (size_t at = 0; at + 4 <= file.size(); at += 2)
    for (uint32_t word :
         {0u, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x10000u}) {
      std::string damaged = file;
      std::memcpy(&damaged[at], &word, 4);
      read(damaged);
    }
}

TEST_F(TosaFiles, Versions) {
  std::string file = write("func.func @main() { return }");
  EXPECT_FALSE(read(file).empty());
  // The version is the table that the first field of the root refers to; its
  // numbers are 1 and 0.
  bool isFound = false;
  for (size_t at = 0; at + 4 <= file.size(); ++at) {
    uint32_t word;
    std::memcpy(&word, &file[at], 4);
    if (word != 1)
      continue;
    std::string damaged = file;
    damaged[at] = 9;
    read(damaged);
    isFound |= errors.find("is of TOSA 9.0; 1.0 and 1.1 are read") !=
               std::string::npos;
  }
  EXPECT_TRUE(isFound);
}

TEST_F(TosaFiles, WhatAFileHasNot) {
  auto fails = [&](llvm::StringRef text) {
    errors.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
    });
    auto module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    std::string file;
    EXPECT_TRUE(failed(read::writeTosaFile(*module, file)));
    return errors;
  };
  EXPECT_NE(fails("func.func @main(%a: tensor<2xf64>) { return }")
                .find("has a value of type 'tensor<2xf64>', which a TOSA file "
                      "has not"),
            std::string::npos)
      << errors;
  EXPECT_NE(fails("func.func @a() { return } func.func @b() { return }")
                .find("has 2 functions, and a TOSA file holds one"),
            std::string::npos)
      << errors;
  EXPECT_NE(fails("func.func @a(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 "
                  "return %0 : i32 }")
                .find("has a value of type 'i32'"),
            std::string::npos)
      << errors;
  EXPECT_NE(fails("tosa.variable @v = dense_resource<missing> : tensor<2xf32> "
                  "func.func @main() -> tensor<2xf32> { %0 = "
                  "tosa.variable_read @v : tensor<2xf32> return %0 : "
                  "tensor<2xf32> }")
                .find("has a first value that is not in the program"),
            std::string::npos)
      << errors;
}

TEST_F(TosaFiles, AxesAreLimited) {
  auto program = [](unsigned axes) {
    std::string type = "tensor<";
    for (unsigned i = 0; i < axes; ++i)
      type += "1x";
    type += "f32>";
    return "func.func @main(%a: " + type + ") -> " + type +
           " { return %a : " + type + " }";
  };
  std::string bytes = write(program(6));
  EXPECT_FALSE(read(bytes).empty()) << errors;
  auto module = parseSourceString<ModuleOp>(program(7), &context);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
  });
  std::string file;
  EXPECT_TRUE(module && failed(read::writeTosaFile(*module, file)));
  EXPECT_NE(errors.find("has 7 axes; a TOSA file has at most 6"),
            std::string::npos)
      << errors;
}

// A small file does not make the reader read more than some times its bytes.
TEST_F(TosaFiles, ManyConstantsOfTheSameBytes) {
  auto make = [](unsigned count) {
    HandMade file;
    HandMade::Offsets operators, tensors;
    for (unsigned i = 0; i < count; ++i) {
      std::string name = "c" + std::to_string(i);
      tensors.push_back(file.tensor(name, {8000}, read::DType::Int8, 8, 8000));
      operators.push_back(file.op("const", {}, {file.text(name)}, {}));
    }
    file.region("main", operators, tensors, {}, {});
    return file.finish() + std::string(8000, '\0');
  };
  EXPECT_FALSE(read(make(10)).empty()) << errors;
  read(make(400));
  EXPECT_NE(errors.find("more than 16 times the"), std::string::npos) << errors;
}

TEST_F(TosaFiles, ManyUsesOfARegion) {
  auto make = [](unsigned count) {
    HandMade file;
    HandMade::Offsets operators, tensors, inner;
    tensors.push_back(file.tensor("c", {}, read::DType::Bool, 0, 0));
    for (unsigned i = 0; i < count; ++i) {
      auto name = file.text("inner");
      HandMade::Offset attribute = file.table([&] {
        file.set(0, name);
        file.set(1, name);
      });
      operators.push_back(file.op("cond_if", {file.text("c")}, {}, attribute));
    }
    for (unsigned i = 0; i < 600; ++i)
      inner.push_back(
          file.tensor("t" + std::to_string(i), {}, read::DType::Int8, 0, 0));
    file.region("main", operators, tensors, {file.text("c")}, {});
    file.region("inner", {}, inner, {}, {});
    return file.finish();
  };
  EXPECT_FALSE(read(make(10)).empty()) << errors;
  read(make(400));
  EXPECT_NE(errors.find("more than 16 times the"), std::string::npos) << errors;
}

TEST_F(TosaFiles, ManyUsesOfALongText) {
  HandMade file;
  auto name = file.text(std::string(10000, 'x'));
  file.region("main", {}, {}, HandMade::Texts(1000, name), {});
  read(file.finish());
  EXPECT_NE(errors.find("is no whole TOSA file"), std::string::npos) << errors;
}
