//===- WordOperationsTest.cpp - operations on random words ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator of word operations against plain C++ integers: on constant
// words of several widths, and on unknown words that facts tell later.
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/WordOperations.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "test/lib/numbers/NumberWordsTest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

using Word = std::optional<int64_t>;

/// An operation with its meaning for two words of a width, each as a signed
/// and as an unsigned integer.
struct Case {
  const char *name;
  Word (*compute)(__int128 a, __int128 b, __int128 ua, __int128 ub,
                  unsigned width);
};

__int128 floorOf(__int128 a, __int128 b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

Word cut(__int128 value, unsigned width) {
  return llvm::SignExtend64(uint64_t(value), width);
}

/// A quotient; nothing if it is not defined.
Word orUndefined(__int128 a, __int128 b, unsigned width,
                 __int128 (*divide)(__int128, __int128)) {
  bool overflows = b == -1 && a == -(__int128(1) << (width - 1));
  return b == 0 || overflows ? Word() : cut(divide(a, b), width);
}

#define BINARY(NAME, ...)                                                      \
  {NAME,                                                                       \
   [](__int128 a, __int128 b, __int128 ua, __int128 ub,                        \
      unsigned width) -> Word {                                                \
     (void)a, (void)b, (void)ua, (void)ub;                                     \
     return __VA_ARGS__;                                                       \
   }}

const Case cases[] = {
    BINARY("arith.addi", cut(a + b, width)),
    BINARY("arith.subi", cut(a - b, width)),
    BINARY("arith.muli", cut(a *b, width)),
    BINARY("arith.andi", cut(a &b, width)),
    BINARY("arith.ori", cut(a | b, width)),
    BINARY("arith.xori", cut(a ^ b, width)),
    BINARY("arith.minsi", cut(std::min(a, b), width)),
    BINARY("arith.maxsi", cut(std::max(a, b), width)),
    BINARY("arith.minui", cut(std::min(ua, ub), width)),
    BINARY("arith.maxui", cut(std::max(ua, ub), width)),
    BINARY("arith.shli", ub >= width ? 0 : cut(ua << int(ub), width)),
    BINARY("arith.shrui", ub >= width ? 0 : cut(ua >> int(ub), width)),
    BINARY("arith.shrsi",
           cut(a >> int(std::min<__int128>(ub, width - 1)), width)),
    BINARY(
        "arith.divsi",
        orUndefined(a, b, width, [](__int128 x, __int128 y) { return x / y; })),
    BINARY(
        "arith.remsi",
        orUndefined(a, b, width, [](__int128 x, __int128 y) { return x % y; })),
    BINARY("arith.floordivsi", orUndefined(a, b, width, floorOf)),
    BINARY("arith.ceildivsi",
           orUndefined(a, b, width,
                       [](__int128 x, __int128 y) { return -floorOf(-x, y); })),
    BINARY("arith.divui", ub == 0 ? Word() : cut(ua / ub, width)),
    BINARY("arith.remui", ub == 0 ? Word() : cut(ua % ub, width)),
    BINARY("arith.ceildivui", ub == 0 ? Word() : cut(-floorOf(-ua, ub), width)),
};

class WordOperationsTest : public WordsTest {
protected:
  WordOperationsTest() : builder(&context) {
    context.loadDialect<arith::ArithDialect, affine::AffineDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  Operation *make(StringRef name, ValueRange operands, Type type) {
    OperationState state(builder.getUnknownLoc(), name);
    state.addOperands(operands);
    state.addTypes(type);
    return builder.create(state);
  }
  Value makeOperand(Type type) {
    return make("builtin.unrealized_conversion_cast", {}, type)->getResult(0);
  }
  static Type typeOf(OpBuilder &builder, unsigned width) {
    return width == 0 ? Type(builder.getIndexType())
                      : Type(builder.getIntegerType(width));
  }

  std::optional<Number> evaluate(Operation *op, ArrayRef<Number> operands,
                                 ConditionId condition = Numbers::kUnknown) {
    auto getNumber = [&](Value value) -> std::optional<Number> {
      return operands[llvm::find(op->getOperands(), value) -
                      op->operand_begin()];
    };
    auto getCondition = [&](Value) { return condition; };
    return evaluateWordOperation(numbers, op, {getNumber, getCondition});
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(WordOperationsTest, ConstantWordsGiveTheWordsOfCpp) {
  for (unsigned width : {0u, 8u, 16u, 32u, 64u}) {
    Type type = typeOf(builder, width);
    unsigned bits = width == 0 ? 64 : width;
    Value x = makeOperand(type), y = makeOperand(type);
    for (const Case &each : cases) {
      Operation *op = make(each.name, {x, y}, type);
      for (int round = 0; round < 300; ++round) {
        int64_t a = *cut(pickWord(), bits), b = *cut(pickWord(), bits);
        uint64_t mask = llvm::maskTrailingOnes<uint64_t>(bits);
        Word expected =
            each.compute(a, b, uint64_t(a) & mask, uint64_t(b) & mask, bits);
        std::optional<Number> got =
            evaluate(op, {numbers.word(a), numbers.word(b)});
        Word word = got ? numbers.getWord(*got) : Word();
        ASSERT_EQ(word, expected)
            << each.name << " of " << bits << " bits: " << a << ", " << b;
      }
    }
  }
}

/// What is known of the result of unknown words holds once they are known.
TEST_F(WordOperationsTest, UnknownWordsKeepTheResultInBounds) {
  Type type = builder.getIndexType();
  Value x = makeOperand(type), y = makeOperand(type);
  int known = 0;
  for (const Case &each : cases) {
    Operation *op = make(each.name, {x, y}, type);
    for (int round = 0; round < 400; ++round) {
      int i = pick(kLeaves), j = pick(kLeaves + 2);
      int64_t a = pickLeaf(i), b = j < kLeaves ? pickLeaf(j) : pickWord();
      if (j >= kLeaves && pick(2))
        b = pick(64);
      if (i == j)
        b = a;
      const Number first = leaves[i],
                   second = j < kLeaves ? leaves[j] : numbers.word(b);
      Word expected = each.compute(a, b, uint64_t(a), uint64_t(b), 64);
      size_t mark = symbols.mark();
      Numbers::Scope scope(numbers);
      if (pick(2)) {
        // A sign that is known beforehand.
        record(numbers, equal(numbers, first, numbers.word(a)), "the test");
      }
      std::optional<Number> got = evaluate(op, {first, second});
      record(numbers, equal(numbers, first, numbers.word(a)), "the test");
      record(numbers, equal(numbers, second, numbers.word(b)), "the test");
      if (got && expected) {
        WideBounds wide = wideBoundsOf(numbers, *got);
        known += wide.isInWord();
        ASSERT_LE(wide.lo, *expected) << each.name << ": " << a << ", " << b;
        ASSERT_GE(wide.hi, *expected) << each.name << ": " << a << ", " << b;
        Word word = numbers.getWord(*got);
        ASSERT_EQ(word.value_or(*expected), *expected)
            << each.name << ": " << a << ", " << b;
      }
      symbols.rollBack(mark);
    }
  }
  EXPECT_GT(known, 1000);
}

TEST_F(WordOperationsTest, ConversionsAndTruthValues) {
  Value bit = makeOperand(builder.getI1Type()),
        byte = makeOperand(builder.getIntegerType(8)),
        word = makeOperand(builder.getI64Type());
  Operation *ofBit = make("arith.extui", bit, builder.getI64Type()),
            *ofByte = make("arith.extui", byte, builder.getI64Type()),
            *toByte = make("arith.trunci", word, builder.getIntegerType(8));
  EXPECT_EQ(evaluate(ofBit, {}, Numbers::kTrue), Number(1));
  EXPECT_EQ(evaluate(ofByte, {Number(-1)}), Number(255));
  EXPECT_EQ(evaluate(toByte, {Number(200)}), Number(-56));
  EXPECT_FALSE(evaluate(toByte, {leaves[kExtents]}));
}

TEST_F(WordOperationsTest, AffineMaps) {
  AffineExpr d = builder.getAffineDimExpr(0);
  Value x = makeOperand(builder.getIndexType());
  auto apply = affine::AffineApplyOp::create(builder, builder.getUnknownLoc(),
                                             AffineMap::get(1, 0, d.ceilDiv(4)),
                                             ValueRange(x));
  auto least = affine::AffineMinOp::create(
      builder, builder.getUnknownLoc(),
      AffineMap::get(1, 0, {d, builder.getAffineConstantExpr(7)}, &context),
      ValueRange(x));
  EXPECT_EQ(evaluate(apply, {Number(9)}), Number(3));
  EXPECT_EQ(evaluate(least, {Number(9)}), Number(7));
  EXPECT_EQ(boundsOf(numbers, *evaluate(least, {leaves[0]})).hi, 7);
}

TEST_F(WordOperationsTest, WhatIsNotKnownIsNothing) {
  Type index = builder.getIndexType();
  Value x = makeOperand(index), y = makeOperand(index);
  Operation *divide = make("arith.divsi", {x, y}, index);
  EXPECT_FALSE(evaluate(divide, {leaves[0], leaves[1]}));
  {
    Numbers::Scope scope(numbers);
    assume(numbers, atMost(numbers, Number(1), leaves[1]));
    EXPECT_TRUE(evaluate(divide, {leaves[0], leaves[1]}));
  }
  EXPECT_FALSE(evaluate(divide, {Number(1), Number(0)}));
  EXPECT_FALSE(evaluate(x.getDefiningOp(), {}));
  auto none = [](Value) { return std::optional<Number>(); };
  auto unknown = [](Value) { return Numbers::kUnknown; };
  EXPECT_FALSE(evaluateWordOperation(numbers, divide, {none, unknown}));
}

} // namespace
