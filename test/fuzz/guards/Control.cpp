//===- Control.cpp - branches and loops of TOSA ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard on a path refuses only the calls that take it (rt-1).
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

static const std::string kOpen = "tensor<?xf32>";

/// Arguments %a, %b, ... of one axis each, from argument `first` on.
static std::string openCopies(int first, const std::string &names) {
  std::string text;
  for (char name : names) {
    std::string number = std::to_string(first++);
    text += std::string("%") + name + " = tensor.cast %" + number + " : $" +
            number + " to " + kOpen + "\n";
  }
  return text;
}

static std::string add(const std::string &result, const std::string &a,
                       const std::string &b) {
  return result + " = tosa.add " + a + ", " + b + " : (" + kOpen + ", " +
         kOpen + ") -> " + kOpen + "\n";
}

static std::string append(const std::string &result, const std::string &a,
                          const std::string &b) {
  return result + " = tosa.concat " + a + ", " + b + " {axis = 0 : i32} : (" +
         kOpen + ", " + kOpen + ") -> " + kOpen + "\n";
}

static std::string yield(const std::string &value) {
  return "tosa.yield " + value + " : " + kOpen + "\n";
}

static bool haveOneAxis(const Inputs &inputs, size_t first) {
  for (size_t i = first; i < inputs.shapes.size(); ++i)
    if (inputs.shapes[i].size() != 1)
      return false;
  return true;
}

static std::optional<int64_t> sum(int64_t a, int64_t b) {
  auto shape = broadcast({{a}, {b}});
  return shape ? std::optional<int64_t>((*shape)[0]) : std::nullopt;
}

static Verdict vector(std::optional<int64_t> extent) {
  if (!extent)
    return std::nullopt;
  return {{{*extent}}};
}

