//===- Tensors.cpp - operations of the tensor dialect ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

static const std::vector<int64_t> kNumbers = {-2, -1, 0, 1, 2, 3, 4};

static Case make(const std::string &name, std::vector<Argument> arguments,
                 const std::string &body,
                 std::function<Verdict(const Inputs &)> judge) {
  Case it;
  it.name = name;
  it.arguments = std::move(arguments);
  it.results = {"f32"};
  it.body = body;
  it.judge = std::move(judge);
  it.resultTypes = ResultTypes::Open;
  return it;
}

static Argument tensor(size_t rank) { return {"f32", {rank}}; }
static Argument number() { return {"index", {}, kNumbers}; }

/// Whether all of these elements of an axis are there, one by one.
static bool isInside(int64_t offset, int64_t size, int64_t stride,
                     int64_t extent) {
  if (size < 0 || offset < 0 || offset > extent)
    return false;
  for (int64_t i = 0; i < size; ++i)
    if (offset + i * stride < 0 || offset + i * stride >= extent)
      return false;
  return true;
}

static void addSlices(std::vector<Case> &cases) {
  cases.push_back(make("tensor.extract_slice",
                       {tensor(1), number(), number(), number()},
                       "%r = tensor.extract_slice %0[%1] [%2] [%3] : $0 to $r0",
                       [](const Inputs &in) -> Verdict {
                         if (!isInside(in.values[1], in.values[2], in.values[3],
                                       in.shapes[0][0]))
                           return std::nullopt;
                         return {{{in.values[2]}}};
                       }));
  cases.push_back(
      make("tensor.extract_slice of a row", {tensor(2), number(), number()},
           "%c1 = arith.constant 1 : index\n%n = tensor.dim %0, %c1 : $0\n"
           "%r = tensor.extract_slice %0[%1, %2] [1, %n] [1, 1] : $0 to $r0",
           [](const Inputs &in) -> Verdict {
             if (!isInside(in.values[1], 1, 1, in.shapes[0][0]) ||
                 !isInside(in.values[2], in.shapes[0][1], 1, in.shapes[0][1]))
               return std::nullopt;
             return {{{in.shapes[0][1]}}};
           }));
  Case insert =
      make("tensor.insert_slice", {tensor(1), number(), number(), tensor(1)},
           "%r = tensor.insert_slice %0 into %3[%1] [%2] [1] : $0 into $3",
           [](const Inputs &in) -> Verdict {
             if (in.shapes[0][0] != in.values[2] ||
                 !isInside(in.values[1], in.values[2], 1, in.shapes[3][0]))
               return std::nullopt;
             return {{in.shapes[3]}};
           });
  insert.resultTypes = ResultTypes::LikeLast;
  insert.openOnly = true;
  cases.push_back(insert);
  insert = make(
      "tensor.insert_slice of a row",
      {tensor(1), number(), number(), tensor(2)},
      "%r = tensor.insert_slice %0 into %3[%1, 0] [1, %2] [1, 1] : $0 into $3",
      [](const Inputs &in) -> Verdict {
        if (in.shapes[0][0] != in.values[2] ||
            !isInside(in.values[1], 1, 1, in.shapes[3][0]) ||
            !isInside(0, in.values[2], 1, in.shapes[3][1]))
          return std::nullopt;
        return {{in.shapes[3]}};
      });
  insert.resultTypes = ResultTypes::LikeLast;
  insert.openOnly = true;
  cases.push_back(insert);
}

static void addElements(std::vector<Case> &cases) {
  cases.push_back(make("tensor.extract", {tensor(2), number(), number()},
                       "%e = tensor.extract %0[%1, %2] : $0\n"
                       "%r = tensor.from_elements %e, %e : tensor<2xf32>\n",
                       [](const Inputs &in) -> Verdict {
                         if (!isInside(in.values[1], 1, 1, in.shapes[0][0]) ||
                             !isInside(in.values[2], 1, 1, in.shapes[0][1]))
                           return std::nullopt;
                         return {{{2}}};
                       }));
  cases.back().body = "%e = tensor.extract %0[%1, %2] : $0\n%s = "
                      "tensor.from_elements %e, %e : tensor<2xf32>\n%r = "
                      "tensor.cast %s : tensor<2xf32> to $r0";
  Case insert = make("tensor.insert", {number(), number(), tensor(2)},
                     "%v = arith.constant 1.0 : f32\n"
                     "%r = tensor.insert %v into %2[%0, %1] : $2",
                     [](const Inputs &in) -> Verdict {
                       if (!isInside(in.values[0], 1, 1, in.shapes[2][0]) ||
                           !isInside(in.values[1], 1, 1, in.shapes[2][1]))
                         return std::nullopt;
                       return {{in.shapes[2]}};
                     });
  insert.resultTypes = ResultTypes::LikeLast;
  cases.push_back(insert);
  cases.push_back(
      make("tensor.dim", {tensor(2), number()},
           "%n = tensor.dim %0, %1 : $0\n%v = arith.constant 1.0 : f32\n"
           "%r = tensor.splat %v[%n] : $r0",
           [](const Inputs &in) -> Verdict {
             if (in.values[1] < 0 || in.values[1] > 1)
               return std::nullopt;
             return {{{in.shapes[0][size_t(in.values[1])]}}};
           }));
}

