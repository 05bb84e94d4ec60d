//===- Elementwise.cpp - element-wise operations of TOSA ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

/// All operands broadcast (bcast-4).
static Verdict broadcastAll(const Inputs &inputs) {
  std::optional<Extents> shape = broadcast(inputs.shapes);
  if (!shape)
    return std::nullopt;
  return {{*shape}};
}

static Case make(const std::string &name, std::vector<std::string> operands,
                 const std::string &result, const std::string &body) {
  Case it;
  it.name = name;
  for (const std::string &element : operands)
    it.arguments.push_back({element, {0, 1, 2, 3}});
  it.results = {result};
  it.body = body;
  it.judge = broadcastAll;
  it.takesUnranked = true;
  it.alsoRfc = operands.size() > 1;
  return it;
}

static Case unary(const std::string &op, const std::string &element,
                  const std::string &attributes = "") {
  return make("tosa." + op, {element}, element,
              "%r = tosa." + op + " %0 " + attributes + " : ($0) -> $r0");
}

static Case binary(const std::string &op, const std::string &element,
                   const std::string &result,
                   const std::string &attributes = "") {
  return make("tosa." + op, {element, element}, result,
              "%r = tosa." + op + " %0, %1 " + attributes +
                  " : ($0, $1) -> $r0");
}

static const char kShift[] =
    "%s = \"tosa.const\"() {values = dense<0> : tensor<1xi8>} : () -> "
    "tensor<1xi8>\n";

void broadloom::guards::addElementwise(std::vector<Case> &cases) {
  for (const char *op :
       {"abs", "ceil", "cos", "erf", "exp", "floor", "log", "reciprocal",
        "rsqrt", "sigmoid", "sin", "tanh", "identity"})
    cases.push_back(unary(op, "f32"));
  for (const char *op : {"bitwise_not", "clz", "abs"})
    cases.push_back(unary(op, "i32"));
  cases.push_back(unary("logical_not", "i1"));
  cases.push_back(
      unary("clamp", "f32", "{min_val = 0.0 : f32, max_val = 1.0 : f32}"));
  cases.push_back(
      make("tosa.cast", {"f32"}, "i8", "%r = tosa.cast %0 : ($0) -> $r0"));
  cases.push_back(
      make("tosa.cast", {"i32"}, "f16", "%r = tosa.cast %0 : ($0) -> $r0"));
  cases.push_back(make("tosa.negate", {"i8"}, "i8",
                       std::string("%s = \"tosa.const\"() {values = dense<3> : "
                                   "tensor<1xi8>} : () -> tensor<1xi8>\n") +
                           "%r = tosa.negate %0, %s, %s : ($0, tensor<1xi8>, "
                           "tensor<1xi8>) -> $r0"));
  for (const char *op : {"add", "sub", "maximum", "minimum", "pow"})
    cases.push_back(binary(op, "f32", "f32"));
  cases.push_back(binary("add", "i8", "i8"));
  cases.push_back(binary("maximum", "f16", "f16"));
  for (const char *op : {"bitwise_and", "bitwise_or", "bitwise_xor", "intdiv",
                         "logical_left_shift", "logical_right_shift"})
    cases.push_back(binary(op, "i32", "i32"));
  cases.push_back(
      binary("arithmetic_right_shift", "i16", "i16", "{round = true}"));
  for (const char *op : {"logical_and", "logical_or", "logical_xor"})
    cases.push_back(binary(op, "i1", "i1"));
  for (const char *op : {"equal", "greater", "greater_equal"})
    cases.push_back(binary(op, "f32", "i1"));
  cases.push_back(
      make("tosa.mul", {"f32", "f32"}, "f32",
           std::string(kShift) +
               "%r = tosa.mul %0, %1, %s : ($0, $1, tensor<1xi8>) -> $r0"));
  cases.push_back(
      make("tosa.mul", {"i8", "i8"}, "i32",
           std::string(kShift) +
               "%r = tosa.mul %0, %1, %s : ($0, $1, tensor<1xi8>) -> $r0"));
  cases.push_back(make("tosa.select", {"i1", "f32", "f32"}, "f32",
                       "%r = tosa.select %0, %1, %2 : ($0, $1, $2) -> $r0"));

  // The shift of a product and zero points are one number each (el-1, el-4).
  auto oneNumber = [](const Inputs &inputs) -> Verdict {
    if (inputs.shapes.back() != Extents{1})
      return std::nullopt;
    return broadcastAll({{inputs.shapes.begin(), inputs.shapes.end() - 1}, {}});
  };
  Case mul = make("tosa.mul with a shift of the caller's", {"i32", "i32"},
                  "i32", "%r = tosa.mul %0, %1, %2 : ($0, $1, $2) -> $r0");
  mul.arguments = {
      {"i32", {1, 2}}, {"i32", {1, 2}}, {"i8", {1}, {-1, 0, 5, 63, 64}}};
  mul.judge = [=](const Inputs &inputs) -> Verdict {
    // el-1
    if (inputs.values[2] < 0 || inputs.values[2] > 63)
      return std::nullopt;
    return oneNumber(inputs);
  };
  mul.takesUnranked = mul.alsoRfc = false;
  cases.push_back(mul);
}
