//===- Shapes.cpp - the shapes of a program's results alone --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"
#include "driver/Diagnostics.h"
#include "driver/GivenValues.h"
#include "driver/QueryShapes.h"
#include "runtime/abi/Abi.h"

using namespace mlir;
using namespace broadloom;

std::optional<ShapeQueryResult>
Compiler::Impl::ask(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    const ShapeQueryArguments &question,
                    std::vector<FunctionSignature> &functions) {
  open(std::move(buffer));
  DiagnosticCollector collector(*sources, &context, text, diagnostics,
                                options.errorLimit);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return std::nullopt;
  keepQueried(*module, question.function);
  // Values that decide shapes are put into the program.
  std::vector<std::string> arguments = question.arguments;
  std::optional<ShapeQueryResult> refusal;
  auto giveValues = [&] {
    const FunctionSignature *function =
        findFunction(functions, question.function);
    if (!function)
      return false;
    auto func = SymbolTable(*module).lookup<func::FuncOp>(function->name);
    if (!func || arguments.size() != function->arguments.size())
      return true;
    std::string error = useGivenValues(func, arguments);
    if (error.empty())
      return true;
    refusal.emplace();
    refusal->function = function->name;
    refusal->status = BROADLOOM_INVALID_ARGUMENT;
    refusal->message = error;
    return false;
  };
  auto between = [&](Stage stage) {
    return stage != Stage::Legalize ||
           (readSignatures(*module, functions) && giveValues());
  };
  if (!runStages(*module, getPipeline(Goal::Shapes), between))
    return refusal;
  noteObstacles(*module, functions);
  return queryShapes(*module, *findFunction(functions, question.function),
                     arguments);
}
