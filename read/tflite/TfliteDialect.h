//===- TfliteDialect.h - what converters leave of TFLite --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the dialect in TfliteDialect.td. It is registered and never
// loaded by name: a user's text may define its own dialect `tfl`, which then
// replaces this one in a context.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_TFLITE_TFLITEDIALECT_H
#define BROADLOOM_READ_TFLITE_TFLITEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "read/tflite/TfliteDialect.h.inc"
#include "read/tflite/TfliteEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "read/tflite/TfliteAttributes.h.inc"
#define GET_OP_CLASSES
#include "read/tflite/TfliteOps.h.inc"

#endif // BROADLOOM_READ_TFLITE_TFLITEDIALECT_H
