//===- Variables.cpp - variables, from call to call -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

/// A variable `last` of one axis, `extent`, which has two elements at first.
static Case declareVariable(const std::string &name,
                            const std::string &extent) {
  Case it;
  it.name = name;
  it.arguments = {{"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.takesUnranked = true;
  it.before = "\"tosa.variable\"() <{sym_name = \"last\", type = f32, "
              "initial_value = dense<1.0> : tensor<2xf32>, var_shape = dense<" +
              extent + "> : tensor<1xindex>}> : () -> ()\n";
  it.initialState = {{2}};
  return it;
}

/// Adds what the call before wrote, and writes its first argument: also ahead
/// of a sum that is refused (abi-8).
static void addOpenVariable(std::vector<Case> &cases) {
  Case it = declareVariable("tosa.variable", "-1");
  it.body = "%before = tosa.variable_read @last : tensor<?xf32>\n"
            "%cast = tensor.cast %0 : $0 to tensor<?xf32>\n"
            "tosa.variable_write @last, %cast : tensor<?xf32>\n"
            "%r = tosa.add %before, %1 : (tensor<?xf32>, $1) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    auto shape = broadcast({inputs.state[0], inputs.shapes[1]});
    if (inputs.shapes[0].size() != 1 || !shape)
      return std::nullopt;
    return {{*shape}};
  };
  it.stateAfter = [](const Inputs &inputs) -> std::vector<Extents> {
    return {inputs.shapes[0]};
  };
  cases.push_back(it);
}

/// What a branch or a loop writes is what is read behind it.
static void addWrittenInside(std::vector<Case> &cases, const std::string &name,
                             const std::string &open,
                             const std::string &close) {
  Case it = declareVariable("tosa.variable_write in " + name, "-1");
  it.arguments.push_back({"index", {}, {0, 1}});
  it.body = "%zero = arith.constant 0 : index\n"
            "%one = arith.constant 1 : index\n" +
            open +
            "%cast = tensor.cast %0 : $0 to tensor<?xf32>\n"
            "tosa.variable_write @last, %cast : tensor<?xf32>\n" +
            close +
            "%after = tosa.variable_read @last : tensor<?xf32>\n"
            "%r = tosa.add %after, %1 : (tensor<?xf32>, $1) -> $r0";
  auto after = [](const Inputs &inputs) {
    return inputs.values[2] ? inputs.shapes[0] : inputs.state[0];
  };
  it.judge = [after](const Inputs &inputs) -> Verdict {
    auto shape = broadcast({after(inputs), inputs.shapes[1]});
    if ((inputs.values[2] && inputs.shapes[0].size() != 1) || !shape)
      return std::nullopt;
    return {{*shape}};
  };
  it.stateAfter = [after](const Inputs &inputs) -> std::vector<Extents> {
    return {after(inputs)};
  };
  cases.push_back(it);
}

/// A type that says the extent is a guard of what is written (rt-4).
static void addFixedVariable(std::vector<Case> &cases) {
  Case it = declareVariable("tosa.variable of 2 elements", "2");
  it.body = "%open = tensor.cast %0 : $0 to tensor<?xf32>\n"
            "%cast = tensor.cast %open : tensor<?xf32> to tensor<2xf32>\n"
            "tosa.variable_write @last, %cast : tensor<2xf32>\n"
            "%after = tosa.variable_read @last : tensor<2xf32>\n"
            "%r = tosa.add %after, %1 : (tensor<2xf32>, $1) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    auto shape = broadcast({{2}, inputs.shapes[1]});
    if (inputs.shapes[0] != Extents{2} || !shape)
      return std::nullopt;
    return {{*shape}};
  };
  it.stateAfter = [](const Inputs &inputs) -> std::vector<Extents> {
    return inputs.state;
  };
  cases.push_back(it);
}

void broadloom::guards::addVariables(std::vector<Case> &cases) {
  addOpenVariable(cases);
  addWrittenInside(cases, "scf.if",
                   "%taken = arith.index_cast %2 : index to i1\n"
                   "scf.if %taken {\n",
                   "}\n");
  addWrittenInside(cases, "scf.index_switch", "scf.index_switch %2\ncase 1 {\n",
                   "scf.yield\n}\ndefault {\nscf.yield\n}\n");
  addWrittenInside(cases, "scf.for", "scf.for %i = %zero to %2 step %one {\n",
                   "}\n");
  addFixedVariable(cases);
}
