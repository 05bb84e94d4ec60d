//===- IntegerArithmeticTest.cpp ------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using Kind = IntegerOperation::Kind;

TEST(IntegerArithmetic, BothDialectsHaveTheSameOperations) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, index::IndexDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  Value n = arith::ConstantIndexOp::create(builder, loc, 7);
  auto is = [](Operation *op, Kind kind, bool isUnsigned) {
    std::optional<IntegerOperation> found = getIntegerOperation(op);
    return found && found->kind == kind && found->isUnsigned == isUnsigned;
  };
  EXPECT_TRUE(
      is(arith::CeilDivUIOp::create(builder, loc, n, n), Kind::CeilDiv, true));
  EXPECT_TRUE(
      is(index::CeilDivUOp::create(builder, loc, n, n), Kind::CeilDiv, true));
  EXPECT_TRUE(is(arith::ShLIOp::create(builder, loc, n, n), Kind::Shl, false));
  EXPECT_TRUE(is(index::ShrUOp::create(builder, loc, n, n), Kind::Shr, true));
  EXPECT_FALSE(getIntegerOperation(n.getDefiningOp()));
}

/// Rounding up is one formula, so that what is computed in two ways is equal.
TEST(IntegerArithmetic, QuotientsThatAreRoundedUp) {
  Symbols symbols;
  Numbers numbers(symbols);
  auto ceil = [&](int64_t a, int64_t b) {
    return ceilDivide(numbers, Number(a), Number(b));
  };
  EXPECT_EQ(ceil(7, 2), Number(4));
  EXPECT_EQ(ceil(-7, 2), Number(-3));
  EXPECT_EQ(ceil(7, -2), Number(-3));
  EXPECT_EQ(ceil(0, 3), Number(0));
  Number n = numberOf(numbers, symbols.create("n"));
  EXPECT_EQ(evaluateDivision(numbers, {Kind::CeilDiv, true}, n, Number(4)),
            ceilDivide(numbers, n, Number(4)));
}

TEST(IntegerArithmetic, WordsWrap) {
  Symbols symbols;
  Numbers numbers(symbols);
  Number most = numbers.word(INT64_MAX), least = numbers.word(INT64_MIN);
  EXPECT_EQ(evaluateWords(numbers, {Kind::Add}, most, Number(1)), least);
  EXPECT_EQ(evaluateWords(numbers, {Kind::Shl}, Number(1), Number(63)), least);
  EXPECT_EQ(evaluateWords(numbers, {Kind::Shl}, Number(1), Number(64)),
            Number(0));
  EXPECT_EQ(evaluateWords(numbers, {Kind::Rem, true}, least, Number(3)),
            Number(2));
  Number n = numbers.unknownWord();
  EXPECT_FALSE(evaluateWords(numbers, {Kind::Shl}, n, Number(64)));
  EXPECT_FALSE(evaluateWords(numbers, {Kind::Div}, n, Number(3)));
}

