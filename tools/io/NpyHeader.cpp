//===- NpyHeader.cpp - what a .npy file says of itself --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/NpyHeader.h"

#include <charconv>

using namespace broadloom::io;

static bool isOneOf(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

namespace {

/// Reads the few Python literals that a header consists of.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  Result<NpyHeader> parse();

private:
  void skipSpace() {
    while (at < text.size() && isOneOf(text[at], " \t\r\n"))
      ++at;
  }
  /// Consumes `c`, and spaces before it.
  bool take(char c) {
    skipSpace();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }
  bool takeString(std::string &result);
  Error parseEntry();
  Error parseDescriptor();
  Error parseOrder();
  Error parseShape();

  static Error malformed(const char *what) {
    return std::string("the header is malformed: ") + what;
  }

  std::string_view text;
  size_t at = 0;
  std::optional<NpyDescriptor> descriptor;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> extents;
};

} // namespace

/// Text of a file for a message: printable and limited in length.
static std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text.substr(0, 40))
    result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 40 ? "...'" : "'");
}

bool HeaderParser::takeString(std::string &result) {
  char quote = take('\'') ? '\'' : take('"') ? '"' : 0;
  if (!quote)
    return false;
  size_t end = text.find(quote, at);
  if (end == std::string_view::npos)
    return false;
  result = text.substr(at, end - at);
  at = end + 1;
  return true;
}

Error HeaderParser::parseDescriptor() {
  skipSpace();
  if (at < text.size() && (text[at] == '[' || text[at] == '('))
    return "arrays with a structured element type cannot be read, only arrays "
           "of numbers";
  NpyDescriptor result{};
  if (!takeString(result.text))
    return malformed("'descr' is not a string");
  std::string_view rest = result.text;
  result.order = '|';
  if (!rest.empty() && isOneOf(rest[0], "<>|=")) {
    result.order = rest[0] == '=' ? '<' : rest[0];
    rest.remove_prefix(1);
  }
  if (!rest.empty()) {
    result.kind = rest[0];
    rest.remove_prefix(1);
  }
  // Times carry a unit after the size ("M8[ns]"); their kind is enough here.
  auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), result.bytes);
  bool number = error == std::errc() && end == rest.data() + rest.size() &&
                result.bytes >= 0;
  if (!isOneOf(result.kind, "biufcmMOSUVa") ||
      (!number && !isOneOf(result.kind, "mMO")))
    return "element type " + quoted(result.text) + " is not known";
  descriptor = result;
  return {};
}

Error HeaderParser::parseOrder() {
  if (takeWord("True"))
    fortranOrder = true;
  else if (takeWord("False"))
    fortranOrder = false;
  else
    return malformed("'fortran_order' is neither True nor False");
  return {};
}

Error HeaderParser::parseShape() {
  if (!take('('))
    return malformed("'shape' is not a tuple");
  std::vector<int64_t> result;
  bool comma = false;
  while (!take(')')) {
    if (!result.empty() && !comma)
      return malformed("'shape' is not a tuple");
    skipSpace();
    int64_t extent = 0;
    auto [end, error] =
        std::from_chars(text.data() + at, text.data() + text.size(), extent);
    size_t next = end - text.data();
    if (error == std::errc::result_out_of_range)
      return "the extent " + std::string(text.substr(at, next - at)) +
             " overflows 63 bits";
    if (error != std::errc())
      return malformed("an extent is not an integer");
    if (extent < 0)
      return "axis " + std::to_string(result.size()) +
             " has the negative extent " + std::to_string(extent);
    at = next;
    if (at < text.size() && text[at] == 'L') // as Python 2 wrote them
      ++at;
    result.push_back(extent);
    comma = take(',');
  }
  // "(3)" is a number to Python, not a tuple.
  if (result.size() == 1 && !comma)
    return malformed("'shape' is not a tuple");
  extents = std::move(result);
  return {};
}

Error HeaderParser::parseEntry() {
  std::string key;
  if (!takeString(key) || !take(':'))
    return malformed("a key is missing");
  if (key == "descr")
    return parseDescriptor();
  if (key == "fortran_order")
    return parseOrder();
  if (key == "shape")
    return parseShape();
  return malformed("it has another key than descr, fortran_order and shape");
}

Result<NpyHeader> HeaderParser::parse() {
  if (!take('{'))
    return Failure{malformed("it is not a dictionary")};
  bool comma = true;
  while (!take('}')) {
    if (!comma)
      return Failure{malformed("a comma is missing")};
    if (Error error = parseEntry(); !error.empty())
      return Failure{error};
    comma = take(',');
  }
  skipSpace();
  if (at != text.size())
    return Failure{malformed("there is text after the dictionary")};
  if (!descriptor || !fortranOrder || !extents)
    return Failure{
        malformed("one of descr, fortran_order and shape is missing")};
  return NpyHeader{*descriptor, *fortranOrder, *extents};
}

Result<NpyHeader> broadloom::io::parseNpyHeader(std::string_view text) {
  return HeaderParser(text).parse();
}