static void addMakers(std::vector<Case> &cases) {
  auto natural = [](const Inputs &in) -> Verdict {
    if (in.values[0] < 0 || in.values[1] < 0)
      return std::nullopt;
    return {{{in.values[0], in.values[1]}}};
  };
  cases.push_back(
      make("tensor.splat", {number(), number()},
           "%v = arith.constant 1.0 : f32\n%r = tensor.splat %v[%0, %1] : $r0",
           natural));
  cases.push_back(
      make("tensor.empty", {number(), number()},
           "%e = tensor.empty(%0, %1) : $r0\n%v = arith.constant 1.0 : f32\n"
           "%r = linalg.fill ins(%v : f32) outs(%e : $r0) -> $r0",
           natural));
  cases.push_back(
      make("tensor.generate", {tensor(1), number(), number()},
           "%r = tensor.generate %1 {\n^bb0(%i: index):\n%j = arith.addi %i, "
           "%2 : index\n"
           "%e = tensor.extract %0[%j] : $0\ntensor.yield %e : f32\n} : $r0",
           [](const Inputs &in) -> Verdict {
             int64_t size = in.values[1], offset = in.values[2];
             if (size < 0)
               return std::nullopt;
             for (int64_t i = 0; i < size; ++i)
               if (!isInside(i + offset, 1, 1, in.shapes[0][0]))
                 return std::nullopt;
             return {{{size}}};
           }));
  cases.push_back(make(
      "tensor.pad", {tensor(2), number(), number()},
      "%v = arith.constant 1.0 : f32\n%r = tensor.pad %0 low[%1, 0] high[0, "
      "%2] {\n"
      "^bb0(%i: index, %j: index):\ntensor.yield %v : f32\n} : $0 to $r0",
      [](const Inputs &in) -> Verdict {
        if (in.values[1] < 0 || in.values[2] < 0)
          return std::nullopt;
        return {
            {{in.shapes[0][0] + in.values[1], in.shapes[0][1] + in.values[2]}}};
      }));
  cases.push_back(
      make("loom.boundary", {tensor(2), number(), number()},
           "%r = loom.boundary reflect %0 low[%1, 0] high[0, %2] : $0 to $r0",
           [](const Inputs &in) -> Verdict {
             const Extents &source = in.shapes[0];
             for (size_t axis : {0, 1})
               if (in.values[axis + 1] < 0 ||
                   (source[axis] == 0 && in.values[axis + 1] != 0))
                 return std::nullopt;
             return {{{source[0] + in.values[1], source[1] + in.values[2]}}};
           }));
}

static void addReshapes(std::vector<Case> &cases) {
  cases.push_back(make("tensor.expand_shape", {tensor(1), number(), number()},
                       "%r = tensor.expand_shape %0 [[0, 1]] output_shape [%1, "
                       "%2] : $0 into $r0",
                       [](const Inputs &in) -> Verdict {
                         if (in.values[1] < 0 || in.values[2] < 0 ||
                             in.values[1] * in.values[2] != in.shapes[0][0])
                           return std::nullopt;
                         return {{{in.values[1], in.values[2]}}};
                       }));
  cases.back().openOnly = true;
  cases.push_back(
      make("tensor.collapse_shape", {tensor(3)},
           "%r = tensor.collapse_shape %0 [[0], [1, 2]] : $0 into $r0",
           [](const Inputs &in) -> Verdict {
             const Extents &s = in.shapes[0];
             return {{{s[0], s[1] * s[2]}}};
           }));
  cases.back().openOnly = true;
  cases.push_back(
      make("tensor.reshape",
           {tensor(2), {"i64", {}, kNumbers}, {"i64", {}, kNumbers}},
           "%s = tensor.from_elements %1, %2 : tensor<2xi64>\n"
           "%r = tensor.reshape %0(%s) : ($0, tensor<2xi64>) -> $r0",
           [](const Inputs &in) -> Verdict {
             Extents shape = {in.values[1], in.values[2]};
             if (shape[0] < 0 || shape[1] < 0 ||
                 countElements(shape) != countElements(in.shapes[0]))
               return std::nullopt;
             return {{shape}};
           }));
  Case it =
      make("tensor.concat", {tensor(2), tensor(2)},
           "%r = tensor.concat dim(1) %0, %1 : ($0, $1) -> $r0",
           [](const Inputs &in) -> Verdict {
             if (in.shapes[0][0] != in.shapes[1][0])
               return std::nullopt;
             return {{{in.shapes[0][0], in.shapes[0][1] + in.shapes[1][1]}}};
           });
  cases.push_back(it);
  // What a cast says beyond its source is checked (rt-4).
  it = make("tensor.cast", {{"f32", {0, 1, 2, 3}}},
            "%r = tensor.cast %0 : $0 to $r0",
            [](const Inputs &in) -> Verdict { return {{in.shapes[0]}}; });
  it.resultTypes = ResultTypes::Free;
  it.takesUnranked = true;
  cases.push_back(it);
}

void broadloom::guards::addTensors(std::vector<Case> &cases) {
  addSlices(cases);
  addElements(cases);
  addMakers(cases);
  addReshapes(cases);
}
