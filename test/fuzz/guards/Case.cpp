//===- Case.cpp - the program of a case, and its inputs as text -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

std::string broadloom::guards::toText(const Inputs &inputs) {
  std::string text = "inputs:";
  for (size_t i = 0; i < inputs.shapes.size(); ++i)
    text += " " + toText(inputs.shapes[i]) + " of " +
            std::to_string(inputs.values[i]);
  for (const Extents &shape : inputs.state)
    text += ", a variable " + toText(shape);
  return text;
}

std::string
broadloom::guards::makeProgram(const Case &it,
                               const std::vector<Pattern> &arguments,
                               const std::vector<Pattern> &results) {
  std::vector<std::string> types, resultTypes;
  for (size_t i = 0; i < arguments.size(); ++i)
    types.push_back(it.arguments[i].isScalar()
                        ? it.arguments[i].element
                        : arguments[i].type(it.arguments[i].element));
  for (size_t i = 0; i < results.size(); ++i)
    resultTypes.push_back(results[i].type(it.results[i]));

  auto list = [](const std::vector<std::string> &texts) {
    std::string text;
    for (const std::string &each : texts)
      text += (text.empty() ? "" : ", ") + each;
    return text;
  };
  std::vector<std::string> parameters, values;
  for (size_t i = 0; i < types.size(); ++i) {
    parameters.push_back("%" + std::to_string(i) + ": " + types[i]);
    if (i < it.argumentAttributes.size() && !it.argumentAttributes[i].empty())
      parameters.back() += " {" + it.argumentAttributes[i] + "}";
  }
  for (size_t i = 0; i < resultTypes.size(); ++i)
    values.push_back(resultTypes.size() == 1 ? "%r" : "%r" + std::to_string(i));
  std::string body;
  for (size_t i = 0; i < it.body.size(); ++i) {
    if (it.body[i] != '$') {
      body += it.body[i];
      continue;
    }
    bool isResult = it.body[i + 1] == 'r';
    i += isResult ? 2 : 1;
    size_t number = size_t(it.body[i] - '0');
    body += (isResult ? resultTypes : types).at(number);
  }
  return it.before + "func.func @f(" + list(parameters) + ") -> (" +
         list(resultTypes) + ") {\n" + body + "\nreturn " + list(values) +
         " : " + list(resultTypes) + "\n}\n";
}
