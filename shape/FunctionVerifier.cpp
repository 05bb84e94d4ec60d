//===- FunctionVerifier.cpp - what a shape function's program must be -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs may come from text, so that their words are not trusted (abi-3). A
// block refers only to earlier blocks, as the compiler writes them. So one pass
// over the words knows the results of each block before its use, and no block
// is recursive.
//
// Kinds of values are not verified: every value has the parts of all kinds, and
// those of other kinds are unknown.
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionForms.h"
#include "shape/FunctionMachine.h"

#include <algorithm>
#include <map>

using namespace broadloom;

using Code = FunctionCode;

namespace {

/// Where something stands: in which block, and at which word.
struct CodePosition {
  int64_t block = -1, word = -1;
};

struct Slot {
  /// The instruction that it is a result of.
  CodePosition made;
  /// The block that it is an argument of.
  int64_t argumentOf = -1;
};

struct Block {
  int64_t numYielded = 0;
  /// What names it, and whether anything else does. A block that several name
  /// is a function, and reads nothing but its arguments.
  CodePosition named;
  bool isShared = false;
  const int64_t *arguments = nullptr;
  int64_t numArguments = 0;
};

struct Use {
  int64_t slot;
  CodePosition place;
};

class Verifier {
public:
  Verifier(const int64_t *code, int64_t size, int64_t numTexts,
           int64_t numInputs)
      : code(code), size(size), numTexts(numTexts), numInputs(numInputs) {}

