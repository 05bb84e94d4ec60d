//===- ShapeValues.cpp - shapes as values ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

#include <algorithm>

using namespace broadloom::guards;

static const char kOne[] = "!tosa.shape<1>";

/// One number of a shape: the extent of axis 0 of an argument.
static std::string dim(const std::string &name, int argument) {
  std::string number = std::to_string(argument);
  return "%" + name + " = tosa.dim %" + number + " {axis = 0 : i32} : ($" +
         number + ") -> " + kOne + "\n";
}

/// What the operation gives of two extents, or nothing where it gives nothing
/// (tosa-shape-1).
using Arithmetic = std::function<std::optional<int64_t>(int64_t, int64_t)>;

/// A vector of one element, tiled as many times as the numbers say.
static Case tiled(const std::string &operation, bool isBinary,
                  Arithmetic compute) {
  Case it;
  it.name = "tosa." + operation;
  it.arguments = {{"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body =
      dim("n", 0) + dim("m", 1) + "%t = tosa." + operation +
      (isBinary ? " %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> "
                : " %n : (!tosa.shape<1>) -> ") +
      kOne +
      "\n%one = \"tosa.const\"() {values = dense<1.0> : tensor<1xf32>} : () -> "
      "tensor<1xf32>\n%r = tosa.tile %one, %t : (tensor<1xf32>, "
      "!tosa.shape<1>) -> $r0";
  it.judge = [compute](const Inputs &inputs) -> Verdict {
    auto times = compute(inputs.shapes[0][0], inputs.shapes[1][0]);
    if (!times || *times < 1)
      return std::nullopt;
    return {{{*times}}};
  };
  return it;
}

static std::optional<int64_t> ifPositive(int64_t divisor, int64_t result) {
  if (divisor < 1)
    return std::nullopt;
  return result;
}

static void addArithmetic(std::vector<Case> &cases) {
  using I = int64_t;
  cases.push_back(tiled("add_shape", true, [](I a, I b) { return a + b; }));
  cases.push_back(tiled("sub_shape", true, [](I a, I b) { return a - b; }));
  cases.push_back(tiled("mul_shape", true, [](I a, I b) { return a * b; }));
  cases.push_back(
      tiled("max_shape", true, [](I a, I b) { return std::max(a, b); }));
  cases.push_back(
      tiled("min_shape", true, [](I a, I b) { return std::min(a, b); }));
  cases.push_back(tiled("div_floor_shape", true,
                        [](I a, I b) { return ifPositive(b, b ? a / b : 0); }));
  cases.push_back(tiled("div_ceil_shape", true, [](I a, I b) {
    return ifPositive(b, b ? (a + b - 1) / b : 0);
  }));
  cases.push_back(tiled("mod_shape", true,
                        [](I a, I b) { return ifPositive(b, b ? a % b : 0); }));
  cases.push_back(tiled("exp2_shape", false, [](I a, I) { return I(1) << a; }));
  cases.push_back(tiled("log2_floor_shape", false,
                        [](I a, I) { return ifPositive(a, a >= 2 ? 1 : 0); }));
  cases.push_back(tiled("log2_ceil_shape", false, [](I a, I) {
    return ifPositive(a, a == 1 ? 0 : a == 2 ? 1 : 2);
  }));
}

/// Operations whose shapes are told by the extents of the call.
static void addUses(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.reshape by tosa.dim";
  it.arguments = {{"f32", {2}}, {"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body =
      dim("n", 1) + dim("m", 2) +
      "%s = tosa.concat_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> "
      "!tosa.shape<2>\n%r = tosa.reshape %0, %s : ($0, !tosa.shape<2>) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    Extents shape = {inputs.shapes[1][0], inputs.shapes[2][0]};
    if (countElements(shape) != countElements(inputs.shapes[0]))
      return std::nullopt;
    return {{shape}};
  };
  cases.push_back(it);

  it.name = "tosa.slice by tosa.dim";
  it.arguments[0].ranks = {1};
  it.body = dim("n", 1) + dim("m", 2) +
            "%r = tosa.slice %0, %n, %m : ($0, !tosa.shape<1>, !tosa.shape<1>) "
            "-> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    int64_t start = inputs.shapes[1][0], size = inputs.shapes[2][0];
    if (start + size > inputs.shapes[0][0])
      return std::nullopt;
    return {{{size}}};
  };
  cases.push_back(it);

  it.name = "tosa.slice by differences";
  it.body = dim("n", 1) + dim("m", 2) +
            "%d = tosa.sub_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> "
            "!tosa.shape<1>\n%r = tosa.slice %0, %m, %d : ($0, !tosa.shape<1>, "
            "!tosa.shape<1>) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    int64_t extent = inputs.shapes[0][0], start = inputs.shapes[2][0],
            size = inputs.shapes[1][0] - start;
    // A size of -1 is all from the start on.
    if (size == -1)
      size = extent - start;
    if (size < 0 || start + size > extent)
      return std::nullopt;
    return {{{size}}};
  };
  cases.push_back(it);

  it.name = "tosa.pad by differences";
  it.body =
      dim("n", 1) + dim("m", 2) +
      "%d = tosa.sub_shape %n, %m : (!tosa.shape<1>, !tosa.shape<1>) -> "
      "!tosa.shape<1>\n%p = tosa.concat_shape %n, %d : (!tosa.shape<1>, "
      "!tosa.shape<1>) -> !tosa.shape<2>\n"
      "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () -> "
      "tensor<1xf32>\n%r = tosa.pad %0, %p, %z : ($0, !tosa.shape<2>, "
      "tensor<1xf32>) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    int64_t n = inputs.shapes[1][0], d = n - inputs.shapes[2][0];
    if (d < 0)
      return std::nullopt;
    return {{{inputs.shapes[0][0] + n + d}}};
  };
  cases.push_back(it);
}

