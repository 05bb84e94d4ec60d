//===- Abi.cpp - what generated code calls --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Abi.h"
#include "runtime/abi/ElementKind.h"

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Stack.h"
#include "runtime/calls/Tables.h"
#include "runtime/calls/TouchedBytes.h"
#include "runtime/memory/Space.h"
#include "runtime/memory/StridedCopy.h"
#include "shape/Formula.h"
#include "shape/FunctionProgram.h"
#include "shape/Message.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <vector>

using namespace broadloom;

namespace {

ExtentSpan spanOf(const BroadloomView &view) {
  return ExtentSpan{descriptorOf(view).dims, view.rank};
}

void countCopy(BroadloomCall *call, int64_t elementBytes,
               const BroadloomView &from, const BroadloomView &to) {
  if (call->profile())
    call->countTouched(touchedBytes(from, elementBytes) +
                       touchedBytes(to, elementBytes));
}

} // namespace

const int32_t BROADLOOM_ABI_SYMBOL = BROADLOOM_ABI_VERSION;

int32_t broadloomCheckArgument(BroadloomCall *call, int32_t index,
                               const BroadloomView *view, int64_t rank,
                               const int64_t *extents) {
  if (fits(*view, rank, extents))
    return BROADLOOM_OK;
  const int64_t *actual = descriptorOf(*view).dims;
  return call->fail(BROADLOOM_INVALID_ARGUMENT, [&] {
    return describeArgument(call->argumentText(index),
                            Shape::fromIntegers(actual, size_t(view->rank)),
                            Shape::fromIntegers(extents, size_t(rank)));
  });
}

int32_t broadloomAllocate(BroadloomCall *call, const char *place, int32_t slot,
                          const BroadloomView *into, int64_t elementBytes,
                          int64_t rank, const int64_t *extents,
                          BroadloomDescriptor *descriptor) {
  if (int32_t status = call->checkCancelled())
    return status;
  call->setPlace(place);
  if (int32_t status =
          call->makeMemory(*descriptor, {slot, into}, elementBytes, rank,
                           extents, countElements(extents, rank)))
    return status;
  call->setPlace(nullptr);
  return BROADLOOM_OK;
}

int32_t broadloomRetain(BroadloomCall *call,
                        const BroadloomDescriptor *descriptor) {
  call->temporaries().retain(descriptor->allocated);
  return BROADLOOM_OK;
}

int32_t broadloomRelease(BroadloomCall *call,
                         const BroadloomDescriptor *descriptor) {
  call->temporaries().release(descriptor->allocated);
  return BROADLOOM_OK;
}

int32_t broadloomContiguous(BroadloomCall *call, const char *place,
                            int64_t elementBytes, const BroadloomView *view,
                            BroadloomDescriptor *out) {
  const BroadloomDescriptor &from = descriptorOf(*view);
  int64_t rank = view->rank;
  const int64_t *strides = from.dims + rank;
  char *data = elementsOf(*view, elementBytes);
  if (isOneRun(*view, elementBytes)) {
    describeRowMajor(*out, from.allocated, data, from.dims, rank);
    return broadloomRetain(call, out);
  }
  if (int32_t status = broadloomAllocate(call, place, -1, nullptr, elementBytes,
                                         rank, from.dims, out))
    return status;
  bool copied =
      copyStrided(call->arena(), call->threads(), from.dims, rank, elementBytes,
                  {static_cast<char *>(out->aligned), out->dims + rank},
                  {data, strides}, call->cancellation());
  countCopy(call, elementBytes, *view, BroadloomView{rank, out});
  if (copied)
    return call->checkCancelled();
  call->setPlace(place);
  return call->failMemory(from.dims, rank, elementBytes);
}

int32_t broadloomKeepView(BroadloomCall *call, BroadloomView *view) {
  return call->keepDescriptor(*view);
}

int32_t broadloomCopy(BroadloomCall *call, const char *place,
                      int64_t elementBytes, const BroadloomView *from,
                      const BroadloomView *to) {
  if (isSamePlace(*from, *to, elementBytes))
    return BROADLOOM_OK;
  const BroadloomDescriptor &source = descriptorOf(*from);
  auto side = [&](const BroadloomView &view) {
    return CopySide{elementsOf(view, elementBytes),
                    descriptorOf(view).dims + from->rank};
  };
  bool copied =
      copyStrided(call->arena(), call->threads(), source.dims, from->rank,
                  elementBytes, side(*to), side(*from), call->cancellation());
  countCopy(call, elementBytes, *from, *to);
  if (copied)
    return call->checkCancelled();
  call->setPlace(place);
  return call->failMemory(source.dims, from->rank, elementBytes);
}

