//===- AnswerQuestion.h - answering a question about shapes -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_QUERIES_ANSWERQUESTION_H
#define BROADLOOM_DRIVER_QUERIES_ANSWERQUESTION_H

#include "driver/FunctionSignature.h"
#include "driver/ShapeQueryArguments.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom {

/// The answer for `function` of `module`, which has its shape queries.
ShapeQueryResult answerQuestion(mlir::ModuleOp module,
                                const FunctionSignature &function,
                                const std::vector<std::string> &arguments);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_QUERIES_ANSWERQUESTION_H