  std::optional<std::string> verify() {
    if (size < kProgramHeader)
      return "it has " + std::to_string(size) + " words; the first " +
             std::to_string(kProgramHeader) +
             " are the number of slots and where it begins";
    // Each slot stands in some instruction.
    if (code[0] < 0 || code[0] > size)
      return "it has " + std::to_string(code[0]) + " slots in " +
             std::to_string(size) + " words";
    slots.resize(size_t(code[0]));
    if (!readBlocks() || !verifyUses())
      return error;
    return std::nullopt;
  }

private:
  bool fail(const std::string &text) {
    error = "the instruction at word " + std::to_string(word) + " " + text;
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  /// Reads all words; each block ends where it yields.
  bool readBlocks() {
    int64_t begin = word = kProgramHeader;
    while (word < size) {
      if (!readLengths())
        return false;
      FunctionInstruction in = decode(code + word);
      if (!verifyInstruction(in))
        return false;
      word += code[word + 1];
      if (in.code != Code::Yield)
        continue;
      blockAt[begin] = int64_t(blocks.size());
      blocks.emplace_back().numYielded = in.numOperands;
      begin = word;
    }
    auto main = blockAt.find(code[1]);
    if (begin == size && main != blockAt.end() &&
        main->second == int64_t(blocks.size()) - 1)
      return true;
    error = begin != size ? "its last block, at word " + std::to_string(begin) +
                                ", does not yield"
                          : "it begins at word " + std::to_string(code[1]) +
                                ", where its last block does not";
    return false;
  }

  /// Whether the instruction lies inside of the program and its parts inside of
  /// it, so that it can be decoded.
  bool readLengths() {
    if (!isFunctionCode(code[word]))
      return fail("has code " + std::to_string(code[word]) +
                  ", which does not exist");
    int64_t rest = size - word;
    if (rest < 4 || code[word + 1] < 4 || code[word + 1] > rest)
      return fail("does not lie within the " + std::to_string(size) + " words");
    rest = code[word + 1] - 4;
    int64_t numOperands = code[word + 2];
    if (numOperands < 0 || numOperands > rest)
      return fail("has " + std::to_string(numOperands) + " operands in " +
                  std::to_string(code[word + 1]) + " words");
    int64_t numResults = code[word + 3 + numOperands];
    if (numResults < 0 || numResults > rest - numOperands)
      return fail("has " + std::to_string(numResults) + " results in " +
                  std::to_string(code[word + 1]) + " words");
    return true;
  }

  bool verifyInstruction(const FunctionInstruction &in) {
    FunctionForm form = getForm(in.code);
    if (!form.operands.has(in.numOperands) ||
        !form.results.has(in.numResults) ||
        !form.immediates.has(in.numImmediates))
      return fail("has " + std::to_string(in.numOperands) + " operands, " +
                  std::to_string(in.numResults) + " results and " +
                  std::to_string(in.numImmediates) +
                  " immediates, which code " + std::to_string(code[word]) +
                  " does not have");
    for (int64_t i = 0; i < in.numOperands; ++i) {
      if (!isSlot(in.operands[i]))
        return false;
      uses.push_back({in.operands[i], here()});
    }
    if (!verifyImmediates(in))
      return false;
    for (int64_t i = 0; i < in.numResults; ++i) {
      if (!isSlot(in.results[i]))
        return false;
      CodePosition &made = slots[size_t(in.results[i])].made;
      if (made.block >= 0)
        return fail("gives slot " + std::to_string(in.results[i]) +
                    ", as the one at word " + std::to_string(made.word) +
                    " does");
      made = here();
    }
    return true;
  }

  bool verifyImmediates(const FunctionInstruction &in) {
    const int64_t *given = in.immediates;
    switch (in.code) {
    case Code::Unknown:
      if (given[0] < 0 || given[0] > int64_t(FunctionValue::Kind::Text))
        return fail("is of kind " + std::to_string(given[0]) +
                    ", which does not exist");
      return true;
    case Code::Operand:
      return verifyOperand(in);
    case Code::Text:
    case Code::Broadcasts:
    case Code::Broadcast:
    case Code::Meet:
      return isText(given[0], /*orNone=*/true);
    case Code::Extents:
    case Code::Constrain:
    case Code::Fail:
      return isText(given[0]);
    case Code::Same:
      return in.numImmediates == 0 || isText(given[0]);
    case Code::If:
      return verifyBranch(in, given[0]) && verifyBranch(in, given[1]);
    case Code::For:
      return verifyBody(in, 1, in.numOperands - 3);
    case Code::Reduce:
      return verifyBody(in, 2, in.numOperands - 1);
    case Code::Call:
      return verifyArguments(in, in.numOperands) &&
             verifyYielded(in, given[0]) && name(in);
    case Code::Result:
      return isInput(given[1]);
    default:
      return true;
    }
  }

  /// A list has its length before it.
  bool verifyOperand(const FunctionInstruction &in) {
    const int64_t *next = in.immediates, *end = in.next;
    if (in.numImmediates < 6)
      return fail("says of an operand no more than " +
                  std::to_string(in.numImmediates) + " numbers");
    if (!isInput(next[0]) || !isText(next[1], true) || !isText(next[2], true))
      return false;
    next += 4;
    for (int i = 0; i < 2; ++i) {
      if (next == end)
        return fail("says of an operand no elements");
      if (*next++ == 0)
        continue;
      if (next == end || *next < 0 || *next > end - next - 1)
        return fail("has a list of " +
                    (next == end ? "no length" : std::to_string(*next)) +
                    " in " + std::to_string(in.numImmediates) + " immediates");
      next += 1 + *next;
    }
    return next == end ||
           fail("says more of an operand than its shape and elements");
  }

  //===--------------------------------------------------------------------===//
  // Numbers that name something
  //===--------------------------------------------------------------------===//

  CodePosition here() const { return {int64_t(blocks.size()), word}; }

  bool isSlot(int64_t slot) {
    return (slot >= 0 && slot < code[0]) ||
           fail("names slot " + std::to_string(slot) + " of " +
                std::to_string(code[0]));
  }

  bool isText(int64_t text, bool orNone = false) {
    return (text >= 0 && text < numTexts) || (orNone && text == kNoText) ||
           fail("names text " + std::to_string(text) + " of " +
                std::to_string(numTexts));
  }

  bool isInput(int64_t input) {
    return (input >= -1 && input < numInputs) ||
           fail("names input " + std::to_string(input) + " of " +
                std::to_string(numInputs));
  }

  Block *find(int64_t begin) {
    auto it = blockAt.find(begin);
    return it == blockAt.end() ? nullptr : &blocks[size_t(it->second)];
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// What the block yields is what the instruction gives.
  bool verifyYielded(const FunctionInstruction &in, int64_t begin) {
    Block *block = find(begin);
    if (!block)
      return fail("names the block at word " + std::to_string(begin) +
                  "; none before it begins there");
    return block->numYielded == in.numResults ||
           fail("has " + std::to_string(in.numResults) +
                " results from a block that yields " +
                std::to_string(block->numYielded));
  }

  /// -1 stands for an empty block.
  bool verifyBranch(const FunctionInstruction &in, int64_t begin) {
    if (begin == -1)
      return in.numResults == 0 ||
             fail("has " + std::to_string(in.numResults) +
                  " results and no block for one of its branches");
    return verifyYielded(in, begin) && name(begin, in.next, 0);
  }

  /// Of a loop, which sets `numOwn` slots beside those of what it carries.
  bool verifyBody(const FunctionInstruction &in, int64_t numOwn,
                  int64_t numCarried) {
    if (in.numResults != numCarried)
      return fail("carries " + std::to_string(numCarried) + " values and has " +
                  std::to_string(in.numResults) + " results");
    return verifyArguments(in, numOwn + numCarried) &&
           verifyYielded(in, in.immediates[0]) && name(in);
  }

  bool verifyArguments(const FunctionInstruction &in, int64_t count) {
    return in.numImmediates == 1 + count ||
           fail("gives its block " + std::to_string(count) +
                " arguments and names slots for " +
                std::to_string(in.numImmediates - 1));
  }

  bool name(const FunctionInstruction &in) {
    return name(in.immediates[0], in.immediates + 1, in.numImmediates - 1);
  }

  bool name(int64_t begin, const int64_t *arguments, int64_t count) {
    int64_t number = blockAt[begin];
    Block &block = blocks[size_t(number)];
    if (block.named.block >= 0) {
      block.isShared = true;
      return std::equal(arguments, arguments + count, block.arguments,
                        block.arguments + block.numArguments) ||
             fail("gives its block other arguments than the one at word " +
                  std::to_string(block.named.word));
    }
    for (int64_t i = 0; i < count; ++i) {
      if (!isSlot(arguments[i]))
        return false;
      int64_t &argumentOf = slots[size_t(arguments[i])].argumentOf;
      if (argumentOf >= 0)
        return fail("gives its block slot " + std::to_string(arguments[i]) +
                    ", which is an argument already");
      argumentOf = number;
    }
    block.named = here();
    block.arguments = arguments;
    block.numArguments = count;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Uses
  //===--------------------------------------------------------------------===//

  bool verifyUses() {
    return std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
      word = use.place.word;
      return isMade(slots[size_t(use.slot)], use.place) ||
             fail("reads slot " + std::to_string(use.slot) +
                  ", which nothing before it gives");
    });
  }

  /// Whether the slot has its value wherever the place is reached.
  bool isMade(const Slot &slot, CodePosition place) const {
    // What is nested deeper is never reached.
    for (int32_t depth = 0; depth < kMaxFunctionDepth; ++depth) {
      if (slot.argumentOf == place.block ||
          (slot.made.block == place.block && slot.made.word < place.word))
        return true;
      const Block &block = blocks[size_t(place.block)];
      if (block.isShared || block.named.block < 0)
        return false;
      place = block.named;
    }
    return true;
  }

  const int64_t *code;
  int64_t size, numTexts, numInputs;
  /// The instruction that is looked at.
  int64_t word = 0;
  std::vector<Slot> slots;
  std::vector<Block> blocks;
  std::map<int64_t, int64_t> blockAt;
  std::vector<Use> uses;
  std::string error;
};

} // namespace

std::optional<std::string>
broadloom::verifyFunction(const std::vector<int64_t> &code, size_t numTexts,
                          size_t numInputs) {
  return Verifier(code.data(), int64_t(code.size()), int64_t(numTexts),
                  int64_t(numInputs))
      .verify();
}
