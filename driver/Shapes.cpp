//===- Shapes.cpp - the shapes of a program's results alone --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"
#include "driver/Diagnostics.h"
#include "driver/inspect/Signatures.h"
#include "driver/queries/GivenValues.h"
#include "driver/queries/OrderInputs.h"
#include "driver/queries/QueryShapes.h"
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

std::optional<ShapeQueryResult>
Compiler::Impl::queryShapes(std::unique_ptr<llvm::MemoryBuffer> buffer,
                            const ShapeQueryArguments &question,
                            std::vector<FunctionSignature> &functions) {
  if (!hasValues(question))
    return queryShapesOnce(std::move(buffer), question, functions);
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(
      buffer->getBuffer(), buffer->getBufferIdentifier());
  auto answer = queryShapesOnce(std::move(buffer), question, functions);
  if (answer || isBroken)
    return answer;
  // The program that is compiled for the query has the given values as
  // constants. An error that occurs only with these values is not an error of
  // the program: a call with them fails.
  std::string errors = std::move(text);
  std::vector<ProgramDiagnostic> told = std::move(diagnostics);
  answer = queryShapesOnce(std::move(copy), withoutValues(question), functions);
  auto error = llvm::find_if(told, [](const ProgramDiagnostic &diagnostic) {
    return diagnostic.severity == ProgramDiagnostic::Severity::Error;
  });
  if (!answer || error == told.end()) {
    text = std::move(errors);
    diagnostics = std::move(told);
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

std::optional<ShapeQueryResult>
Compiler::Impl::queryShapesOnce(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                const ShapeQueryArguments &question,
                                std::vector<FunctionSignature> &functions) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
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
  Pipeline pipeline = getPipeline(Goal::Shapes);
  pipeline.options.foldsElements = hasValues(question);
  if (!runStages(*module, pipeline, between))
    return refusal;
  noteObstacles(*module, functions);
  return broadloom::queryShapes(
      *module, *findFunction(functions, question.function), arguments);
}
