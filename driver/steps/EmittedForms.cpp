//===- EmittedForms.cpp - the forms that programs are compiled to ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/steps/EmittedForms.h"

#include "shape/Message.h"

using namespace broadloom;

std::string broadloom::listForms(bool withLinked) {
  std::vector<std::string> names;
  for (const Form &form : kForms)
    if (withLinked || !form.isLinked)
      names.push_back(form.name.str());
  return joinWithAnd(names);
}

std::string broadloom::listFormEndings() {
  std::vector<std::string> endings;
  for (const Form &form : kForms)
    if (!form.ending.empty())
      endings.push_back(form.ending.str());
  return joinWithAnd(endings);
}
