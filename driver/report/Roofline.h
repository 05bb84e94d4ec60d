//===- Roofline.h - kernels under the machine's limits ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REPORT_ROOFLINE_H
#define BROADLOOM_DRIVER_REPORT_ROOFLINE_H

#include "driver/report/ProfileReport.h"

namespace broadloom::report {

/// Scalar operations of a row, a multiply-add being two.
double countOperations(const ProfileRow &row);

/// Whether the picture can show the row: it has bytes, operations and time.
bool isInRoofline(const ProfileRow &row);

/// Writes an SVG element: operations per byte to the right, operations per
/// second upwards, both in powers of ten. The number of a point is that of its
/// row, from 1.
void writeRoofline(const ProfileReport &report, llvm::raw_ostream &out);

} // namespace broadloom::report

#endif // BROADLOOM_DRIVER_REPORT_ROOFLINE_H
