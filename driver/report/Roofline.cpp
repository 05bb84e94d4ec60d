//===- Roofline.cpp - kernels under the machine's limits ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/Roofline.h"

#include "driver/report/HtmlText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace broadloom;
using namespace broadloom::report;
using llvm::formatv;

double report::countOperations(const ProfileRow &row) {
  const Work &work = row.spent.work;
  return 2.0 * double(work.multiplyAdds) + double(work.operations);
}

bool report::isInRoofline(const ProfileRow &row) {
  return row.site && row.spent.work.bytes > 0 && countOperations(row) > 0 &&
         row.spent.nanoseconds > 0;
}

namespace {

/// An axis in powers of ten.
struct Axis {
  /// Exponents at both ends, and where these are in the picture.
  int low, high;
  double begin, end;

  double at(double value) const {
    return begin + (std::log10(value) - low) / (high - low) * (end - begin);
  }
  double lowest() const { return std::pow(10.0, low); }
  double highest() const { return std::pow(10.0, high); }
  void include(double value) {
    low = std::min(low, int(std::floor(std::log10(value))));
    high = std::max(high, int(std::ceil(std::log10(value))));
  }
};

class Roofline {
public:
  Roofline(const ProfileReport &report, llvm::raw_ostream &out)
      : report(report), out(out) {
    peak = 2 * report.limits.multiplyAdds;
    memory = report.limits.copies.back().bytesPerNs;
    cache = report.limits.copies.front().bytesPerNs;
    y.include(peak);
    x.include(peak / memory);
    for (const ProfileRow &row : report.rows)
      if (isInRoofline(row)) {
        x.include(getIntensity(row));
        y.include(getRate(row));
      }
    // The memory's roof begins in the picture.
    y.include(x.lowest() * memory);
  }

  void write() {
    out << "<svg viewBox=\"0 0 760 420\" role=\"img\" aria-label=\"Operations "
           "per second of each kernel, and what the machine can do\">\n";
    writeGrid();
    writeRoofs();
    for (auto [i, row] : llvm::enumerate(report.rows))
      if (isInRoofline(row))
        writePoint(i + 1, row);
    out << "</svg>\n";
  }

private:
  static double getIntensity(const ProfileRow &row) {
    return countOperations(row) / double(row.spent.work.bytes);
  }
  static double getRate(const ProfileRow &row) {
    return countOperations(row) / row.spent.nanoseconds;
  }

  void writeText(double left, double top, const char *anchor,
                 const std::string &text, const char *style = "") {
    out << formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" text-anchor=\"{2}\"{3}>{4}"
                   "</text>\n",
                   left, top, anchor, style, escapeHtml(text));
  }
  void writeLine(const char *style, double x0, double y0, double x1,
                 double y1) {
    out << formatv("<line class=\"{0}\" x1=\"{1:F1}\" y1=\"{2:F1}\" "
                   "x2=\"{3:F1}\" y2=\"{4:F1}\"/>\n",
                   style, x0, y0, x1, y1);
  }

  void writeGrid() {
    for (int power = x.low; power <= x.high; ++power) {
      double at = x.at(std::pow(10.0, power));
      writeLine("grid", at, y.begin, at, y.end);
      writeText(at, y.begin + 16, "middle", formatPower(power));
    }
    for (int power = y.low; power <= y.high; ++power) {
      double at = y.at(std::pow(10.0, power));
      writeLine("grid", x.begin, at, x.end, at);
      writeText(x.begin - 6, at + 4, "end",
                formatCount(std::pow(10.0, power + 9)));
    }
    writeText(x.end, y.begin + 34, "end", "operations per byte");
    writeText(x.begin - 54, y.end - 12, "start", "operations per second");
  }
  static std::string formatPower(int power) {
    return power >= 0 ? formatv("{0:F0}", std::pow(10.0, power)).str()
                      : "0." + std::string(size_t(-power - 1), '0') + "1";
  }

  /// A roof that rises with `rate` bytes per nanosecond up to the peak.
  void writeRoof(const char *style, double rate) {
    double left = std::max(x.lowest(), y.lowest() / rate),
           ridge = std::min(peak / rate, x.highest());
    if (ridge > left)
      writeLine(style, x.at(left), y.at(left * rate), x.at(ridge),
                y.at(ridge * rate));
  }

  void writeRoofs() {
    const MachineLimits &limits = report.limits;
    writeRoof("lower", cache);
    writeRoof("roof", memory);
    double ridge = std::max(peak / memory, x.lowest());
    writeLine("roof", x.at(ridge), y.at(peak), x.end, y.at(peak));
    writeLine("lower", x.at(std::max(peak / cache, x.lowest())), y.at(peak),
              x.at(ridge), y.at(peak));
    if (limits.additions > y.lowest())
      writeLine("lower", x.at(std::max(limits.additions / cache, x.lowest())),
                y.at(limits.additions), x.end, y.at(limits.additions));
    writeText(x.end - 4, y.at(peak) - 6, "end",
              "multiply-adds " + formatCount(peak * 1e9) + "/s");
    if (limits.additions > y.lowest())
      writeText(x.end - 4, y.at(limits.additions) + 15, "end",
                "additions " + formatCount(limits.additions * 1e9) + "/s");
    writeSlope(memory, "memory");
    writeSlope(cache, "first cache");
  }

  /// Names a rising roof, below it.
  void writeSlope(double rate, const char *name) {
    double left = std::max(x.lowest(), y.lowest() / rate),
           ridge = std::min(peak / rate, x.highest());
    if (ridge <= left)
      return;
    double at = std::sqrt(left * ridge);
    writeText(x.at(at) + 8, y.at(at * rate) + 16, "start",
              std::string(name) + " " + formatBytes(rate * 1e9) + "/s");
  }

  void writePoint(size_t number, const ProfileRow &row) {
    double left = x.at(getIntensity(row)), top = y.at(getRate(row));
    double radius = 4 + 16 * std::sqrt(std::min(row.share, 1.0));
    out << formatv("<a href=\"#r{0}\"><circle class=\"point {1}\" "
                   "cx=\"{2:F1}\" cy=\"{3:F1}\" r=\"{4:F1}\"><title>{5}: {6}, "
                   "{7:F1} % of the time</title></circle>",
                   number, row.kind(), left, top, radius, number,
                   escapeHtml(describeOperations(row, "", 4)), 100 * row.share);
    // Beside the point where there is no room in it.
    bool isInside = radius >= 9;
    if (row.share >= 0.005)
      writeText(isInside ? left : left + radius + 3, top + 4,
                isInside ? "middle" : "start", std::to_string(number),
                " class=\"label\"");
    out << "</a>\n";
  }

  const ProfileReport &report;
  llvm::raw_ostream &out;
  Axis x{-1, 2, 70, 745}, y{0, 1, 375, 30};
  /// Operations and bytes per nanosecond.
  double peak, memory, cache;
};

} // namespace

void report::writeRoofline(const ProfileReport &report,
                           llvm::raw_ostream &out) {
  Roofline(report, out).write();
}
