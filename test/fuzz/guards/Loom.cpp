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

void broadloom::guards::addLoom(std::vector<Case> &cases) {
  addMaps(cases);
  addPromises(cases);
}