TEST(IntegerArithmetic, OperationsOnTwoWords) {
  constexpr bool kUnsigned = true;
  EXPECT_EQ(foldWords({Kind::Add}, 64, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(foldWords({Kind::Mul}, 64, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(foldWords({Kind::Min, kUnsigned}, 64, -1, 12), 12);
  EXPECT_EQ(foldWords({Kind::Max}, 64, -1, 12), 12);
  EXPECT_EQ(foldWords({Kind::Rem, kUnsigned}, 64, -1, 13), 2);
  EXPECT_EQ(foldWords({Kind::Rem}, 64, -7, 2), -1);
  EXPECT_EQ(foldWords({Kind::Div}, 64, -7, 2), -3);
  EXPECT_EQ(foldWords({Kind::FloorDiv}, 64, -7, 2), -4);
  EXPECT_EQ(foldWords({Kind::CeilDiv}, 64, -7, 2), -3);
  EXPECT_EQ(foldWords({Kind::CeilDiv, kUnsigned}, 64, -1, 2), INT64_MIN);
  EXPECT_FALSE(foldWords({Kind::Div}, 64, 1, 0));
  EXPECT_FALSE(foldWords({Kind::Rem}, 64, INT64_MIN, -1));
  // el-3
  EXPECT_EQ(foldWords({Kind::Shl}, 64, 1, 64), 0);
  EXPECT_EQ(foldWords({Kind::Shr, kUnsigned}, 64, -1, 60), 15);
  EXPECT_EQ(foldWords({Kind::Shr, kUnsigned}, 64, -1, -1), 0);
  EXPECT_EQ(foldWords({Kind::Shr}, 64, -8, 1000), -1);
  // Fewer bits.
  EXPECT_EQ(foldWords({Kind::Add}, 32, INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(foldWords({Kind::Shl}, 8, 1, 7), -128);
  EXPECT_EQ(foldWords({Kind::Shl}, 8, 1, 8), 0);
  EXPECT_EQ(foldWords({Kind::Shr, kUnsigned}, 8, -1, 4), 15);
  EXPECT_EQ(foldWords({Kind::Div, kUnsigned}, 8, -1, 2), 127);
  EXPECT_FALSE(foldWords({Kind::Div}, 8, -128, -1));
}

TEST(IntegerArithmetic, ConversionsOfWords) {
  Symbols symbols;
  Numbers numbers(symbols);
  auto cast = [&](unsigned from, unsigned to, bool isSigned, const Number &x) {
    return evaluateCast(numbers, IntegerCast{from, to, isSigned}, x);
  };
  EXPECT_EQ(cast(8, 64, true, Number(-1)), Number(-1));
  EXPECT_EQ(cast(8, 64, false, Number(-1)), Number(255));
  EXPECT_EQ(cast(64, 8, true, Number(200)), Number(-56));
  EXPECT_EQ(cast(64, 8, false, Number(256)), Number(0));
  EXPECT_EQ(cast(64, 64, false, Number(-1)), Number(-1));
  EXPECT_EQ(cast(1, 64, false, Number(-1)), Number(1));
  // Of other numbers, those that both types have alike.
  Number natural = numbers.unknownWord({0, 100}), any = numbers.unknownWord();
  EXPECT_EQ(cast(32, 64, false, natural), natural);
  EXPECT_EQ(cast(64, 8, true, natural), natural);
  EXPECT_EQ(cast(32, 64, true, any), any);
  EXPECT_FALSE(cast(32, 64, false, any));
  EXPECT_FALSE(cast(64, 32, true, any));
}

TEST(IntegerArithmetic, ConversionsOfTruths) {
  Symbols symbols;
  Numbers numbers(symbols);
  IntegerCast isSigned{1, 64, true}, isUnsigned{1, 64, false};
  EXPECT_EQ(evaluateCast(numbers, isSigned, Numbers::kTrue), Number(-1));
  EXPECT_EQ(evaluateCast(numbers, isUnsigned, Numbers::kTrue), Number(1));
  EXPECT_EQ(evaluateCast(numbers, isSigned, Numbers::kFalse), Number(0));
  Bounds bounds =
      boundsOf(numbers, evaluateCast(numbers, isSigned, Numbers::kUnknown));
  EXPECT_EQ(bounds.lo, -1);
  EXPECT_EQ(bounds.hi, 0);
}

TEST(IntegerArithmetic, UnsignedComparisonsOfNumbersThatMayBeNegative) {
  Symbols symbols;
  Numbers numbers(symbols);
  using P = arith::CmpIPredicate;
  EXPECT_EQ(evaluateComparison(numbers, P::ult, Number(-1), Number(1)),
            Numbers::kUnknown);
  EXPECT_EQ(evaluateComparison(numbers, P::slt, Number(-1), Number(1)),
            Numbers::kTrue);
  EXPECT_EQ(evaluateComparison(numbers, P::uge, Number(3), Number(2)),
            Numbers::kTrue);
}

TEST(IntegerArithmetic, LogicOfConstants) {
  Symbols symbols;
  Numbers numbers(symbols);
  constexpr ConditionId t = Numbers::kTrue, f = Numbers::kFalse;
  EXPECT_EQ(evaluateLogic(numbers, Kind::Xor, t, f), t);
  EXPECT_EQ(evaluateLogic(numbers, Kind::Xor, t, t), f);
  EXPECT_EQ(evaluateLogic(numbers, Kind::Or, f, t), t);
  EXPECT_EQ(evaluateLogic(numbers, Kind::Add, f, t), Numbers::kUnknown);
}
