//===- Quantised.cpp - rescaling, and tables of values --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

static std::string attributes(bool perChannel) {
  return std::string(" {scale32 = true, rounding_mode = SINGLE_ROUND, "
                     "input_unsigned = false, output_unsigned = false, "
                     "per_channel = ") +
         (perChannel ? "true" : "false") + "}";
}

static const char kZeroPoints[] =
    "%zi = \"tosa.const\"() {values = dense<0> : tensor<1xi32>} : () -> "
    "tensor<1xi32>\n%zo = \"tosa.const\"() {values = dense<3> : tensor<1xi8>} "
    ": () -> tensor<1xi8>\n";

/// Multipliers and shifts of the caller's: one for each channel, which is what
/// the last axis counts, or one for all.
static void addScales(std::vector<Case> &cases, bool perChannel) {
  Case it;
  it.name = perChannel ? "tosa.rescale per channel" : "tosa.rescale";
  // A shift outside 2 to 62 counts as the nearest of these (el-12).
  it.arguments = {
      {"i32", {0, 1, 2, 3}}, {"i32", {1}, {1 << 30}}, {"i8", {1}, {0, 31}}};
  it.results = {"i8"};
  it.body = std::string(kZeroPoints) +
            "%r = tosa.rescale %0, %1, %2, %zi, %zo" + attributes(perChannel) +
            " : ($0, $1, $2, tensor<1xi32>, tensor<1xi8>) -> $r0";
  it.judge = [perChannel](const Inputs &inputs) -> Verdict {
    const Extents &shape = inputs.shapes[0];
    if (perChannel && shape.empty())
      return std::nullopt;
    Extents scales = {perChannel ? shape.back() : 1};
    if (inputs.shapes[1] != scales || inputs.shapes[2] != scales)
      return std::nullopt;
    return {{shape}};
  };
  cases.push_back(it);
}

/// Two channels, as the constants say.
static void addConstantScales(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.rescale by constants";
  it.arguments = {{"i32", {0, 1, 2, 3}}};
  it.results = {"i8"};
  it.body = std::string(kZeroPoints) +
            "%m = \"tosa.const\"() {values = dense<[1073741824, 5]> : "
            "tensor<2xi32>} : () -> tensor<2xi32>\n"
            "%s = \"tosa.const\"() {values = dense<[30, 2]> : tensor<2xi8>} : "
            "() -> tensor<2xi8>\n%r = tosa.rescale %0, %m, %s, %zi, %zo" +
            attributes(true) +
            " : ($0, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, "
            "tensor<1xi8>) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    const Extents &shape = inputs.shapes[0];
    if (shape.empty() || shape.back() != 2)
      return std::nullopt;
    return {{shape}};
  };
  cases.push_back(it);
}

/// A zero point is one number, as its type must say.
static void addZeroPoints(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.rescale with zero points of the caller's";
  it.arguments = {{"i8", {1, 2}}, {"i8", {1}, {0, 3}}, {"i8", {1}}};
  it.results = {"i8"};
  it.body = "%m = \"tosa.const\"() {values = dense<1073741824> : "
            "tensor<1xi32>} : () -> tensor<1xi32>\n"
            "%s = \"tosa.const\"() {values = dense<30> : tensor<1xi8>} : () "
            "-> tensor<1xi8>\n%i = tensor.cast %1 : $1 to tensor<1xi8>\n"
            "%o = tensor.cast %2 : $2 to tensor<1xi8>\n"
            "%r = tosa.rescale %0, %m, %s, %i, %o" +
            attributes(false) +
            " : ($0, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) "
            "-> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    if (inputs.shapes[1] != Extents{1} || inputs.shapes[2] != Extents{1})
      return std::nullopt;
    return {{inputs.shapes[0]}};
  };
  cases.push_back(it);
}

/// A table has `entries` values; it is made of some of `part` each.
static void addTable(std::vector<Case> &cases, const std::string &element,
                     const std::string &result, int64_t part, int64_t entries) {
  Case it;
  it.name = "tosa.table";
  it.arguments = {{element, {0, 1, 2, 3}, {-1, 1}}, {element, {1}}};
  it.results = {result};
  std::string table = "tensor<?x" + element + ">";
  it.body = "%n = tosa.const_shape {values = dense<" + std::to_string(part) +
            "> : tensor<1xindex>} : () -> !tosa.shape<1>\n"
            "%t = tosa.tile %1, %n : ($1, !tosa.shape<1>) -> " +
            table + "\n%r = tosa.table %0, %t : ($0, " + table + ") -> $r0";
  it.judge = [part, entries](const Inputs &inputs) -> Verdict {
    if (inputs.shapes[1].size() != 1 || inputs.shapes[1][0] * part != entries)
      return std::nullopt;
    return {{inputs.shapes[0]}};
  };
  cases.push_back(it);

  it.name = "tosa.table of constants";
  it.arguments.resize(1);
  table = "tensor<" + std::to_string(entries) + "x" + element + ">";
  it.body = "%t = \"tosa.const\"() {values = dense<7> : " + table +
            "} : () -> " + table + "\n%r = tosa.table %0, %t : ($0, " + table +
            ") -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    return {{inputs.shapes[0]}};
  };
  cases.push_back(it);
}

void broadloom::guards::addQuantised(std::vector<Case> &cases) {
  addScales(cases, true);
  addScales(cases, false);
  addConstantScales(cases);
  addZeroPoints(cases);
  addTable(cases, "i8", "i8", 128, 256);
  // With a last value for what lies between the two before it.
  addTable(cases, "i16", "i32", 171, 513);
}
