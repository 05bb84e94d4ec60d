//===- Layouts.cpp - operations that move elements ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

#include <algorithm>

using namespace broadloom::guards;

static std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// A constant shape, by name.
static std::string constant(const std::string &name,
                            const std::vector<int64_t> &numbers) {
  std::string count = std::to_string(numbers.size());
  return name + " = tosa.const_shape {values = dense<[" + list(numbers) +
         "]> : tensor<" + count + "xindex>} : () -> !tosa.shape<" + count +
         ">\n";
}

static std::string shapeType(size_t count) {
  return "!tosa.shape<" + std::to_string(count) + ">";
}

static Case make(const std::string &name, std::vector<size_t> ranks,
                 const std::string &body,
                 std::function<Verdict(const Inputs &)> judge) {
  Case it;
  it.name = name;
  for (size_t rank : ranks)
    it.arguments.push_back({"f32", {rank}});
  it.results = {"f32"};
  it.body = body;
  it.judge = std::move(judge);
  return it;
}

static void addConcat(std::vector<Case> &cases, size_t rank, size_t axis,
                      size_t count) {
  std::string operands, types;
  for (size_t i = 0; i < count; ++i) {
    operands += (i ? ", %" : "%") + std::to_string(i);
    types += (i ? ", $" : "$") + std::to_string(i);
  }
  cases.push_back(make("tosa.concat", std::vector<size_t>(count, rank),
                       "%r = tosa.concat " + operands +
                           " {axis = " + std::to_string(axis) + " : i32} : (" +
                           types + ") -> $r0",
                       [axis](const Inputs &inputs) -> Verdict {
                         Extents joined = inputs.shapes[0];
                         for (size_t i = 1; i < inputs.shapes.size(); ++i)
                           for (size_t k = 0; k < joined.size(); ++k) {
                             if (k == axis)
                               joined[k] += inputs.shapes[i][k];
                             else if (inputs.shapes[i][k] != joined[k])
                               return std::nullopt;
                           }
                         return {{joined}};
                       }));
}

static void addPad(std::vector<Case> &cases, const std::vector<int64_t> &pads) {
  size_t rank = pads.size() / 2;
  cases.push_back(make(
      "tosa.pad", {rank},
      constant("%p", pads) +
          "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () -> "
          "tensor<1xf32>\n%r = tosa.pad %0, %p, %z : ($0, " +
          shapeType(pads.size()) + ", tensor<1xf32>) -> $r0",
      [pads](const Inputs &inputs) -> Verdict {
        Extents shape = inputs.shapes[0];
        for (size_t i = 0; i < shape.size(); ++i) {
          if (pads[2 * i] < 0 || pads[2 * i + 1] < 0)
            return std::nullopt;
          shape[i] += pads[2 * i] + pads[2 * i + 1];
        }
        return {{shape}};
      }));
}

/// By trying: the only extent that makes the elements as many.
static std::optional<Extents> fillIn(Extents wanted, int64_t elements) {
  int64_t open = std::count(wanted.begin(), wanted.end(), -1);
  if (open > 1)
    return std::nullopt;
  auto unknown = std::find(wanted.begin(), wanted.end(), -1);
  if (open == 0) {
    if (countElements(wanted) != elements)
      return std::nullopt;
    return wanted;
  }
  std::optional<Extents> found;
  for (int64_t extent = 0; extent <= 1000; ++extent) {
    *unknown = extent;
    if (countElements(wanted) != elements)
      continue;
    if (found)
      return std::nullopt; // anything would do
    found = wanted;
  }
  return found;
}

static void addReshape(std::vector<Case> &cases, size_t rank,
                       const Extents &wanted) {
  cases.push_back(
      make("tosa.reshape", {rank},
           constant("%s", wanted) + "%r = tosa.reshape %0, %s : ($0, " +
               shapeType(wanted.size()) + ") -> $r0",
           [wanted](const Inputs &inputs) -> Verdict {
             auto shape = fillIn(wanted, countElements(inputs.shapes[0]));
             return shape ? Verdict({*shape}) : std::nullopt;
           }));
}

static void addSlice(std::vector<Case> &cases,
                     const std::vector<int64_t> &starts,
                     const std::vector<int64_t> &sizes) {
  size_t rank = starts.size();
  std::string type = shapeType(rank);
  cases.push_back(
      make("tosa.slice", {rank},
           constant("%s", starts) + constant("%n", sizes) +
               "%r = tosa.slice %0, %s, %n : ($0, " + type + ", " + type +
               ") -> $r0",
           [starts, sizes](const Inputs &inputs) -> Verdict {
             Extents shape;
             for (size_t i = 0; i < starts.size(); ++i) {
               int64_t extent = inputs.shapes[0][i];
               int64_t size = sizes[i] == -1 ? extent - starts[i] : sizes[i];
               if (starts[i] < 0 || size < 0 || starts[i] + size > extent)
                 return std::nullopt;
               shape.push_back(size);
             }
             return {{shape}};
           }));
}

