//===- Scalars.cpp - integers, loops and branches -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

#include <algorithm>

using namespace broadloom::guards;

static const std::vector<int64_t> kNumbers = {-3, -1, 0, 1, 2, 3};

/// A tensor of as many elements as the operations compute, at least 0.
static Case
counted(const std::string &name, const std::string &element,
        const std::string &body,
        std::function<std::optional<int64_t>(int64_t, int64_t)> compute) {
  Case it;
  it.name = name;
  it.arguments = {{element, {}, kNumbers}, {element, {}, kNumbers}};
  it.results = {"f32"};
  std::string toIndex =
      element == "index"
          ? "%q = arith.addi %n, %c0 : index\n"
          : "%q = arith.index_cast %n : " + element + " to index\n";
  it.body = "%c0 = arith.constant 0 : index\n%v = arith.constant 1.0 : f32\n" +
            body + "\n" + toIndex +
            "%m = arith.maxsi %q, %c0 : index\n%r = tensor.splat %v[%m] : $r0";
  it.judge = [compute](const Inputs &inputs) -> Verdict {
    auto count = compute(inputs.values[0], inputs.values[1]);
    if (!count)
      return std::nullopt;
    return {{{std::max<int64_t>(*count, 0)}}};
  };
  it.resultTypes = ResultTypes::Open;
  return it;
}

static int64_t floorOf(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Integers outside maps are not divided by 0 (rt-11).
static void addDivisions(std::vector<Case> &cases) {
  using I = int64_t;
  auto divide = [&](const std::string &op, const std::string &element,
                    std::function<I(I, I)> compute) {
    cases.push_back(counted("arith." + op, element,
                            "%n = arith." + op + " %0, %1 : " + element,
                            [compute](I a, I b) -> std::optional<I> {
                              if (b == 0)
                                return std::nullopt;
                              return compute(a, b);
                            }));
  };
  for (const char *element : {"index", "i32", "i64"}) {
    divide("divsi", element, [](I a, I b) { return a / b; });
    divide("remsi", element, [](I a, I b) { return a % b; });
  }
  divide("floordivsi", "index", floorOf);
  divide("ceildivsi", "index", [](I a, I b) { return -floorOf(-a, b); });
}

/// Affine maps divide by 1 and more (rt-11).
static void addAffine(std::vector<Case> &cases) {
  using I = int64_t;
  auto divide = [&](const std::string &op, const std::string &body,
                    std::function<I(I, I)> compute) {
    cases.push_back(counted(op, "index", "%n" + body,
                            [compute](I a, I b) -> std::optional<I> {
                              if (b < 1)
                                return std::nullopt;
                              return compute(a, b);
                            }));
  };
  auto apply = [](const std::string &kind) {
    return " = affine.apply affine_map<(d)[s] -> (d " + kind + " s)>(%0)[%1]";
  };
  auto remainder = [](I a, I b) { return a - floorOf(a, b) * b; };
  divide("affine.apply", apply("floordiv"), floorOf);
  divide("affine.apply", apply("ceildiv"),
         [](I a, I b) { return -floorOf(-a, b); });
  divide("affine.apply", apply("mod"), remainder);
  divide("affine.delinearize_index",
         ", %o = affine.delinearize_index %0 into (%1) : index, index",
         floorOf);
  divide("affine.delinearize_index",
         " = affine.delinearize_index %0 into (%1) : index",
         [](I a, I) { return a; });
}

/// Shifts by any amount have results (el-3); negative ones are large.
static void addShifts(std::vector<Case> &cases) {
  using I = int64_t;
  for (const char *element : {"index", "i32", "i64"}) {
    auto body = [&](const std::string &op) {
      return "%n = arith." + op + " %0, %1 : " + element;
    };
    cases.push_back(counted("arith.shli", element, body("shli"),
                            [](I a, I b) -> std::optional<I> {
                              return b < 0 ? 0 : a * (I(1) << b);
                            }));
    cases.push_back(counted("arith.shrsi", element, body("shrsi"),
                            [](I a, I b) -> std::optional<I> {
                              return b < 0 ? (a < 0 ? -1 : 0)
                                           : floorOf(a, I(1) << b);
                            }));
  }
}

static void addLoops(std::vector<Case> &cases) {
  using I = int64_t;
  cases.push_back(counted(
      "scf.for", "index",
      "%c3 = arith.constant 3 : index\n%c1 = arith.constant 1 : index\n"
      "%n = scf.for %i = %0 to %c3 step %1 iter_args(%k = %c0) -> (index) {\n"
      "%more = arith.addi %k, %c1 : index\nscf.yield %more : index\n}",
      [](I from, I step) -> std::optional<I> {
        if (step < 1)
          return std::nullopt;
        I rounds = 0;
        for (I i = from; i < 3; i += step)
          ++rounds;
        return rounds;
      }));
  cases.push_back(counted("cf.assert", "index",
                          "%h = arith.cmpi slt, %0, %1 : index\ncf.assert %h, "
                          "\"in order\"\n%n = arith.subi %1, %0 : index",
                          [](I a, I b) -> std::optional<I> {
                            if (a >= b)
                              return std::nullopt;
                            return b - a;
                          }));
  // A guard on a path that is not taken refuses nothing (rt-1).
  cases.push_back(counted(
      "scf.if", "index",
      "%h = arith.cmpi slt, %0, %1 : index\n%n = scf.if %h -> (index) {\n"
      "%d = arith.divsi %0, %1 : index\nscf.yield %d : index\n} else {\n"
      "scf.yield %1 : index\n}",
      [](I a, I b) -> std::optional<I> {
        if (a >= b)
          return b;
        if (b == 0)
          return std::nullopt;
        return a / b;
      }));
}

/// Whether the extents that the types give forbid to broadcast them. A `?` may
/// be 1, which broadcasts against everything.
static bool neverBroadcast(Pattern a, Pattern b) {
  std::replace(a.extents.begin(), a.extents.end(), kAny, int64_t(1));
  std::replace(b.extents.begin(), b.extents.end(), kAny, int64_t(1));
  return a.ranked && b.ranked && !broadcast({a.extents, b.extents});
}

static void addBranches(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.cond_if";
  it.arguments = {{"i1", {0}, {0, 1}}, {"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body =
      "%r = tosa.cond_if %0 : tensor<i1> -> $r0 {\n"
      "%s = tosa.add %1, %2 : ($1, $2) -> $r0\ntosa.yield %s : $r0\n} else {\n"
      "%c = tensor.cast %1 : $1 to $r0\ntosa.yield %c : $r0\n}";
  it.resultTypes = ResultTypes::Open;
  it.typesContradict = [](const std::vector<Pattern> &arguments) {
    return neverBroadcast(arguments[1], arguments[2]);
  };
  it.judge = [](const Inputs &inputs) -> Verdict {
    if (inputs.values[0] == 0)
      return {{inputs.shapes[1]}};
    auto shape = broadcast({inputs.shapes[1], inputs.shapes[2]});
    return shape ? Verdict({*shape}) : std::nullopt;
  };
  cases.push_back(it);
}

void broadloom::guards::addScalars(std::vector<Case> &cases) {
  addDivisions(cases);
  addAffine(cases);
  addShifts(cases);
  addLoops(cases);
  addBranches(cases);
}
