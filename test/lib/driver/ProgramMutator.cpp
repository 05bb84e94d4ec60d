//===- ProgramMutator.cpp - texts of programs with mistakes in them -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/driver/ProgramMutator.h"

#include "llvm/ADT/StringExtras.h"

using namespace broadloom;
using llvm::StringRef;
using Kind = Token::Kind;

static bool isPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

std::vector<Token> broadloom::tokenize(StringRef text) {
  std::vector<Token> tokens;
  auto take = [&](Kind kind, size_t size) {
    tokens.push_back({kind, text.take_front(size).str()});
    text = text.drop_front(size);
  };
  while (!text.empty()) {
    char c = text.front();
    if (text.starts_with("//")) {
      text = text.drop_until([](char d) { return d == '\n'; });
    } else if (llvm::isSpace(c)) {
      take(Kind::Space, text.take_while(llvm::isSpace).size());
    } else if (c == '"') {
      size_t end = text.find('"', 1);
      take(Kind::Text, end == StringRef::npos ? text.size() : end + 1);
    } else if (llvm::isDigit(c) ||
               (c == '-' && text.size() > 1 && llvm::isDigit(text[1]))) {
      take(Kind::Number,
           1 + text.drop_front().take_while(llvm::isDigit).size());
    } else if (StringRef("%@^#!").contains(c)) {
      take(Kind::Value, 1 + text.drop_front().take_while(isPart).size());
    } else if (isPart(c)) {
      take(Kind::Word, text.take_while(isPart).size());
    } else {
      take(Kind::Mark, 1);
    }
  }
  return tokens;
}

static const char *const kNumbers[] = {"0",
                                       "1",
                                       "-1",
                                       "2",
                                       "3",
                                       "7",
                                       "64",
                                       "-128",
                                       "2147483647",
                                       "-2147483648",
                                       "-9",
                                       "255",
                                       "4294967296",
                                       "9223372036854775807",
                                       "33",
                                       "17",
                                       "-9223372036854775808"};
static const char *const kWords[] = {
    "f32",    "i1",   "i8",   "i64",   "index", "f16",    "bf16",
    "?",      "*",    "x",    "none",  "array", "tensor", "memref",
    "vector", "true", "unit", "dense", "tuple", "f8E5M2", "complex"};

std::string ProgramMutator::mutate() {
  for (unsigned count = 1 + pick(3); count != 0; --count)
    mutateOnce();
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

size_t ProgramMutator::find(Kind kind) {
  for (int i = 0; i < 20; ++i)
    if (size_t at = pick(tokens.size()); tokens[at].kind == kind)
      return at;
  return tokens.size();
}

void ProgramMutator::mutateOnce() {
  size_t size = tokens.size();
  size_t at = pick(size), other = pick(size);
  switch (pick(11)) {
  case 0:
  case 1:
    if ((at = find(Kind::Number)) < size)
      tokens[at].text = kNumbers[pick(std::size(kNumbers))];
    return;
  case 2:
  case 3:
    return takeAnotherOfItsKind(at, other);
  case 4:
    if (tokens[at].kind != Kind::Space || !pick(4))
      erase(at, at + 1);
    return;
  case 5: {
    Token copy = tokens[other];
    tokens.insert(tokens.begin() + at, copy);
    return;
  }
  case 6:
    std::swap(tokens[at].text, tokens[other].text);
    return;
  case 7:
    if ((at = find(Kind::Word)) < size)
      tokens[at].text = kWords[pick(std::size(kWords))];
    return;
  case 8:
    return renameOperation();
  default:
    copyOrEraseLine(at, other, /*erases=*/pick(2));
  }
}

void ProgramMutator::takeAnotherOfItsKind(size_t at, size_t other) {
  for (int i = 0; i < 50 && tokens[other].kind != tokens[at].kind; ++i)
    other = pick(tokens.size());
  if (tokens[other].kind == tokens[at].kind)
    tokens[at].text = tokens[other].text;
}

/// Some token always stays.
void ProgramMutator::erase(size_t begin, size_t end) {
  tokens.erase(tokens.begin() + begin, tokens.begin() + end);
  if (tokens.empty())
    tokens.push_back({Kind::Space, " "});
}

void ProgramMutator::renameOperation() {
  size_t at = find(pick(2) ? Kind::Word : Kind::Text);
  if (at == tokens.size() || !StringRef(tokens[at].text).contains('.'))
    return;
  bool quoted = tokens[at].text.front() == '"';
  std::string name = operations[pick(operations.size())];
  tokens[at].text = quoted ? "\"" + name + "\"" : name;
}

void ProgramMutator::copyOrEraseLine(size_t from, size_t to, bool erases) {
  auto isEnd = [&](size_t i) {
    return StringRef(tokens[i].text).contains('\n');
  };
  size_t begin = from, end = from;
  while (begin > 0 && !isEnd(begin - 1))
    --begin;
  while (end < tokens.size() && !isEnd(end))
    ++end;
  if (erases)
    return erase(begin, end);
  std::vector<Token> line(tokens.begin() + begin, tokens.begin() + end);
  while (to < tokens.size() && !isEnd(to))
    ++to;
  line.insert(line.begin(), {Kind::Space, "\n"});
  tokens.insert(tokens.begin() + to, line.begin(), line.end());
}