static void addTile(std::vector<Case> &cases,
                    const std::vector<int64_t> &times) {
  cases.push_back(make("tosa.tile", {times.size()},
                       constant("%n", times) + "%r = tosa.tile %0, %n : ($0, " +
                           shapeType(times.size()) + ") -> $r0",
                       [times](const Inputs &inputs) -> Verdict {
                         Extents shape = inputs.shapes[0];
                         for (size_t i = 0; i < shape.size(); ++i) {
                           if (times[i] < 1)
                             return std::nullopt;
                           shape[i] *= times[i];
                         }
                         return {{shape}};
                       }));
}

static void addTransposes(std::vector<Case> &cases, size_t rank) {
  std::vector<int64_t> perms;
  for (size_t i = 0; i < rank; ++i)
    perms.push_back(int64_t(i));
  do {
    cases.push_back(make("tosa.transpose", {rank},
                         "%r = tosa.transpose %0 {perms = array<i32: " +
                             list(perms) + ">} : ($0) -> $r0",
                         [perms](const Inputs &inputs) -> Verdict {
                           Extents shape;
                           for (int64_t axis : perms)
                             shape.push_back(inputs.shapes[0][size_t(axis)]);
                           return {{shape}};
                         }));
  } while (std::next_permutation(perms.begin(), perms.end()));
}

static void addReverse(std::vector<Case> &cases, size_t rank, size_t axis) {
  cases.push_back(make(
      "tosa.reverse", {rank},
      "%r = tosa.reverse %0 {axis = " + std::to_string(axis) +
          " : i32} : ($0) -> $r0",
      [](const Inputs &inputs) -> Verdict { return {{inputs.shapes[0]}}; }));
}

/// Indices are data, and checked before they are used (rt-9).
static void addGather(std::vector<Case> &cases) {
  Case it = make(
      "tosa.gather", {3, 2}, "%r = tosa.gather %0, %1 : ($0, $1) -> $r0",
      [](const Inputs &inputs) -> Verdict {
        const Extents &values = inputs.shapes[0], &indices = inputs.shapes[1];
        if (values[0] != indices[0])
          return std::nullopt;
        int64_t index = inputs.values[1];
        if (countElements(indices) > 0 && (index < 0 || index >= values[1]))
          return std::nullopt;
        return {{{values[0], indices[1], values[2]}}};
      });
  it.arguments[1].element = "i32";
  it.arguments[1].values = {-1, 0, 1, 2, 3};
  cases.push_back(it);

  it = make("tosa.scatter", {3, 2, 3},
            "%r = tosa.scatter %0, %1, %2 : ($0, $1, $2) -> $r0",
            [](const Inputs &inputs) -> Verdict {
              const Extents &into = inputs.shapes[0],
                            &indices = inputs.shapes[1],
                            &rows = inputs.shapes[2];
              if (into[0] != indices[0] || into[0] != rows[0] ||
                  indices[1] != rows[1] || into[2] != rows[2] ||
                  into[1] < rows[1])
                return std::nullopt;
              int64_t index = inputs.values[1];
              if (countElements(indices) > 0 && (index < 0 || index >= into[1]))
                return std::nullopt;
              return {{into}};
            });
  it.arguments[1].element = "i32";
  it.arguments[1].values = {-1, 0, 2};
  cases.push_back(it);
}

void broadloom::guards::addLayouts(std::vector<Case> &cases) {
  for (size_t rank = 1; rank <= kMostRank; ++rank)
    for (size_t axis = 0; axis < rank; ++axis) {
      addConcat(cases, rank, axis, 2);
      addReverse(cases, rank, axis);
    }
  addConcat(cases, 1, 0, 3);
  addConcat(cases, 2, 1, 3);
  for (const std::vector<int64_t> &pads :
       std::vector<std::vector<int64_t>>{{0, 0},
                                         {1, 0},
                                         {0, 2},
                                         {-1, 1},
                                         {1, 0, 0, 1},
                                         {0, 0, 2, 1},
                                         {0, 1, 1, 0, 0, 2}})
    addPad(cases, pads);
  for (const Extents &wanted : std::vector<Extents>{{-1},
                                                    {0},
                                                    {1},
                                                    {2},
                                                    {6},
                                                    {-1, 1},
                                                    {2, -1},
                                                    {3, -1},
                                                    {0, -1},
                                                    {-1, -1},
                                                    {2, 3},
                                                    {0, 3},
                                                    {1, -1, 2},
                                                    {2, 2, 3},
                                                    {-1, 0, 2}})
    for (size_t rank = 0; rank <= kMostRank; ++rank)
      addReshape(cases, rank, wanted);
  addSlice(cases, {0}, {2});
  addSlice(cases, {1}, {2});
  addSlice(cases, {3}, {0});
  addSlice(cases, {4}, {0});
  addSlice(cases, {2}, {-1});
  addSlice(cases, {-1}, {1});
  addSlice(cases, {0, 1}, {1, -1});
  addSlice(cases, {1, 1}, {2, 0});
  addSlice(cases, {0, 1, 2}, {3, 1, 1});
  addSlice(cases, {1, 0, 0}, {-1, 2, -1});
  for (const std::vector<int64_t> &times : std::vector<std::vector<int64_t>>{
           {1}, {2}, {0}, {-1}, {2, 1}, {3, 2}, {1, 2, 3}})
    addTile(cases, times);
  for (size_t rank = 1; rank <= kMostRank; ++rank)
    addTransposes(cases, rank);
  addGather(cases);
}
