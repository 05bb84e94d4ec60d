//===- Shapes.cpp - the shapes of a program's results alone ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/Signatures.h"
#include "driver/queries/AnswerQuestion.h"
#include "driver/queries/GivenValues.h"
#include "driver/queries/OrderInputs.h"
#include "driver/steps/Reachable.h"
#include "driver/steps/Steps.h"
#include "runtime/abi/Abi.h"
#include "shape/Message.h"

using namespace mlir;
using namespace broadloom;

/// The question without the values that it gives.
static ShapeQueryArguments withoutValues(const ShapeQueryArguments &question) {
  ShapeQueryArguments without = question;
  for (std::string &argument : without.arguments) {
    llvm::StringRef name = getNamePart(argument);
    llvm::StringRef text = llvm::StringRef(argument).drop_front(name.size());
    argument = (name + text.split('=').first.trim()).str();
  }
  return without;
}

static bool hasValues(const ShapeQueryArguments &question) {
  return withoutValues(question).arguments != question.arguments;
}

/// Answers the question. Its values become constants of the program, and may
/// make it invalid.
static std::optional<ShapeQueryResult>
queryOnce(Session &session, const ShapeQueryArguments &question,
          std::vector<FunctionSignature> &functions) {
  OwningOpRef<ModuleOp> module = steps::parse(session);
  if (!module)
    return std::nullopt;
  keepQueried(*module, question.function);
  // Given values on which shapes depend become constants of the program.
  std::vector<std::string> arguments = question.arguments;
  std::optional<ShapeQueryResult> refusal;
  auto giveValues = [&] {
    const FunctionSignature *function =
        findFunction(functions, question.function);
    if (!function)
      return false;
    auto refuse = [&](std::string error) {
      refusal.emplace();
      refusal->function = function->name;
      refusal->status = BROADLOOM_INVALID_ARGUMENT;
      refusal->message = std::move(error);
      return false;
    };
    if (std::string error = orderInputs(arguments, argumentNames(*function));
        !error.empty())
      return refuse(error);
    auto func = SymbolTable(*module).lookup<func::FuncOp>(function->name);
    if (!func || arguments.size() != function->arguments.size())
      return true;
    std::string error = useGivenValues(func, arguments);
    return error.empty() || refuse(error);
  };
  auto between = [&](Stage stage) {
    return stage != Stage::Legalize ||
           (readSignatures(*module, functions) && giveValues());
  };
  Pipeline pipeline = session.getPipeline(Goal::Shapes);
  pipeline.options.foldsElements = hasValues(question);
  if (!session.runStages(*module, pipeline, between))
    return refusal;
  noteObstacles(*module, functions);
  return answerQuestion(*module, *findFunction(functions, question.function),
                        arguments);
}

std::optional<ShapeQueryResult>
steps::queryShapes(Session &session, const ShapeQueryArguments &question,
                   std::vector<FunctionSignature> &functions) {
  auto answer = queryOnce(session, question, functions);
  if (answer || session.isBroken || !hasValues(question))
    return answer;
  // An error that occurs only with the given values is not an error of the
  // program: a call with them fails.
  Diagnostics told = session.diagnostics;
  session.restart();
  answer = queryOnce(session, withoutValues(question), functions);
  auto error =
      llvm::find_if(told.list, [](const ProgramDiagnostic &diagnostic) {
        return diagnostic.severity == ProgramDiagnostic::Severity::Error;
      });
  if (!answer || error == told.list.end()) {
    session.diagnostics = std::move(told);
    return std::nullopt;
  }
  if (answer->status == BROADLOOM_OK) {
    answer->status = BROADLOOM_GUARD_FAILED;
    answer->message =
        withSite(error->location, error->operation, error->message);
    answer->results.clear();
  }
  return answer;
}
