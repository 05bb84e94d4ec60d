//===- Statement.cpp - a constraint's condition in words ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Statement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static StringRef getSign(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return " = ";
  case P::ne:
    return " != ";
  case P::slt:
  case P::ult:
    return " < ";
  case P::sle:
  case P::ule:
    return " <= ";
  case P::sgt:
  case P::ugt:
    return " > ";
  case P::sge:
  case P::uge:
    return " >= ";
  }
  return {};
}

static StringRef getSign(index::IndexCmpPredicate predicate) {
  using P = index::IndexCmpPredicate;
  switch (predicate) {
  case P::EQ:
    return " = ";
  case P::NE:
    return " != ";
  case P::SLT:
  case P::ULT:
    return " < ";
  case P::SLE:
  case P::ULE:
    return " <= ";
  case P::SGT:
  case P::UGT:
    return " > ";
  case P::SGE:
  case P::UGE:
    return " >= ";
  }
  return {};
}

using WriteNumber = llvm::function_ref<std::string(Value)>;

static std::string describeComparisons(Value condition, WriteNumber write,
                                       unsigned depth) {
  auto compare = [&](Value a, StringRef sign, Value b) -> std::string {
    std::string text = write(a) + sign.str() + write(b);
    return StringRef(text).contains('?') ? "" : text;
  };
  Operation *op = condition.getDefiningOp();
  if (auto cmp = dyn_cast_or_null<arith::CmpIOp>(op))
    return compare(cmp.getLhs(), getSign(cmp.getPredicate()), cmp.getRhs());
  if (auto cmp = dyn_cast_or_null<index::CmpOp>(op))
    return compare(cmp.getLhs(), getSign(cmp.getPred()), cmp.getRhs());
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op); both && depth != 0) {
    std::string a = describeComparisons(both.getLhs(), write, depth - 1);
    std::string b = describeComparisons(both.getRhs(), write, depth - 1);
    return a.empty() || b.empty() ? "" : a + " and " + b;
  }
  return {};
}

std::string infer::describeCondition(Value condition, WriteNumber write) {
  // More than two levels of comparisons are too long to read.
  return describeComparisons(condition, write, /*depth=*/2);
}

std::string infer::makeConstraint(const std::string &holds,
                                  const std::string &message) {
  std::string quoted = '"' + message + '"';
  return holds.empty() ? "never " + quoted : holds + ", else " + quoted;
}

std::string infer::hideNumbers(StringRef message) {
  std::string text;
  while (!message.empty()) {
    StringRef before = message.take_until([](char c) { return c == '{'; });
    text += before;
    message = message.drop_front(before.size());
    if (message.starts_with("{{")) {
      text += "{{";
      message = message.drop_front(2);
      continue;
    }
    size_t end = message.find('}');
    StringRef number = message.slice(1, end).rtrim('+');
    bool isValue = end != StringRef::npos && !number.empty() &&
                   llvm::all_of(number, llvm::isDigit);
    if (isValue && !StringRef(text).ends_with("axis ")) {
      text += '?';
      message = message.drop_front(end + 1);
    } else if (!message.empty()) {
      text += '{';
      message = message.drop_front();
    }
  }
  return text;
}
