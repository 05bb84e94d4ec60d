//===- ShapeQueryTest.cpp - result shapes without running -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "driver/Compiler.h"
#include "test/lib/driver/ShapeText.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace broadloom;

std::atomic<size_t> broadloom::allocations;

void *operator new(size_t size) {
  ++allocations;
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    std::abort();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

/// A tensor without memory: a shape.
BroadloomTensor shapeOnly(std::vector<int64_t> extents) {
  BroadloomTensor tensor{};
  tensor.elementType = BROADLOOM_F32;
  tensor.rank = int32_t(extents.size());
  std::copy(extents.begin(), extents.end(), tensor.dims);
  return tensor;
}

/// A compiled function, called for shapes only.
struct Queried {
  explicit Queried(const std::string &text) {
    module = compiler.compile(Source::text(text, "test.mlir"));
    EXPECT_TRUE(module) << compiler.diagnostics() << text;
    if (module)
      call = std::make_unique<Invocation>(*module, *module->function());
  }
  /// The shapes, or the message.
  std::string query(std::vector<BroadloomTensor> inputs) {
    std::vector<const BroadloomTensor *> pointers;
    for (const BroadloomTensor &input : inputs)
      pointers.push_back(&input);
    std::vector<BroadloomShape> shapes;
    status = call->resultShapes(pointers, shapes);
    if (status != BROADLOOM_OK)
      return call->message();
    std::string text;
    for (const BroadloomShape &shape : shapes)
      text += (text.empty() ? "" : " ") + toText(shape);
    return text;
  }
  Compiler compiler;
  std::unique_ptr<CompiledModule> module;
  std::unique_ptr<Invocation> call;
  int32_t status = 0;
};

constexpr const char *kAdd = R"(
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
)";

TEST(ShapeQuery, abi2_shapes_before_anything_runs) {
  Queried add(kAdd);
  EXPECT_EQ(add.query({shapeOnly({2, 3}), shapeOnly({1, 3})}), "2x3");
  EXPECT_EQ(add.query({shapeOnly({1, 1}), shapeOnly({0, 3})}), "0x3");
}

TEST(ShapeQuery, abi2_guards_of_a_body_are_checked_at_each_index) {
  Queried grid(R"(
func.func @main(%v: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %w, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %0 = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %v[%i, %j] : tensor<?x?xf32>
    tensor.yield %e : f32
  } : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
)");
  EXPECT_EQ(grid.query({shapeOnly({2, 3}), shapeOnly({2, 3})}), "2x3");
  EXPECT_EQ(grid.query({shapeOnly({2, 3}), shapeOnly({0, 9})}), "0x9");
  EXPECT_EQ(grid.query({shapeOnly({2, 3}), shapeOnly({2, 4})}),
            "test.mlir:9:10: 'tensor.extract': index 3 is outside axis 1, "
            "which has extent 3");
}

