//===- InspectJson.cpp - what is in a file, as JSON -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/InspectJson.h"

#include "llvm/ADT/StringExtras.h"

using namespace broadloom;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Names and attributes of a program may hold any bytes.
static std::string clean(StringRef text) { return json::fixUTF8(text); }

static void writeAttributes(const AttributeTexts &attributes,
                            json::OStream &json) {
  if (attributes.empty())
    return;
  json.attributeObject("attributes", [&] {
    for (const auto &[name, text] : attributes)
      json.attribute(clean(name), clean(text));
  });
}

static void writeOperations(const OperationCounts &operations,
                            json::OStream &json) {
  json.attributeObject("operations", [&] {
    for (const auto &[name, count] : operations)
      json.attribute(clean(name), int64_t(count));
  });
}

static void write(const InspectedValue &value, json::OStream &json) {
  json.object([&] {
    if (!value.name.empty())
      json.attribute("name", clean(value.name));
    json.attribute("type", clean(value.type));
    writeAttributes(value.attributes, json);
    if (value.elementType.empty())
      return;
    json.attribute("shape", clean(value.shape()));
    json.attribute("element_type", value.elementType);
    if (!value.isRanked)
      return;
    json.attributeArray("extents", [&] {
      for (const std::string &extent : value.extents)
        if (int64_t number; llvm::to_integer(extent, number))
          json.value(number);
        else
          json.value(clean(extent));
    });
  });
}

static void writeSignature(const InspectedFunction &function,
                           json::OStream &json) {
  json.attribute("name", clean(function.name));
  json.attributeArray("arguments", [&] {
    for (const InspectedValue &value : function.arguments)
      write(value, json);
  });
  json.attributeArray("results", [&] {
    for (const InspectedValue &value : function.results)
      write(value, json);
  });
}

static void writeNodes(const std::vector<InspectedNode> &nodes,
                       json::OStream &json) {
  if (nodes.empty())
    return;
  json.attributeArray("nodes", [&] {
    for (const InspectedNode &node : nodes)
      json.object([&] {
        json.attribute("operation", clean(node.operation));
        json.attribute("location", clean(node.location));
        json.attributeArray("results", [&] {
          for (const std::string &type : node.results)
            json.value(clean(type));
        });
      });
  });
}

static void write(const InspectedFunction &function, json::OStream &json) {
  json.object([&] {
    writeSignature(function, json);
    json.attribute("public", function.isPublic);
    json.attribute("has_body", function.hasBody);
    writeAttributes(function.attributes, json);
    writeOperations(function.operations, json);
    writeNodes(function.nodes, json);
  });
}

void broadloom::writeJson(const CompiledProgram &program, json::OStream &json) {
  json.object([&] {
    json.attribute("symbol", clean(program.symbol));
    json.attribute("abi_version", program.abiVersion);
    json.attribute("instruction_sets", program.instructionSets);
    json.attributeArray("functions", [&] {
      for (const InspectedFunction &function : program.functions)
        json.object([&] { writeSignature(function, json); });
    });
  });
}

void broadloom::writeJson(const InspectedFile &file, StringRef name,
                          json::OStream &json) {
  using Form = InspectedFile::Form;
  json.object([&] {
    json.attribute("file", clean(name));
    json.attribute("form", formName(file.form));
    if (file.form == Form::Object || file.form == Form::SharedLibrary) {
      json.attributeArray("programs", [&] {
        for (const CompiledProgram &program : file.compiled)
          writeJson(program, json);
      });
      return;
    }
    if (!file.producer.empty())
      json.attribute("producer", clean(file.producer));
    json.attribute("accepted", file.isAccepted);
    writeAttributes(file.attributes, json);
    json.attributeArray("functions", [&] {
      for (const InspectedFunction &function : file.functions)
        write(function, json);
    });
    // Outside functions.
    writeOperations(file.operations, json);
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool parse(const json::Value &from, InspectedValue &value,
                  json::Path path) {
  json::ObjectMapper map(from, path);
  std::string shape;
  if (!map || !map.map("type", value.type) || !map.map("shape", shape) ||
      !map.map("element_type", value.elementType) ||
      !map.mapOptional("name", value.name))
    return false;
  const json::Array *extents = from.getAsObject()->getArray("extents");
  value.isRanked = extents != nullptr;
  if (!extents)
    return true;
  for (const json::Value &extent : *extents) {
    if (auto number = extent.getAsInteger())
      value.extents.push_back(std::to_string(*number));
    else if (auto text = extent.getAsString())
      value.extents.push_back(text->str());
    else
      return false;
  }
  return true;
}

static bool parse(const json::Object &from, StringRef key,
                  std::vector<InspectedValue> &values, json::Path path) {
  const json::Array *array = from.getArray(key);
  if (!array)
    return false;
  for (const json::Value &value : *array)
    if (!parse(value, values.emplace_back(), path))
      return false;
  return true;
}

static bool parse(const json::Value &from, InspectedFunction &function,
                  json::Path path) {
  json::ObjectMapper map(from, path);
  return map && map.map("name", function.name) &&
         parse(*from.getAsObject(), "arguments", function.arguments, path) &&
         parse(*from.getAsObject(), "results", function.results, path);
}

/// Whether brackets are nested a few levels at most: LLVM's parser calls itself
/// for each level.
static bool isShallow(StringRef text) {
  constexpr int most = 16;
  int depth = 0;
  for (char c : text) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (depth > most)
      return false;
  }
  return true;
}

std::optional<CompiledProgram> broadloom::parseCompiledProgram(StringRef text) {
  if (!isShallow(text))
    return std::nullopt;
  auto value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  json::Path::Root root;
  json::ObjectMapper map(*value, root);
  CompiledProgram program;
  if (!map || !map.map("symbol", program.symbol) ||
      !map.map("abi_version", program.abiVersion) ||
      !map.map("instruction_sets", program.instructionSets))
    return std::nullopt;
  const json::Array *functions = value->getAsObject()->getArray("functions");
  if (!functions)
    return std::nullopt;
  for (const json::Value &function : *functions)
    if (!parse(function, program.functions.emplace_back(), root))
      return std::nullopt;
  return program;
}
