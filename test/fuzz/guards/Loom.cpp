//===- Loom.cpp - maps and promises of a program's own --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

static Verdict broadcastAll(const Inputs &inputs) {
  std::optional<Extents> shape = broadcast(inputs.shapes);
  return shape ? Verdict({*shape}) : std::nullopt;
}

/// A map of the program's own (rt-10).
static void addMaps(std::vector<Case> &cases) {
  Case map;
  map.name = "loom.map";
  map.arguments = {{"f32", {0, 1, 2, 3}}, {"f32", {0, 1, 2, 3}}};
  map.results = {"f32"};
  map.body = "%r = loom.map(%x = %0 : $0, %y = %1 : $1) -> $r0 {\n"
             "%s = arith.addf %x, %y : f32\nloom.yield %s : f32\n}";
  map.judge = broadcastAll;
  map.takesUnranked = true;
  cases.push_back(map);

  // An operand whose value nobody reads still has extents (rt-6).
  map.name = "loom.map that reads one of its operands";
  map.body = "%r = loom.map(%x = %0 : $0, %y = %1 : $1) -> $r0 {\n"
             "%s = arith.addf %x, %x : f32\nloom.yield %s : f32\n}";
  cases.push_back(map);
}

/// Promises of a function's arguments (abi-1). `judge` gets what is promised
/// of, and says whether it is so; the result is the first argument.
static Case promise(const std::string &name, std::vector<size_t> ranks,
                    std::vector<std::string> extents,
                    std::function<bool(const std::vector<Extents> &)> holds) {
  Case it;
  it.name = "loom.extents " + name;
  for (size_t rank : ranks)
    it.arguments.push_back({"f32", {rank}});
  for (const std::string &text : extents)
    it.argumentAttributes.push_back("loom.extents = #loom.extents<" + text +
                                    ">");
  it.results = {"f32"};
  it.body = "%r = tosa.abs %0 : ($0) -> $r0";
  it.judge = [holds, ranks](const Inputs &inputs) -> Verdict {
    for (size_t i = 0; i < ranks.size(); ++i)
      if (inputs.shapes[i].size() != ranks[i])
        return std::nullopt;
    if (!holds(inputs.shapes))
      return std::nullopt;
    return {{inputs.shapes[0]}};
  };
  it.takesUnranked = true;
  return it;
}

static void addPromises(std::vector<Case> &cases) {
  using All = const std::vector<Extents> &;
  cases.push_back(promise("[n, n]", {2}, {"[n, n]"},
                          [](All s) { return s[0][0] == s[0][1]; }));
  cases.push_back(promise("[n, n + 1]", {2}, {"[n, n + 1]"},
                          [](All s) { return s[0][1] == s[0][0] + 1; }));
  cases.push_back(promise("[n - 1, n]", {2}, {"[n - 1, n]"},
                          [](All s) { return s[0][0] == s[0][1] - 1; }));
  cases.push_back(
      promise("[n, m], [m, n]", {2, 2}, {"[n, m]", "[m, n]"},
              [](All s) { return s[0][0] == s[1][1] && s[0][1] == s[1][0]; }));
  cases.push_back(promise("[n], [n * 2, n floordiv 2]", {1, 2},
                          {"[n]", "[n * 2, n floordiv 2]"}, [](All s) {
                            int64_t n = s[0][0];
                            return s[1][0] == 2 * n && s[1][1] == n / 2;
                          }));
  cases.push_back(promise("[n], [n mod 2, n ceildiv 2]", {1, 2},
                          {"[n]", "[n mod 2, n ceildiv 2]"}, [](All s) {
                            int64_t n = s[0][0];
                            return s[1][0] == n % 2 && s[1][1] == (n + 1) / 2;
                          }));
  cases.push_back(promise("[n, m, n * m]", {3}, {"[n, m, n * m]"},
                          [](All s) { return s[0][2] == s[0][0] * s[0][1]; }));
  cases.push_back(promise(
      "[n, 2] where n = 1 to 2", {2}, {"[n, 2] where n = 1 to 2"},
      [](All s) { return s[0][1] == 2 && s[0][0] >= 1 && s[0][0] <= 2; }));
  cases.push_back(promise("[n] where n = 1 to ? step 2", {1},
                          {"[n] where n = 1 to ? step 2"},
                          [](All s) { return s[0][0] % 2 == 1; }));
  cases.push_back(promise("[?, n], [n]", {2, 1}, {"[?, n]", "[n]"},
                          [](All s) { return s[0][1] == s[1][0]; }));
}

/// The extents of sums of an image over a weight, a window along the axes
/// between the first and the last with a stride of 2, a dilation of 1 and one
/// element of padding behind. The weight's channels are next to the window,
/// those of the result last; channel by channel they are one axis.
static Verdict sumProducts(const Extents &image, const Extents &weight) {
  size_t window = image.size() - 2;
  if (image.back() != weight[window])
    return std::nullopt;
  Extents sums = image;
  sums.back() = weight.back();
  for (size_t axis = 0; axis < window; ++axis) {
    int64_t kernel = weight[axis], room = image[axis + 1] + 1 - kernel;
    if (kernel < 1 || room < 0)
      return std::nullopt;
    sums[axis + 1] = room / 2 + 1;
  }
  return {{sums}};
}