/// The name of a NumPy kind that is not a number.
static const char *kindName(char kind) {
  switch (kind) {
  case 'O':
    return "Python objects";
  case 'U':
    return "unicode strings";
  case 'S':
  case 'a':
    return "byte strings";
  case 'M':
    return "dates (datetime64)";
  case 'm':
    return "durations (timedelta64)";
  case 'c':
    return "complex numbers";
  default:
    return nullptr;
  }
}

/// The element type of the data in NumPy.
static std::optional<BroadloomElementType>
naturalType(const NpyDescriptor &descriptor) {
  struct Entry {
    char kind;
    int64_t bytes;
    BroadloomElementType type;
  };
  static constexpr Entry entries[] = {
      {'b', 1, BROADLOOM_I1},  {'i', 1, BROADLOOM_I8},  {'i', 2, BROADLOOM_I16},
      {'i', 4, BROADLOOM_I32}, {'i', 8, BROADLOOM_I64}, {'u', 1, BROADLOOM_U8},
      {'u', 2, BROADLOOM_U16}, {'u', 4, BROADLOOM_U32}, {'u', 8, BROADLOOM_U64},
      {'f', 2, BROADLOOM_F16}, {'f', 4, BROADLOOM_F32}, {'f', 8, BROADLOOM_F64},
  };
  for (const Entry &entry : entries)
    if (entry.kind == descriptor.kind && entry.bytes == descriptor.bytes)
      return entry.type;
  return std::nullopt;
}

/// Whether data of `descriptor` may be read as `type`, although NumPy's type
/// differs.
static bool standsFor(const NpyDescriptor &descriptor,
                      BroadloomElementType type) {
  auto is = [&](const char *kinds, int64_t bytes) {
    return descriptor.bytes == bytes && isOneOf(descriptor.kind, kinds);
  };
  switch (type) {
  case BROADLOOM_I8:
    return is("u", 1);
  case BROADLOOM_I16:
    return is("u", 2);
  case BROADLOOM_I32:
    return is("u", 4);
  case BROADLOOM_I64:
    return is("u", 8);
  case BROADLOOM_BF16:
    return is("Vu", 2);
  case BROADLOOM_F8E4M3FN:
    return is("Vu", 1);
  case BROADLOOM_F8E5M2:
    return is("Vuf", 1);
  default:
    return false;
  }
}

Result<BroadloomElementType>
broadloom::io::npyElementType(const NpyDescriptor &descriptor,
                              std::optional<BroadloomElementType> expected) {
  std::string spelled = quoted(descriptor.text);
  if (const char *name = kindName(descriptor.kind))
    return Failure{"arrays of " + std::string(name) + " (" + spelled +
                   ") cannot be read, only arrays of numbers"};
  auto natural = naturalType(descriptor);
  if (expected && (natural == expected || standsFor(descriptor, *expected)))
    return *expected;
  if (!expected && natural)
    return *natural;
  std::string name =
      natural ? " (" + std::string(broadloomElementTypeName(*natural)) + ")"
              : "";
  if (expected)
    return Failure{"the element type is " + spelled + name + ", but " +
                   broadloomElementTypeName(*expected) + " is expected"};
  return Failure{"the element type " + spelled +
                 " cannot be read where nothing says what it stands for"};
}

/// The descriptor under which elements of `type` are written.
static const char *descriptorOf(BroadloomElementType type) {
  switch (type) {
  case BROADLOOM_I1:
    return "|b1";
  case BROADLOOM_I8:
    return "|i1";
  case BROADLOOM_I16:
    return "<i2";
  case BROADLOOM_I32:
    return "<i4";
  case BROADLOOM_I64:
    return "<i8";
  case BROADLOOM_U8:
  case BROADLOOM_F8E5M2:
    return "|u1";
  case BROADLOOM_U16:
    return "<u2";
  case BROADLOOM_U32:
    return "<u4";
  case BROADLOOM_U64:
    return "<u8";
  case BROADLOOM_F8E4M3FN:
    return "<V1";
  case BROADLOOM_F16:
    return "<f2";
  case BROADLOOM_BF16:
    return "<V2";
  case BROADLOOM_F32:
    return "<f4";
  case BROADLOOM_F64:
    return "<f8";
  }
  return "|u1";
}

std::string
broadloom::io::formatNpyHeader(BroadloomElementType type,
                               const std::vector<int64_t> &extents) {
  std::string text = "{'descr': '" + std::string(descriptorOf(type)) +
                     "', 'fortran_order': False, 'shape': (";
  for (size_t axis = 0; axis < extents.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(extents[axis]);
  text += extents.size() == 1 ? ",), }" : "), }";
  // Space for 21 digits of the first extent, which NumPy reserves so that a
  // file can be appended to. With it, equal arrays are equal files.
  if (!extents.empty())
    text.append(21 - std::to_string(extents[0]).size(), ' ');
  // Magic, version and length take 10 bytes; the data starts at a multiple of
  // 64 bytes, after a line break.
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}
