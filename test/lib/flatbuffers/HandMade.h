//===- HandMade.h - TOSA files that no writer makes -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_FLATBUFFERS_HANDMADE_H
#define BROADLOOM_TEST_LIB_FLATBUFFERS_HANDMADE_H

#include "read/flatbuffers/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace broadloom {

/// A file as no writer makes it, table by table.
class HandMade {
public:
  using Offset = flatbuffers::Offset<void>;
  using Offsets = std::vector<Offset>;
  using Texts = std::vector<flatbuffers::Offset<read::Text>>;

  auto text(const std::string &contents) {
    return builder.CreateString(contents);
  }
  template <typename Fill> Offset table(Fill fill) {
    auto start = builder.StartTable();
    fill();
    return Offset(builder.EndTable(start));
  }
  template <typename T> void set(unsigned index, flatbuffers::Offset<T> value) {
    builder.AddOffset(read::slot(index), value);
  }
  template <typename T> void number(unsigned index, T value) {
    builder.AddElement<T>(read::slot(index), value, T(0));
  }
  Offset tensor(const std::string &name, std::vector<int32_t> extents,
                read::DType type, uint64_t offset, uint64_t size) {
    auto nameText = text(name);
    auto shape = builder.CreateVector(extents);
    return table([&] {
      set(0, nameText);
      set(1, shape);
      number<uint32_t>(2, uint32_t(type));
      number<uint64_t>(7, offset);
      number<uint64_t>(8, size);
    });
  }
  Offset op(llvm::StringRef name, const Texts &inputs, const Texts &outputs,
            Offset attribute) {
    auto inputList = builder.CreateVector(inputs);
    auto outputList = builder.CreateVector(outputs);
    auto forms = read::getOperationForms();
    uint32_t kind = llvm::find_if(forms,
                                  [&](const read::OperationForm &form) {
                                    return form.name && name == form.name;
                                  }) -
                    forms.begin();
    return table([&] {
      number<uint32_t>(0, kind);
      number<uint8_t>(1, uint8_t(kind));
      if (!attribute.IsNull())
        set(2, attribute);
      set(3, inputList);
      set(4, outputList);
    });
  }
  void region(const std::string &name, const Offsets &operators,
              const Offsets &tensors, const Texts &inputs,
              const Texts &outputs) {
    auto nameText = text(name);
    auto operatorList = builder.CreateVector(operators);
    auto tensorList = builder.CreateVector(tensors);
    auto inputList = builder.CreateVector(inputs);
    auto outputList = builder.CreateVector(outputs);
    Offset block = table([&] {
      set(0, nameText);
      set(1, operatorList);
      set(2, tensorList);
      set(3, inputList);
      set(4, outputList);
    });
    auto blocks = builder.CreateVector(&block, 1);
    regions.push_back(table([&] {
      set(0, nameText);
      set(1, blocks);
    }));
  }
  std::string finish() {
    auto all = builder.CreateVector(regions);
    // The minor version 0 is written, too.
    builder.ForceDefaults(true);
    Offset version = table([&] {
      number<int32_t>(0, 1);
      number<int32_t>(1, 0);
    });
    Offset root = table([&] {
      set(0, version);
      set(1, all);
    });
    builder.Finish(root, "TOSA");
    return std::string(
        reinterpret_cast<const char *>(builder.GetBufferPointer()),
        builder.GetSize());
  }

private:
  flatbuffers::FlatBufferBuilder builder;
  Offsets regions;
};

} // namespace broadloom

#endif // BROADLOOM_TEST_LIB_FLATBUFFERS_HANDMADE_H
