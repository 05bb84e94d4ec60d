//===- Structured.cpp - operations of one iteration space -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

/// Operations of one iteration space on two or three operands, the last of
/// which is the result too (rt-11).
static Case make(const std::string &name, std::vector<size_t> ranks,
                 const std::string &body,
                 std::function<bool(const std::vector<Extents> &)> holds) {
  Case it;
  it.name = name;
  for (size_t rank : ranks)
    it.arguments.push_back({"f32", {rank}});
  it.results = {"f32"};
  it.body = body;
  it.judge = [holds](const Inputs &inputs) -> Verdict {
    if (!holds(inputs.shapes))
      return std::nullopt;
    return {{inputs.shapes.back()}};
  };
  it.resultTypes = ResultTypes::LikeLast;
  return it;
}

static std::string generic(const std::string &maps, const std::string &loops) {
  return "%r = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [" + loops +
         "]} ins(%0 : $0) outs(%1 : $1) {\n^bb0(%x: f32, %y: f32):\n%s = "
         "arith.addf %x, %y : f32\nlinalg.yield %s : f32\n} -> $1";
}

using Shapes = const std::vector<Extents> &;

static void addNamed(std::vector<Case> &cases) {
  cases.push_back(make(
      "linalg.matmul", {2, 2, 2},
      "%r = linalg.matmul ins(%0, %1 : $0, $1) outs(%2 : $2) -> $2",
      [](Shapes s) {
        return s[0][1] == s[1][0] && s[0][0] == s[2][0] && s[1][1] == s[2][1];
      }));
  cases.push_back(make(
      "linalg.batch_matmul", {3, 3, 3},
      "%r = linalg.batch_matmul ins(%0, %1 : $0, $1) outs(%2 : $2) -> $2",
      [](Shapes s) {
        return s[0][0] == s[1][0] && s[0][0] == s[2][0] && s[0][2] == s[1][1] &&
               s[0][1] == s[2][1] && s[1][2] == s[2][2];
      }));
  cases.push_back(
      make("linalg.matvec", {2, 1, 1},
           "%r = linalg.matvec ins(%0, %1 : $0, $1) outs(%2 : $2) -> $2",
           [](Shapes s) { return s[0][1] == s[1][0] && s[0][0] == s[2][0]; }));
  cases.push_back(
      make("linalg.add", {2, 2, 2},
           "%r = linalg.add ins(%0, %1 : $0, $1) outs(%2 : $2) -> $2",
           [](Shapes s) { return s[0] == s[1] && s[0] == s[2]; }));
  cases.push_back(make(
      "linalg.transpose", {2, 2},
      "%r = linalg.transpose ins(%0 : $0) outs(%1 : $1) permutation = [1, 0]",
      [](Shapes s) { return s[0][0] == s[1][1] && s[0][1] == s[1][0]; }));
  // Upstream's verifiers take `?` and a number for different extents here.
  cases.back().openOnly = true;
  cases.push_back(
      make("linalg.broadcast", {1, 2},
           "%r = linalg.broadcast ins(%0 : $0) outs(%1 : $1) dimensions = [0]",
           [](Shapes s) { return s[0][0] == s[1][1]; }));
  cases.back().openOnly = true;
  cases.push_back(make("linalg.reduce", {2, 1},
                       "%r = linalg.reduce { arith.addf } ins(%0 : $0) outs(%1 "
                       ": $1) dimensions = [0]",
                       [](Shapes s) { return s[0][1] == s[1][0]; }));
  cases.back().openOnly = true;
  cases.push_back(
      make("linalg.conv_1d", {1, 1, 1},
           "%r = linalg.conv_1d ins(%0, %1 : $0, $1) outs(%2 : $2) -> $2",
           [](Shapes s) {
             int64_t out = s[2][0], kernel = s[1][0];
             // Without a round nothing is read.
             return out == 0 || kernel == 0 || s[0][0] >= out + kernel - 1;
           }));
}

static void addGeneric(std::vector<Case> &cases) {
  const std::string same = "affine_map<(i, j) -> (i, j)>",
                    parallel = "\"parallel\", \"parallel\"";
  cases.push_back(
      make("linalg.generic transposed", {2, 2},
           generic("affine_map<(i, j) -> (j, i)>, " + same, parallel),
           [](Shapes s) { return s[0][0] == s[1][1] && s[0][1] == s[1][0]; }));
  cases.push_back(
      make("linalg.generic shifted", {1, 1},
           generic("affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>",
                   "\"parallel\""),
           [](Shapes s) { return s[1][0] == 0 || s[0][0] >= s[1][0] + 1; }));
  cases.push_back(
      make("linalg.generic in twos", {1, 1},
           generic("affine_map<(i) -> (i * 2)>, affine_map<(i) -> (i)>",
                   "\"parallel\""),
           [](Shapes s) {
             return s[1][0] == 0 || s[0][0] >= 2 * (s[1][0] - 1) + 1;
           }));
  cases.push_back(make(
      "linalg.generic of sums", {1, 2},
      generic("affine_map<(i, j) -> (i + j)>, " + same, parallel),
      [](Shapes s) {
        return s[1][0] == 0 || s[1][1] == 0 || s[0][0] >= s[1][0] + s[1][1] - 1;
      }));
  cases.push_back(
      make("linalg.generic of halves", {1, 1},
           generic("affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>",
                   "\"parallel\""),
           [](Shapes s) {
             return s[1][0] == 0 || s[0][0] >= (s[1][0] - 1) / 2 + 1;
           }));
  cases.push_back(
      make("linalg.generic of a column", {2, 1},
           generic("affine_map<(i) -> (i, 1)>, affine_map<(i) -> (i)>",
                   "\"parallel\""),
           [](Shapes s) {
             return s[0][0] == s[1][0] && (s[1][0] == 0 || s[0][1] >= 2);
           }));
}

static void addOnTensors(std::vector<Case> &cases) {
  cases.push_back(make("arith.addf", {2, 2}, "%r = arith.addf %0, %1 : $1",
                       [](Shapes s) { return s[0] == s[1]; }));
  cases.back().openOnly = true;
  Case select = make("arith.select", {1, 1},
                     "%b = arith.cmpf olt, %0, %1 : $1\n"
                     "%r = arith.select %b, %0, %1 : tensor<?xi1>, $1",
                     [](Shapes s) { return s[0] == s[1]; });
  select.openOnly = true;
  cases.push_back(select);
}

void broadloom::guards::addStructured(std::vector<Case> &cases) {
  addNamed(cases);
  addGeneric(cases);
  addOnTensors(cases);
}