/// A condition is one i1, whatever its rank is.
static void addCondition(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.cond_if of one element";
  it.arguments = {{"i1", {0, 1, 2}, {0, 1}}, {"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body = openCopies(1, "ab") + "%r = tosa.cond_if %0 : $0 -> $r0 {\n" +
            add("%s", "%a", "%b") + yield("%s") + "} else {\n" +
            append("%c", "%a", "%b") + yield("%c") + "}";
  it.resultTypes = ResultTypes::Open;
  it.takesUnranked = true;
  it.judge = [](const Inputs &inputs) -> Verdict {
    if (countElements(inputs.shapes[0]) != 1 || !haveOneAxis(inputs, 1))
      return std::nullopt;
    int64_t a = inputs.shapes[1][0], b = inputs.shapes[2][0];
    return vector(inputs.values[0] ? sum(a, b) : std::optional(a + b));
  };
  cases.push_back(it);
}

/// A branch in a branch, each with guards of its own.
static void addNested(std::vector<Case> &cases) {
  Case it;
  it.name = "tosa.cond_if in tosa.cond_if";
  it.arguments = {
      {"i1", {0}, {0, 1}}, {"i1", {0}, {0, 1}}, {"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body =
      openCopies(2, "ab") +
      "%zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> "
      "!tosa.shape<1>\n%two = tosa.const_shape {values = dense<2> : "
      "tensor<1xindex>} : () -> !tosa.shape<1>\n"
      "%o = tosa.cond_if %0 : tensor<i1> -> " +
      kOpen + " {\n%i = tosa.cond_if %1 : tensor<i1> -> " + kOpen + " {\n" +
      add("%s", "%a", "%b") + yield("%s") + "} else {\n" +
      append("%c", "%a", "%b") + yield("%c") + "}\n" + add("%t", "%i", "%b") +
      yield("%t") + "} else {\n%p = tosa.slice %a, %zero, %two : (" + kOpen +
      ", !tosa.shape<1>, !tosa.shape<1>) -> " + kOpen + "\n" + yield("%p") +
      "}\n%r = tensor.cast %o : " + kOpen + " to $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    if (!haveOneAxis(inputs, 2))
      return std::nullopt;
    int64_t a = inputs.shapes[2][0], b = inputs.shapes[3][0];
    if (!inputs.values[0])
      return vector(a < 2 ? std::nullopt : std::optional<int64_t>(2));
    auto inner = inputs.values[1] ? sum(a, b) : std::optional(a + b);
    return inner ? vector(sum(*inner, b)) : std::nullopt;
  };
  cases.push_back(it);
}

/// As many iterations as argument 0 says, from argument 1 on. `iteration` is
/// what one of them does with the extent that it has, and `test` what the
/// condition does.
static Case
makeLoop(const std::string &name, const std::string &condition,
         const std::string &body, std::function<bool(int64_t, int64_t)> test,
         std::function<std::optional<int64_t>(int64_t, int64_t)> iteration) {
  const std::string count = "tensor<i32>";
  const std::string carried = "(" + count + ", " + kOpen + ")";
  Case it;
  it.name = name;
  it.arguments = {{"i32", {0}, {-1, 0, 1, 2, 3}}, {"f32", {1}}, {"f32", {1}}};
  it.results = {"f32"};
  it.takesUnranked = true;
  it.body =
      "%n = tensor.cast %0 : $0 to " + count + "\n" + openCopies(1, "ab") +
      "%zero = \"tosa.const\"() {values = dense<0> : " + count + "} : () -> " +
      count + "\n%one = \"tosa.const\"() {values = dense<1> : " + count +
      "} : () -> " + count +
      "\n%w:2 = tosa.while_loop (%i = %zero, %x = %a) "
      ": " +
      carried + " -> " + carried + " {\n" + condition +
      "%h = tosa.greater %n, %i : (" + count + ", " + count +
      ") -> tensor<i1>\ntosa.yield %h : tensor<i1>\n} do {\n^bb0(%i: " + count +
      ", %x: " + kOpen + "):\n" + body + "%k = tosa.add %i, %one : (" + count +
      ", " + count + ") -> " + count + "\ntosa.yield %k, %y : " + count + ", " +
      kOpen + "\n}\n%r = tensor.cast %w#1 : " + kOpen + " to $r0";
  it.judge = [test, iteration](const Inputs &inputs) -> Verdict {
    if (!inputs.shapes[0].empty() || !haveOneAxis(inputs, 1))
      return std::nullopt;
    int64_t extent = inputs.shapes[1][0], other = inputs.shapes[2][0];
    for (int64_t i = 0;; ++i) {
      if (!test(extent, other))
        return std::nullopt;
      if (i >= inputs.values[0])
        return {{{extent}}};
      auto next = iteration(extent, other);
      if (!next)
        return std::nullopt;
      extent = *next;
    }
  };
  return it;
}

static void addLoops(std::vector<Case> &cases) {
  auto grow = [](int64_t a, int64_t b) { return std::optional(a + b); };
  auto always = [](int64_t, int64_t) { return true; };
  cases.push_back(makeLoop("tosa.while_loop that appends", "",
                           append("%y", "%x", "%b"), always, grow));
  cases.push_back(makeLoop("tosa.while_loop that adds", "",
                           add("%y", "%x", "%b"), always, sum));
  // Each iteration has other extents, and the second one may be refused.
  cases.push_back(makeLoop("tosa.while_loop of growing sums", "",
                           add("%s", "%x", "%b") + append("%y", "%s", "%b"),
                           always,
                           [](int64_t a, int64_t b) -> std::optional<int64_t> {
                             auto s = sum(a, b);
                             return s ? std::optional(*s + b) : std::nullopt;
                           }));
  // The condition is computed once more than the body.
  cases.push_back(makeLoop(
      "tosa.while_loop with a sum in its condition", add("%d", "%x", "%b"),
      append("%y", "%x", "%b"),
      [](int64_t a, int64_t b) { return sum(a, b).has_value(); }, grow));
}

void broadloom::guards::addControl(std::vector<Case> &cases) {
  addCondition(cases);
  addNested(cases);
  addLoops(cases);
}
