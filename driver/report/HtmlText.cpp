//===- HtmlText.cpp - text from outside, in HTML --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/HtmlText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace broadloom;
using llvm::StringRef;

/// Escapes what is valid UTF-8.
static void append(std::string &result, StringRef text) {
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      // HTML allows no other control characters.
      if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n')
        result += "\xEF\xBF\xBD";
      else if (c != 0x7f)
        result += c;
    }
  }
}

std::string report::escapeHtml(StringRef text) {
  std::string result;
  append(result, llvm::json::fixUTF8(text));
  return result;
}

static void appendSpan(std::string &result, const char *kind, StringRef text) {
  result += "<span class=\"";
  result += kind;
  result += "\">";
  append(result, text);
  result += "</span>";
}

/// How much of `text` is the token that begins there, and its kind: "c", "s",
/// "v", or null for plain text.
static size_t scan(StringRef text, const char *&kind) {
  auto isPlain = [](char c) { return c != '"' && c != '%' && c != '/'; };
  auto isName = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  };
  kind = nullptr;
  if (text.starts_with("//")) {
    kind = "c";
    return text.size();
  }
  if (text.front() == '"') {
    kind = "s";
    for (size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        return i + 1;
    }
    return text.size();
  }
  if (text.front() == '%') {
    kind = "v";
    return 1 + text.drop_front().take_while(isName).size();
  }
  return 1 + text.drop_front().take_while(isPlain).size();
}

/// The `loc(...)` that a line ends with, which the page shows on demand; empty
/// if there is none.
static StringRef findLocation(StringRef line) {
  size_t begin = line.rfind(" loc(");
  bool isOfOperation = begin != StringRef::npos && !line.starts_with("#");
  return isOfOperation && line.ends_with(")") ? line.drop_front(begin + 1)
                                              : StringRef();
}

std::string report::highlightLine(StringRef line) {
  // Constants have lines of megabytes.
  constexpr size_t longest = 320;
  std::string valid = llvm::json::fixUTF8(
      line.size() <= longest ? line.str()
                             : (line.take_front(longest / 2) + " [" +
                                llvm::Twine(line.size() - longest) +
                                " characters] " + line.take_back(longest / 2))
                                   .str());
  std::string result;
  StringRef location = findLocation(valid);
  for (StringRef rest = StringRef(valid).drop_back(location.size());
       !rest.empty();) {
    const char *kind;
    StringRef token = rest.take_front(scan(rest, kind));
    rest = rest.drop_front(token.size());
    if (kind)
      appendSpan(result, kind, token);
    else
      append(result, token);
  }
  if (!location.empty()) {
    result += "<span class=\"loc\" tabindex=\"0\">";
    append(result, location);
    result += "</span>";
  }
  return result;
}

std::string report::highlightType(StringRef type) {
  auto [head, rest] = type.split('<');
  auto [shape, tail] = rest.rsplit('x');
  // A scalar has no axes, only the element type.
  if (tail.empty() && !rest.contains('x'))
    return escapeHtml(type);
  std::string result = escapeHtml(head) + "&lt;";
  llvm::SmallVector<StringRef> extents;
  shape.split(extents, 'x');
  for (StringRef extent : extents) {
    bool isSymbol = !extent.empty() &&
                    (llvm::isAlpha(extent.front()) || extent.front() == '_');
    result += isSymbol ? "<b class=\"sym\">" + escapeHtml(extent) + "</b>"
                       : escapeHtml(extent);
    result += "\xC3\x97";
  }
  return result + escapeHtml(tail);
}

void report::beginPage(StringRef title, llvm::ArrayRef<StringRef> styles,
                       llvm::raw_ostream &out) {
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
         "charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>"
      << title << "</title>\n<style>\n";
  for (StringRef style : styles)
    out << style;
  out << "</style>\n</head>\n<body>\n";
}