TEST(ShapeQuery, abi2_the_error_that_running_would_give) {
  Queried add(kAdd);
  EXPECT_EQ(
      add.query({shapeOnly({2, 3}), shapeOnly({4, 3})}),
      "test.mlir:3:8: 'tosa.add': operands are not broadcast-compatible along "
      "axis 0: extents 2 and 4 (operand shapes 2x3 and 4x3; extent 2 is axis 0 "
      "of argument 'a', extent 4 is axis 0 of argument 'b')");
  EXPECT_EQ(add.status, BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(add.query({shapeOnly({2, 3}), shapeOnly({4, 5})}),
            "argument 'b' has shape 4x5 but the function takes ?x3");
  EXPECT_EQ(add.status, BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(add.query({shapeOnly({2, 3})}),
            "1 argument is given, but 'main' takes 2 arguments: "
            "a: tensor<?x?xf32>, b: tensor<?x3xf32>");
}

TEST(ShapeQuery, abi1_promises_are_checked_as_running_checks_them) {
  Queried named(R"(
func.func @main(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[n, n] where n = 2 to 8>}) -> tensor<?x?xf32> {
  %r = tosa.exp %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
)");
  EXPECT_EQ(named.module->function()->arguments[0].names,
            (std::vector<std::string>{"n", "n"}));
  EXPECT_EQ(named.query({shapeOnly({3, 3})}), "3x3");
  EXPECT_EQ(
      named.query({shapeOnly({9, 9})}),
      "test.mlir:2:17: 'func.func': argument 'a', axis 0 has extent 9, but "
      "'n' is at most 8");
  EXPECT_EQ(named.status, BROADLOOM_GUARD_FAILED);
  std::string told = named.query({shapeOnly({3, 4})});
  EXPECT_EQ(
      told,
      "test.mlir:2:17: 'func.func': argument 'a', axis 1 has extent 4, but "
      "'n' is 3, the extent of axis 0 of argument 'a'");
  std::vector<float> memory(12);
  int64_t extents[] = {3, 4};
  BroadloomTensor input;
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_F32, 2, extents, nullptr,
                                  memory.data(), &input),
            BROADLOOM_OK);
  EXPECT_EQ(named.call->run({&input}), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(named.call->message(), told);
}

TEST(ShapeQuery, abi2_allocates_nothing) {
  // S-10
  Queried add(kAdd);
  BroadloomTensor a = shapeOnly({2, 3}), b = shapeOnly({1, 3});
  std::vector<const BroadloomTensor *> inputs = {&a, &b};
  std::vector<BroadloomShape> shapes;
  ASSERT_EQ(add.call->resultShapes(inputs, shapes), BROADLOOM_OK);
  size_t before = allocations;
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(add.call->resultShapes(inputs, shapes), BROADLOOM_OK);
  EXPECT_EQ(allocations, before);
}

TEST(ShapeQuery, abi2_unranked) {
  Queried add(R"(
func.func @main(%a: tensor<*xf32>, %b: tensor<?xf32>) -> tensor<*xf32> {
  %r = tosa.add %a, %b : (tensor<*xf32>, tensor<?xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
)");
  EXPECT_EQ(add.query({shapeOnly({2, 1, 1}), shapeOnly({5})}), "2x1x5");
  EXPECT_EQ(add.query({shapeOnly({}), shapeOnly({5})}), "5");
  EXPECT_EQ(add.query({shapeOnly({2}), shapeOnly({5})}),
            "test.mlir:3:8: 'tosa.add': operands are not broadcast-compatible "
            "along axis 0: extents 2 and 5 (operand shapes 2 and 5; extent 2 "
            "is axis 0 of argument 'a', extent 5 is axis 0 of argument 'b')");
}

TEST(ShapeQuery, abi2_calls) {
  Queried add(R"(
func.func private @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @add(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = call @add(%0, %c) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
)");
  EXPECT_EQ(add.query({shapeOnly({1}), shapeOnly({4}), shapeOnly({1})}), "4");
  EXPECT_NE(add.query({shapeOnly({1}), shapeOnly({4}), shapeOnly({3})})
                .find("extents 4 and 3"),
            std::string::npos);
}

TEST(ShapeQuery, sf7_what_data_decides_is_a_bound) {
  Queried choose(R"(
func.func @main(%c: i1, %a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %r = scf.if %c -> tensor<?x2xf32> {
    %s = tosa.exp %a : (tensor<?x2xf32>) -> tensor<?x2xf32>
    scf.yield %s : tensor<?x2xf32>
  } else {
    scf.yield %b : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}
)");
  BroadloomTensor condition{};
  condition.elementType = BROADLOOM_I1;
  EXPECT_EQ(choose.query({condition, shapeOnly({3, 2}), shapeOnly({7, 2})}),
            "<=7x2");
}

TEST(ShapeQuery, abi2_why_there_is_none) {
  Queried recursive(R"(
func.func @main(%c: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    scf.yield %a : tensor<?xf32>
  } else {
    %b = func.call @main(%c, %a) : (i1, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
)");
  BroadloomTensor condition{};
  condition.elementType = BROADLOOM_I1;
  EXPECT_EQ(recursive.module->function()->whyNoShapes,
            "it calls itself, or a function that does");
  EXPECT_EQ(recursive.query({condition, shapeOnly({3})}),
            "the result shapes of 'main' are known only when it has run: it "
            "calls itself, or a function that does");
}

TEST(ShapeQuery, abi2_blocks) {
  Queried branches(R"(
func.func @main(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %i0 = arith.constant 0 : index
  %n = tensor.dim %a, %i0 : tensor<?xf32>
  %m = tensor.dim %b, %i0 : tensor<?xf32>
  %less = arith.cmpi slt, %n, %m : index
  cf.cond_br %less, ^one, ^other
^one:
  cf.cond_br %c, ^two, ^three
^two:
  return %a, %b : tensor<?xf32>, tensor<?xf32>
^three:
  return %a, %a : tensor<?xf32>, tensor<?xf32>
^other:
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %b, %r : tensor<?xf32>, tensor<?xf32>
}
)");
  BroadloomTensor condition{};
  condition.elementType = BROADLOOM_I1;
  EXPECT_EQ(branches.query({condition, shapeOnly({3}), shapeOnly({5})}),
            "3 <=5");
  EXPECT_EQ(branches.query({condition, shapeOnly({5}), shapeOnly({1})}),
            "1 <=5");
  // What the path that is taken requires.
  EXPECT_NE(branches.query({condition, shapeOnly({5}), shapeOnly({4})})
                .find("operands are not broadcast-compatible along axis 0: "
                      "extents 5 and 4"),
            std::string::npos);
}

/// A function of `count` results, each the sum of its arguments, whose extents
/// are `type`'s; it gets them from a function of its own.
std::string manyResults(int count, const std::string &type) {
  std::string types, names, sums;
  for (int i = 0; i < count; ++i) {
    std::string comma = i ? ", " : "";
    types += comma + type;
    names += comma + "%r#" + std::to_string(i);
    sums += comma + (i % 2 ? "%s" : "%a");
  }
  return "func.func @main(%a: " + type + ", %b: " + type + ") -> (" + types +
         ") {\n  %r:" + std::to_string(count) + " = call @own(%a, %b) : (" +
         type + ", " + type + ") -> (" + types + ")\n  return " + names +
         " : " + types + "\n}\nfunc.func private @own(%a: " + type +
         ", %b: " + type + ") -> (" + types +
         ") {\n  %s = tosa.add %a, %b : (" + type + ", " + type + ") -> " +
         type + "\n  return " + sums + " : " + types + "\n}\n";
}

/// No operation of loom is in the query but the limit of its loop's iterations.
TEST(ShapeQuery, abi2_loopsOfBlocks) {
  Queried loop(R"(
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  cf.br ^head(%zero, %a : index, tensor<?xf32>)
^head(%i: index, %x: tensor<?xf32>):
  %more = arith.cmpi ult, %i, %three : index
  cf.cond_br %more, ^body, ^after
^body:
  %next = arith.addi %i, %one : index
  cf.br ^head(%next, %b : index, tensor<?xf32>)
^after:
  return %x : tensor<?xf32>
}
)");
  EXPECT_EQ(loop.query({shapeOnly({5}), shapeOnly({7})}), "7");
}

// More than are returned in registers, and more than go on the stack. In the
// struct that LLVM made of them once, 1,000 took half a minute.
TEST(ShapeQuery, abi2_any_number_of_results) {
  for (int count : {16, 17, 1100}) {
    Queried ranked(manyResults(count, "tensor<?x?xf32>"));
    std::string expected;
    for (int i = 0; i < count; ++i)
      expected += std::string(i ? " " : "") + (i % 2 ? "2x3" : "1x3");
    EXPECT_EQ(ranked.query({shapeOnly({1, 3}), shapeOnly({2, 3})}), expected)
        << count;
    EXPECT_NE(ranked.query({shapeOnly({4, 3}), shapeOnly({2, 3})})
                  .find("extents 4 and 2"),
              std::string::npos);
  }
  for (int count : {16, 17, 1100}) {
    Queried unranked(manyResults(count, "tensor<*xf32>"));
    std::string expected;
    for (int i = 0; i < count; ++i)
      expected += std::string(i ? " " : "") + (i % 2 ? "2x3" : "3");
    EXPECT_EQ(unranked.query({shapeOnly({3}), shapeOnly({2, 3})}), expected)
        << count;
  }
}

TEST(ShapeQuery, abi2_from_c) {
  BroadloomCompiler *compiler = broadloomCompilerCreate();
  BroadloomModule *module =
      broadloomCompileText(compiler, kAdd, strlen(kAdd), "test.mlir");
  ASSERT_TRUE(module);
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  BroadloomTensor a = shapeOnly({2, 3}), b = shapeOnly({1, 3});
  const BroadloomTensor *inputs[] = {&a, &b};
  BroadloomShape shape;
  ASSERT_EQ(broadloomInvocationShapes(call, inputs, 2, &shape), BROADLOOM_OK);
  EXPECT_EQ(toText(shape), "2x3");
  broadloomInvocationDestroy(call);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
}

} // namespace
