//===- ShapeFunctionOpInterface.cpp - functions in definitions ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ShapeFunctionOpInterface.h"

#include "dialect/ShapeFunctionOpInterface.cpp.inc"