int32_t broadloomReturn(BroadloomCall *call, int32_t index,
                        int64_t elementBytes, const BroadloomView *view) {
  return call->returnResult(index, elementBytes, *view);
}

int32_t broadloomFail(BroadloomCall *call, const BroadloomGuardSite *site,
                      const int64_t *values) {
  return call->fail(
      BROADLOOM_GUARD_FAILED,
      [&] {
        return substitute(site->message, values, size_t(site->numValues));
      },
      site, values, site->numValues, site->axis);
}

int32_t broadloomFailShapes(BroadloomCall *call, const BroadloomGuardSite *site,
                            const int64_t *values, const char *kinds) {
  auto viewAt = [&](size_t k) -> const BroadloomView * {
    return kinds[k] == BROADLOOM_VALUE_SHAPE
               ? reinterpret_cast<const BroadloomView *>(values[k])
               : nullptr;
  };
  size_t count = size_t(site->numValues);
  Tables memory;
  auto *numbers = reinterpret_cast<int64_t *>(
      memory.allocate(int64_t(sizeof(int64_t) * count)));
  if (!numbers)
    return call->fail(BROADLOOM_GUARD_FAILED, "out of memory");
  for (size_t k = 0; k < count; ++k) {
    const BroadloomView *view = viewAt(k);
    numbers[k] = view ? view->rank : values[k];
  }
  auto spell = [&](size_t k) {
    const BroadloomView *view = viewAt(k);
    return view ? formatExtents(descriptorOf(*view).dims, view->rank)
                : std::to_string(numbers[k]);
  };
  return call->fail(
      BROADLOOM_GUARD_FAILED,
      [&] { return substitute(site->message, count, spell); }, site, numbers,
      site->numValues, site->axis);
}

int32_t broadloomPoll(BroadloomCall *call) { return call->checkCancelled(); }

int32_t broadloomCheckStack(BroadloomCall *call,
                            const BroadloomGuardSite *site) {
  if (int32_t status = call->checkCancelled())
    return status;
  return hasStackLeft() ? BROADLOOM_OK : broadloomFail(call, site, nullptr);
}

