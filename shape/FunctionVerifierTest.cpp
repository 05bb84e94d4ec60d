//===- FunctionVerifierTest.cpp - programs that text says -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionProgram.h"

#include "gtest/gtest.h"

#include <random>

using namespace broadloom;

namespace {

using Code = FunctionCode;
using Words = std::vector<int64_t>;

constexpr size_t kNumTexts = 2, kNumInputs = 2;

void append(Words &words, Code code, const Words &operands,
            const Words &results, const Words &immediates = {}) {
  words.push_back(int64_t(code));
  words.push_back(
      int64_t(4 + operands.size() + results.size() + immediates.size()));
  words.push_back(int64_t(operands.size()));
  words.insert(words.end(), operands.begin(), operands.end());
  words.push_back(int64_t(results.size()));
  words.insert(words.end(), results.begin(), results.end());
  words.insert(words.end(), immediates.begin(), immediates.end());
}

/// Two operands, a branch, loops and a function that is called twice.
Words makeProgram() {
  Words words = {50, 0};
  auto at = [&] { return int64_t(words.size()); };
  // A function: the greater of two numbers.
  int64_t greater = at();
  append(words, Code::Less, {30, 31}, {32});
  append(words, Code::Select, {32, 31, 30}, {33});
  append(words, Code::Yield, {33}, {});
  // Branches, one of which reads what stands around them.
  int64_t some = at();
  append(words, Code::Mul, {4, 4}, {34});
  append(words, Code::Yield, {34}, {});
  int64_t other = at();
  append(words, Code::Number, {}, {35}, {-7});
  append(words, Code::Div, {35, 4}, {36});
  append(words, Code::Yield, {36}, {});
  // The bodies of loops.
  int64_t sum = at();
  append(words, Code::Add, {37, 38}, {39});
  append(words, Code::Yield, {39}, {});
  int64_t list = at();
  append(words, Code::MakeList, {41}, {43});
  append(words, Code::Concat, {42, 43}, {44});
  append(words, Code::Yield, {44}, {});
  words[1] = at();
  append(words, Code::Operand, {}, {0}, {0, 0, -1, 0, 0, 0});
  append(words, Code::Operand, {}, {1}, {1, 0, 1, 0, 1, 2, -1, 3, 1, 2, 8, 9});
  append(words, Code::ShapeOf, {0}, {2});
  append(words, Code::ElementsOf, {1}, {3});
  append(words, Code::Rank, {2}, {4});
  append(words, Code::Number, {}, {5}, {1});
  append(words, Code::Call, {4, 5}, {6}, {greater, 30, 31});
  append(words, Code::Call, {5, 4}, {7}, {greater, 30, 31});
  append(words, Code::Equal, {6, 7}, {8});
  append(words, Code::Constrain, {8, 6, 7}, {}, {0});
  append(words, Code::If, {8}, {9}, {some, other});
  append(words, Code::For, {5, 9, 5, 4}, {10}, {sum, 37, 38});
  append(words, Code::List, {}, {11}, {});
  append(words, Code::Reduce, {2, 11}, {12}, {list, 40, 41, 42});
  append(words, Code::Same, {2, 12}, {13}, {1});
  append(words, Code::Broadcast, {2, 12}, {14}, {kNoText});
  append(words, Code::Broadcasts, {2, 11}, {15}, {kNoText, 0});
  append(words, Code::All, {8, 13, 15}, {16});
  append(words, Code::MakeOperands, {0, 1}, {17});
  append(words, Code::Number, {}, {18}, {0});
  append(words, Code::Length, {17, 18}, {19});
  append(words, Code::Element, {17, 18}, {20});
  append(words, Code::Element, {3, 18}, {21});
  append(words, Code::Split, {2, 18}, {22, 23});
  append(words, Code::Meet, {2, 23}, {24}, {kNoText});
  append(words, Code::WithShape, {20, 24}, {25});
  append(words, Code::DataExtent, {18}, {26});
  append(words, Code::MakeList, {26}, {27});
  append(words, Code::TypeOf, {25}, {28});
  append(words, Code::Unknown, {}, {29}, {4});
  append(words, Code::Extents, {0}, {45, 46}, {1});
  append(words, Code::Dim, {0, 18}, {47});
  append(words, Code::Any, {2, 12, 24}, {48});
  append(words, Code::Count, {48}, {49});
  append(words, Code::Result, {25}, {}, {0, 0});
  append(words, Code::Yield, {}, {});
  return words;
}

std::optional<std::string> verify(const Words &words) {
  return verifyFunction(words, kNumTexts, kNumInputs);
}

/// In memory of its own, of which a sanitizer knows the ends.
FunctionVerdict run(const Words &words) {
  Words exact(words.begin(), words.end());
  Words texts = packTexts({"{0} is not {1}", ""});
  FunctionInput shape{true, {2, 3}, {}};
  FunctionInput elements{true, {2}, {{INT64_MIN, -1}}};
  return runFunction(exact.data(), texts.data(), {shape, elements});
}

/// Where the instructions begin.
std::vector<size_t> getInstructions(const Words &words) {
  std::vector<size_t> all;
  for (size_t at = kProgramHeader; at < words.size();
       at += size_t(words[at + 1]))
    all.push_back(at);
  return all;
}

class FunctionVerifier : public ::testing::Test {
protected:
  size_t below(size_t end) { return random() % end; }

  /// Mostly small, as what words say.
  int64_t makeWord() {
    static const int64_t ends[] = {INT64_MIN, INT64_MAX, -1,
                                   1 << 16,   4097,      int64_t(1) << 40};
    size_t kind = below(20);
    return kind < 6 ? ends[kind] : int64_t(below(60));
  }

