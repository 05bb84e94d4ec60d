//===- ShapeTable.cpp - constructions of shapes ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeTable.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// A broadcast of more unranked leaves than this is not flattened: sets of
/// leaves would make a long chain quadratic.
static constexpr size_t kMaxLeaves = 64;

NodeId ShapeTable::addValue(Value value) {
  nodes.push_back({value, {}});
  return nodes.size() - 1;
}

void ShapeTable::replace(NodeId node, Value from, Value to) {
  if (nodes[node].value == from)
    nodes[node].value = to;
}

NodeId ShapeTable::getBroadcast(ArrayRef<ShapeInfo> operands) {
  std::vector<NodeId> key;
  for (const ShapeInfo &operand : operands)
    // A scalar does not change a broadcast. The last operand stays, so that
    // there is one.
    if (!operand.shape.isRanked() || operand.shape.rank() > 0 ||
        (key.empty() && &operand == &operands.back()))
      key.push_back(operand.node);
  llvm::sort(key);
  key.erase(std::unique(key.begin(), key.end()), key.end());
  if (key.size() == 1)
    return key.front();
  auto [it, isNew] = broadcasts.try_emplace(key, nodes.size());
  if (isNew)
    nodes.push_back({Value(), SmallVector<NodeId, 2>(key.begin(), key.end())});
  return it->second;
}

std::vector<NodeId> ShapeTable::getLeaves(ArrayRef<NodeId> roots) const {
  std::vector<NodeId> work(roots.begin(), roots.end());
  std::set<NodeId> leaves;
  for (size_t i = 0; i < work.size(); ++i) {
    if (i >= kMaxLeaves) {
      leaves.clear();
      leaves.insert(roots.begin(), roots.end());
      break;
    }
    const ShapeNode &node = nodes[work[i]];
    if (node.value)
      leaves.insert(work[i]);
    else
      work.insert(work.end(), node.operands.begin(), node.operands.end());
  }
  return {leaves.begin(), leaves.end()};
}