/// Empty if `text` has no such line.
static std::string_view getLine(std::string_view text, int32_t line) {
  for (; line > 0; --line) {
    size_t end = text.find('\n');
    if (end == text.npos)
      return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

int32_t broadloomCheckBroadcast(BroadloomCall *call,
                                const BroadloomGuardSite *site,
                                int32_t numShapes,
                                const BroadloomView *shapes) {
  auto spanAt = [&](size_t i) { return spanOf(shapes[i]); };
  Conflict conflict;
  if (broadcastSpans(size_t(numShapes), spanAt, nullptr, &conflict))
    return BROADLOOM_OK;
  auto origin = [&](int32_t operand, int32_t axis) {
    std::string_view owner = getLine(site->message, operand);
    return owner.empty() ? std::string() : ofAxis(axis, std::string(owner));
  };
  int64_t met[] = {conflict.firstExtent, conflict.secondExtent};
  return call->fail(
      BROADLOOM_GUARD_FAILED,
      [&] {
        std::vector<ExtentSpan> spans;
        for (int32_t i = 0; i < numShapes; ++i)
          spans.push_back(spanOf(shapes[i]));
        return describe(conflict, spans.data(), spans.size(), origin);
      },
      site, met, 2, int32_t(conflict.axis));
}

/// Calls `visit` with the address of each element, in row-major order, until it
/// returns false.
template <typename Visit>
static void forEachElement(const BroadloomView &view, int64_t bytes,
                           Visit visit) {
  const BroadloomDescriptor &descriptor = descriptorOf(view);
  const int64_t *extents = descriptor.dims, *strides = extents + view.rank;
  if (std::find(extents, extents + view.rank, 0) != extents + view.rank)
    return;
  int64_t index[BROADLOOM_MAX_RANK] = {};
  const char *address =
      static_cast<const char *>(descriptor.aligned) + descriptor.offset * bytes;
  while (visit(address)) {
    int64_t axis = view.rank - 1;
    for (; axis >= 0; --axis) {
      address += strides[axis] * bytes;
      if (++index[axis] < extents[axis])
        break;
      address -= extents[axis] * strides[axis] * bytes;
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

int32_t broadloomAny(const BroadloomView *flags) {
  bool any = false;
  forEachElement(*flags, 1, [&](const char *flag) {
    any = *flag != 0;
    return !any;
  });
  return any;
}

/// The elements of a tensor as numbers; nothing if there are too many.
static std::optional<std::vector<int64_t>>
readElements(const BroadloomView &view, abi::ElementKind kind) {
  constexpr size_t maxElements = 4096;
  int64_t bytes = abi::getElementBytes(kind);
  std::vector<int64_t> elements;
  forEachElement(view, bytes, [&](const char *address) {
    int64_t element = 0;
    std::memcpy(&element, address, size_t(bytes));
    int64_t shift = 64 - 8 * bytes;
    elements.push_back(kind == abi::ElementKind::Bool
                           ? element != 0
                           : int64_t(uint64_t(element) << shift) >> shift);
    return elements.size() <= maxElements;
  });
  if (elements.size() > maxElements)
    return std::nullopt;
  return elements;
}

int32_t broadloomCheckFunction(BroadloomCall *call,
                               const BroadloomGuardSite *site,
                               const int64_t *program, const int64_t *texts,
                               int32_t numInputs, const BroadloomView *inputs,
                               const char *kinds, int32_t isStrict) {
  try {
    std::vector<FunctionInput> given;
    for (int32_t i = 0; i < numInputs; ++i) {
      ExtentSpan shape = spanOf(inputs[i]);
      FunctionInput &input = given.emplace_back();
      input.extents.assign(shape.extents, shape.extents + shape.rank);
      auto kind = abi::ElementKind(kinds[i]);
      if (kind != abi::ElementKind::None)
        input.elements = readElements(inputs[i], kind);
    }
    FunctionVerdict verdict = runFunction(program, texts, given);
    if (verdict.isRefuted)
      return call->fail(
          BROADLOOM_GUARD_FAILED,
          [&] { return verdict.message + verdict.operands; }, site, nullptr, 0,
          -1);
    if (!isStrict || !verdict.isOpen)
      return BROADLOOM_OK;
    std::string text = "what its shape function requires cannot be decided";
    if (!verdict.message.empty())
      text += ": never \"" + verdict.message + "\"";
    text += verdict.operands;
    return call->fail(
        BROADLOOM_GUARD_FAILED, [&] { return std::move(text); }, site, nullptr,
        0, -1);
  } catch (const std::exception &) {
    return call->failMemory();
  }
}

int32_t broadloomBroadcastShape(BroadloomCall *call, int32_t numShapes,
                                const BroadloomView *shapes,
                                BroadloomView *result) {
  auto spanAt = [&](size_t i) { return spanOf(shapes[i]); };
  int64_t rank = broadcastRank(size_t(numShapes), spanAt);
  Arena::Mark mark = call->arena().mark();
  auto *descriptor = static_cast<BroadloomDescriptor *>(
      call->arena().allocate(descriptorBytes(rank)));
  if (!descriptor)
    return call->failMemory();
  *descriptor = BroadloomDescriptor{nullptr, nullptr, 0};
  std::fill(descriptor->dims + rank, descriptor->dims + 2 * rank, 0);
  // A guard reports incompatible extents; here they give some extents.
  (void)broadcastSpans(size_t(numShapes), spanAt, descriptor->dims);
  *result = BroadloomView{rank, descriptor};
  int32_t status = call->keepDescriptor(*result);
  call->arena().rewind(mark);
  return status;
}

int32_t broadloomStoreShape(BroadloomCall *call, const BroadloomView *shape,
                            BroadloomShape *result) {
  if (shape->rank > BROADLOOM_MAX_RANK)
    return call->fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "a result would have " + std::to_string(shape->rank) +
             " axes; at most " + std::to_string(BROADLOOM_MAX_RANK) +
             " are possible";
    });
  result->rank = int32_t(shape->rank);
  result->inexact = 0;
  const int64_t *extents = descriptorOf(*shape).dims;
  std::copy(extents, extents + shape->rank, result->extents);
  return BROADLOOM_OK;
}