/// A sum of products of the program's own.
static void addContractions(std::vector<Case> &cases) {
  Case product;
  product.name = "loom.contract of matrices";
  product.arguments = {{"f32", {2}}, {"f32", {2}}, {"f32", {1, 2}}};
  product.results = {"f32"};
  const std::string body = " {\n^bb0(%s: f32, %b: f32):\n"
                           "%t = arith.addf %s, %b : f32\n"
                           "loom.yield %t : f32\n}";
  product.body = "%r = loom.contract(%0, %1, %2) window {strides = array<i64>, "
                 "dilations = array<i64>, pads = array<i64>} : "
                 "($0, $1, $2) -> $r0" +
                 body;
  product.judge = [](const Inputs &inputs) -> Verdict {
    Verdict sums = sumProducts(inputs.shapes[0], inputs.shapes[1]);
    if (!sums)
      return std::nullopt;
    const Extents &extents = sums->front(), &tail = inputs.shapes[2];
    for (size_t i = 0; i < tail.size(); ++i)
      if (tail[i] != 1 && tail[i] != extents[extents.size() - tail.size() + i])
        return std::nullopt;
    return sums;
  };
  cases.push_back(product);

  const std::string plain = " {\n^bb0(%s: f32):\nloom.yield %s : f32\n}";
  const std::string window = "window {strides = array<i64: 2>, dilations = "
                             "array<i64: 1>, pads = array<i64: 0, 1>";
  Case line;
  line.name = "loom.contract along an axis";
  line.arguments = {{"f32", {3}}, {"f32", {3}}};
  line.results = {"f32"};
  line.body =
      "%r = loom.contract(%0, %1) " + window + "} : ($0, $1) -> $r0" + plain;
  line.judge = [](const Inputs &inputs) -> Verdict {
    return sumProducts(inputs.shapes[0], inputs.shapes[1]);
  };
  cases.push_back(line);

  line.name = "loom.contract channel by channel";
  line.arguments[1].ranks = {2};
  line.body = "%r = loom.contract(%0, %1) " + window +
              ", kind = #loom.contraction_kind<depthwise>} : ($0, $1) -> $r0" +
              plain;
  cases.push_back(line);

  for (const char *pool : {"max_pool", "sum_pool"}) {
    Case windows = line;
    windows.name = std::string("loom.contract without weights: ") + pool;
    windows.arguments[1] = {"i8", {1}};
    windows.body = "%r = loom.contract(%0, %1) " + window +
                   ", kind = #loom.contraction_kind<" + pool +
                   ">} : ($0, $1) -> $r0" + plain;
    windows.judge = [](const Inputs &inputs) -> Verdict {
      const Extents &image = inputs.shapes[0], &kernel = inputs.shapes[1];
      return sumProducts(image, {kernel[0], image[2], image[2]});
    };
    cases.push_back(windows);
  }

  Case batch;
  batch.name = "loom.contract with a weight for each image";
  batch.arguments = {{"f32", {3}}, {"f32", {3}}};
  batch.results = {"f32"};
  batch.body = "%r = loom.contract(%0, %1) window {strides = array<i64>, "
               "dilations = array<i64>, pads = array<i64>} : "
               "($0, $1) -> $r0" +
               plain;
  batch.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &a = inputs.shapes[0], &b = inputs.shapes[1];
    if (a[0] != b[0] || a[2] != b[1])
      return std::nullopt;
    return {{{a[0], a[1], b[2]}}};
  };
  cases.push_back(batch);
}

/// The first elements in order along an axis, of which there must be so many.
static void addSorts(std::vector<Case> &cases) {
  Case sort;
  sort.name = "loom.sort";
  sort.arguments = {{"f32", {1, 2}}, {"f32", {1, 2}}, {"i64", {1, 2}}};
  sort.results = {"f32", "i64"};
  sort.body = "%r:2 = loom.sort %0 into %1, %2 {axis = 0 : i64} : "
              "($0, $1, $2) -> ($r0, $r1)\n"
              "%r0 = tensor.cast %r#0 : $r0 to $r0\n"
              "%r1 = tensor.cast %r#1 : $r1 to $r1";
  sort.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &source = inputs.shapes[0], &values = inputs.shapes[1],
                  &indices = inputs.shapes[2];
    if (values != indices || values.size() != source.size() ||
        values[0] > source[0])
      return std::nullopt;
    for (size_t axis = 1; axis < source.size(); ++axis)
      if (values[axis] != source[axis])
        return std::nullopt;
    return {{values, indices}};
  };
  // The types of destinations and results are one.
  sort.openOnly = true;
  cases.push_back(sort);
}

/// Right sides for matrices, whose letters tell which extents are equal.
static void addLinearAlgebra(std::vector<Case> &cases) {
  Case solve;
  solve.name = "loom.linear_algebra";
  solve.arguments = {{"f32", {2, 3}}, {"f32", {2, 3}}, {"f32", {2, 3}}};
  solve.results = {"f32"};
  solve.body = "%r = loom.linear_algebra \"triangular_solve\" %0, %1 into %2 "
               ": ($0, $1, $2) -> $r0";
  solve.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &a = inputs.shapes[0], &b = inputs.shapes[1],
                  &x = inputs.shapes[2];
    size_t rank = a.size();
    if (b.size() != rank || x != b || a[rank - 1] != a[rank - 2] ||
        b[rank - 2] != a[rank - 1] || (rank == 3 && a[0] != b[0]))
      return std::nullopt;
    return {{x}};
  };
  // The types of destination and result are one.
  solve.openOnly = true;
  cases.push_back(solve);
}

void broadloom::guards::addLoom(std::vector<Case> &cases) {
  addMaps(cases);
  addSorts(cases);
  addLinearAlgebra(cases);
  addContractions(cases);
  addPromises(cases);
}