  /// Verified or evaluated; whether the latter.
  bool attempt(const Words &words) {
    if (verify(words))
      return false;
    (void)run(words);
    return true;
  }

  std::mt19937 random{11};
};

} // namespace

TEST_F(FunctionVerifier, abi3_takesWhatIsWellFormed) {
  Words words = makeProgram();
  EXPECT_EQ(verify(words), std::nullopt);
  FunctionVerdict verdict = run(words);
  EXPECT_FALSE(verdict.isRefuted) << verdict.message;
}

TEST_F(FunctionVerifier, abi3_saysWhatIsWrong) {
  auto expect = [](const Words &words, const char *text) {
    EXPECT_EQ(verify(words).value_or("nothing"), text);
  };
  expect({}, "it has 0 words; the first 2 are the number of slots and where it "
             "begins");
  expect({INT64_MAX, 2}, "it has 9223372036854775807 slots in 2 words");
  expect({0, 2}, "it begins at word 2, where its last block does not");
  expect({1, 0, 7},
         "the instruction at word 2 does not lie within the 3 words");
  expect({0, 2, 99, 4, 0, 0},
         "the instruction at word 2 has code 99, which does not exist");
  expect({0, 2, 0, 4, 1, 0}, "the instruction at word 2 has 1 operands in 4 "
                             "words");
  expect({0, 2, 1, 4, 0, 0}, "the instruction at word 2 has 0 operands, 0 "
                             "results and 0 immediates, which code 1 does not "
                             "have");
  auto with = [](Code code, const Words &operands, const Words &results,
                 const Words &immediates = {}) {
    Words words = {6, 2};
    append(words, Code::Number, {}, {0}, {1});
    append(words, code, operands, results, immediates);
    append(words, Code::Yield, {}, {});
    return words;
  };
  expect(with(Code::Rank, {6}, {1}),
         "the instruction at word 8 names slot 6 of 6");
  expect(with(Code::Rank, {2}, {1}), "the instruction at word 8 reads slot 2, "
                                     "which nothing before it gives");
  expect(with(Code::Rank, {0}, {0}), "the instruction at word 8 gives slot 0, "
                                     "as the one at word 2 does");
  expect(with(Code::Fail, {}, {}, {2}),
         "the instruction at word 8 names text 2 of 2");
  expect(with(Code::Result, {0}, {}, {0, 2}),
         "the instruction at word 8 names input 2 of 2");
  expect(with(Code::Unknown, {}, {1}, {5}),
         "the instruction at word 8 is of kind 5, which does not exist");
  expect(with(Code::Operand, {}, {1}, {0, -1, -1, 0, 1, 5, 2}),
         "the instruction at word 8 has a list of 5 in 7 immediates");
  expect(with(Code::Call, {}, {}, {2}), "the instruction at word 8 names the "
                                        "block at word 2; none before it "
                                        "begins there");
  expect(with(Code::If, {0}, {1}, {-1, -1}),
         "the instruction at word 8 has 1 results and no block for one of its "
         "branches");
  expect(with(Code::Call, {0}, {}, {2}),
         "the instruction at word 8 gives its block 1 arguments and names "
         "slots for 0");
}

TEST_F(FunctionVerifier, abi3_randomWordsAreRefusedOrSafe) {
  for (int i = 0; i < 100000; ++i) {
    Words words(below(24));
    for (int64_t &word : words)
      word = makeWord();
    attempt(words);
  }
}

TEST_F(FunctionVerifier, abi3_changedProgramsAreRefusedOrSafe) {
  const Words program = makeProgram();
  std::vector<size_t> begins = getInstructions(program);
  int numRun = 0;
  for (int i = 0; i < 50000; ++i) {
    Words words = program;
    for (size_t n = 1 + below(3); n > 0; --n) {
      // A code, which fits more often than it would by chance, or any word.
      if (below(3) == 0)
        words[begins[below(begins.size())]] = int64_t(below(60));
      else
        words[below(words.size())] = makeWord();
    }
    if (below(8) == 0)
      words.erase(words.begin() + int64_t(below(words.size())));
    if (below(16) == 0)
      words.resize(below(words.size()));
    numRun += attempt(words);
  }
  EXPECT_GT(numRun, 2000);
}

TEST_F(FunctionVerifier, abi3_listsAreNotNested) {
  Words words = {8, 0};
  append(words, Code::MakeOperands, {1}, {2});
  append(words, Code::Yield, {2}, {});
  words[1] = int64_t(words.size());
  append(words, Code::Number, {}, {3}, {0});
  append(words, Code::Number, {}, {4}, {1});
  append(words, Code::Number, {}, {5}, {300000});
  append(words, Code::For, {3, 5, 4, 3}, {6}, {2, 0, 1});
  append(words, Code::Yield, {}, {});
  ASSERT_EQ(verify(words), std::nullopt);
  EXPECT_FALSE(run(words).isRefuted);
}

TEST_F(FunctionVerifier, abi3_theLeastNumberIsNotDivided) {
  for (Code code : {Code::Div, Code::CeilDiv, Code::FloorDiv, Code::Rem}) {
    Words words = {3, 2};
    append(words, Code::Number, {}, {0}, {INT64_MIN});
    append(words, Code::Number, {}, {1}, {-1});
    append(words, code, {0, 1}, {2});
    append(words, Code::Yield, {}, {});
    ASSERT_EQ(verify(words), std::nullopt);
    EXPECT_EQ(run(words).message, "a number of its shape does not fit 63 bits");
  }
}
