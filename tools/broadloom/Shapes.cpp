//===- Shapes.cpp - broadloom shapes --------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/Terminal.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::tool;

static void printJson(const ShapeQueryResult &answer) {
  llvm::json::OStream json(llvm::outs(), 2);
  json.object([&] {
    json.attribute("function", answer.function);
    if (answer.status != BROADLOOM_OK) {
      json.attribute("error", answer.message);
      return;
    }
    if (!answer.whyOnlyTypes.empty())
      json.attribute("only_types", answer.whyOnlyTypes);
    if (!answer.whyOpen.empty())
      json.attribute("may_fail", answer.whyOpen);
    json.attributeArray("results", [&] {
      for (const ShapeQueryResult::Result &result : answer.results)
        json.object([&] {
          json.attribute("shape", result.text());
          json.attribute("element_type",
                         broadloomElementTypeName(result.elementType));
          if (!result.isRanked)
            return;
          json.attributeArray("extents", [&] {
            for (const ExtentAnswer &extent : result.extents) {
              if (extent.number && !extent.isBound)
                json.value(*extent.number);
              else
                json.value(extent.text);
            }
          });
        });
    });
  });
  llvm::outs() << '\n';
}

int broadloom::tool::evaluateProgram(const Options &options) {
  Compiler compiler(options.compile);
  std::vector<FunctionSignature> functions;
  auto answer = [&] {
    Progress progress("reading " + nameFile(options.file),
                      options.compile.verbose);
    return compiler.queryShapes(Source::file(options.file),
                                {options.function, options.argumentShapes},
                                &functions);
  }();
  printDiagnostics(compiler.diagnostics());
  if (!answer && compiler.diagnostics().find("error: ") != std::string::npos)
    return rejected(compiler);
  if (!answer)
    return fail(functions.empty() ? kRejected : kUsage,
                describeChoice(functions, options.function));
  if (options.json)
    printJson(*answer);
  if (answer->status == BROADLOOM_GUARD_FAILED) {
    llvm::errs() << answer->message << '\n';
    return kGuardFailed;
  }
  if (answer->status != BROADLOOM_OK)
    return fail(kRejected, answer->message);
  if (!answer->whyOnlyTypes.empty())
    llvm::errs() << "broadloom: note: only what types say is known of the "
                    "results of '"
                 << answer->function << "': " << answer->whyOnlyTypes << '\n';
  if (!answer->whyOpen.empty())
    llvm::errs() << "broadloom: note: a call of '" << answer->function
                 << "' may fail all the same: " << answer->whyOpen << '\n';
  if (!options.json)
    for (const ShapeQueryResult::Result &result : answer->results)
      llvm::outs() << result.text() << '\n';
  return kDone;
}