/// Some numbers of a shape (`tosa.slice_shape`), whose indices are constant.
static std::string part(const std::string &result, const std::string &of,
                        size_t count, int64_t start, int64_t size) {
  auto number = [](const std::string &name, int64_t value) {
    return name + " = \"tosa.const\"() {values = dense<" +
           std::to_string(value) + "> : tensor<1xi32>} : () -> tensor<1xi32>\n";
  };
  return number("%start", start) + number("%size", size) + result +
         " = tosa.slice_shape " + of + ", %start, %size : (!tosa.shape<" +
         std::to_string(count) + ">, tensor<1xi32>, tensor<1xi32>) -> " +
         "!tosa.shape<" + std::to_string(size) + ">\n";
}

static void addParts(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.reshape by tosa.slice_shape";
  it.arguments = {{"f32", {2}}, {"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  const std::string both = dim("n", 1) + dim("m", 2),
                    four = "%all = tosa.concat_shape %n, %m, %n, %m : "
                           "(!tosa.shape<1>, !tosa.shape<1>, !tosa.shape<1>, "
                           "!tosa.shape<1>) -> !tosa.shape<4>\n",
                    reshape = "%r = tosa.reshape %0, %s : ($0, "
                              "!tosa.shape<2>) -> $r0";
  it.body = both + four + part("%s", "%all", 4, 1, 2) + reshape;
  it.judge = [](const Inputs &inputs) -> Verdict {
    Extents shape = {inputs.shapes[2][0], inputs.shapes[1][0]};
    if (countElements(shape) != countElements(inputs.shapes[0]))
      return std::nullopt;
    return {{shape}};
  };
  cases.push_back(it);

  // What is not taken is computed all the same (rt-6).
  it.name = "tosa.slice_shape beside a quotient";
  it.body = both +
            "%d = tosa.div_floor_shape %n, %m : (!tosa.shape<1>, "
            "!tosa.shape<1>) -> !tosa.shape<1>\n"
            "%all = tosa.concat_shape %d, %n, %m : (!tosa.shape<1>, "
            "!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<3>\n" +
            part("%s", "%all", 3, 1, 2) + reshape;
  it.judge = [](const Inputs &inputs) -> Verdict {
    Extents shape = {inputs.shapes[1][0], inputs.shapes[2][0]};
    if (shape[1] < 1 || countElements(shape) != countElements(inputs.shapes[0]))
      return std::nullopt;
    return {{shape}};
  };
  cases.push_back(it);

  it.name = "tosa.slice_shape beyond the last number";
  it.body = both + four + part("%s", "%all", 4, 3, 2) + reshape;
  it.judge = [](const Inputs &) -> Verdict { return std::nullopt; };
  cases.push_back(it);
}

/// Powers and logarithms of what operations on shapes give: a difference is
/// negative, a product larger than an extent.
static void addPowers(std::vector<Case> &cases) {
  using I = int64_t;
  const std::string one = "(!tosa.shape<1>) -> !tosa.shape<1>\n",
                    two = "(!tosa.shape<1>, !tosa.shape<1>) -> "
                          "!tosa.shape<1>\n";
  auto composed = [&](const std::string &name, const std::string &inner,
                      Arithmetic compute) {
    cases.push_back(tiled("exp2_shape", false, compute));
    Case &it = cases.back();
    it.name = name;
    // What is between the extents and the operation that is named last.
    size_t at = it.body.find("%t = ");
    it.body = it.body.substr(0, at) + inner +
              it.body.substr(it.body.find("\n%one") + 1);
  };
  composed("tosa.exp2_shape of a difference",
           "%d = tosa.sub_shape %n, %m : " + two +
               "%t = tosa.exp2_shape %d : " + one,
           [](I a, I b) -> std::optional<I> {
             if (a < b)
               return std::nullopt;
             return I(1) << (a - b);
           });
  composed("tosa.log2_floor_shape of a product",
           "%p = tosa.mul_shape %n, %m : " + two +
               "%t = tosa.log2_floor_shape %p : " + one,
           [](I a, I b) -> std::optional<I> {
             I log = 0;
             while ((I(2) << log) <= a * b)
               ++log;
             return ifPositive(a * b, log);
           });
  composed("tosa.log2_ceil_shape of a power",
           "%e = tosa.exp2_shape %n : " + one +
               "%p = tosa.add_shape %e, %m : " + two +
               "%t = tosa.log2_ceil_shape %p : " + one,
           [](I a, I b) -> std::optional<I> {
             I log = 0;
             while ((I(1) << log) < (I(1) << a) + b)
               ++log;
             return log;
           });
}

void broadloom::guards::addShapeValues(std::vector<Case> &cases) {
  addArithmetic(cases);
  addUses(cases);
  addParts(cases);
  addPowers(cases);
}
