//===- Reductions.cpp - reductions ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

void broadloom::guards::addReductions(std::vector<Case> &cases) {
  struct Operation {
    const char *name, *element;
  };
  for (Operation op : {Operation{"all", "i1"},
                       {"any", "i1"},
                       {"max", "f32"},
                       {"min", "i32"},
                       {"product", "f32"},
                       {"sum", "f32"},
                       {"sum", "i32"},
                       {"max", "f16"}})
    for (size_t rank = 1; rank <= kMostRank; ++rank)
      for (size_t axis = 0; axis < rank; ++axis) {
        Case it;
        it.name = std::string("tosa.reduce_") + op.name;
        it.arguments = {{op.element, {rank}}};
        it.results = {op.element};
        it.body = "%r = " + it.name + " %0 {axis = " + std::to_string(axis) +
                  " : i32} : ($0) -> $r0";
        it.judge = [axis](const Inputs &inputs) -> Verdict {
          Extents shape = inputs.shapes[0];
          shape[axis] = 1;
          return {{shape}};
        };
        cases.push_back(it);
      }
  for (size_t rank = 1; rank <= kMostRank; ++rank)
    for (size_t axis = 0; axis < rank; ++axis) {
      Case it;
      it.name = "tosa.argmax";
      it.arguments = {{"f32", {rank}}};
      it.results = {"i32"};
      it.body = "%r = tosa.argmax %0 {axis = " + std::to_string(axis) +
                " : i32} : ($0) -> $r0";
      it.judge = [axis](const Inputs &inputs) -> Verdict {
        Extents shape = inputs.shapes[0];
        shape.erase(shape.begin() + int64_t(axis));
        return {{shape}};
      };
      cases.push_back(it);
    }

  // Several reductions and what is between them are one operation (red-1);
  // extents of 1 and others meet behind them.
  Case softmax;
  softmax.name =
      "tosa.reduce_max, tosa.sub, tosa.exp, tosa.reduce_sum, tosa.mul";
  softmax.arguments = {{"f32", {2}}, {"f32", {2}}};
  softmax.results = {"f32"};
  softmax.body =
      "%m = tosa.reduce_max %0 {axis = 1 : i32} : ($0) -> tensor<?x?xf32>\n"
      "%d = tosa.sub %1, %m : ($1, tensor<?x?xf32>) -> tensor<?x?xf32>\n"
      "%e = tosa.exp %d : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
      "%s = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> "
      "tensor<?x?xf32>\n"
      "%r = tosa.add %e, %s : (tensor<?x?xf32>, tensor<?x?xf32>) -> $r0";
  softmax.judge = [](const Inputs &inputs) -> Verdict {
    std::optional<Extents> e =
        broadcast({inputs.shapes[1], {inputs.shapes[0][0], 1}});
    if (!e)
      return std::nullopt;
    return {{*e}};
  };
  cases.push_back(softmax);
}
