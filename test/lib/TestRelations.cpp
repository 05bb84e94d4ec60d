//===- TestRelations.cpp - questions about relations ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with an attribute such as `test.compose = [#loom.relation<"...">,
// #loom.relation<"...">]` asks a question; the answer is a remark.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "poly/RelationAlgebra.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"
#include "test/lib/TestDialect.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace broadloom;

namespace {

using Relations = SmallVector<poly::Relation>;

std::string describe(const poly::RelationResult &result) {
  return result.relation
             ? poly::print(*result.relation)
             : std::string("unknown: ") + poly::describe(result.limit);
}

/// With a point that refutes.
std::string describe(const poly::RelationAnswer &answer) {
  std::string text = truthName(answer.truth);
  if (answer.truth == Truth::Unknown)
    return text + ": " + poly::describe(answer.limit);
  if (answer.point) {
    llvm::raw_string_ostream out(text);
    out << " at ";
    llvm::interleaveComma(*answer.point, out);
  }
  return text;
}

std::string describe(std::optional<int64_t> count) {
  return count ? std::to_string(*count) : "unknown";
}

std::optional<std::string> askOne(StringRef question, const poly::Relation &a,
                                  Operation *op) {
  if (question == "print")
    return poly::print(a);
  if (question == "inverse")
    return describe(poly::inverse(a));
  if (question == "domain")
    return describe(poly::domain(a));
  if (question == "range")
    return describe(poly::range(a));
  if (question == "minimum")
    return describe(poly::lexicographicMinimum(a));
  if (question == "maximum")
    return describe(poly::lexicographicMaximum(a));
  if (question == "is_empty")
    return describe(poly::isEmpty(a));
  if (question == "project_out") {
    auto name = op->getAttrOfType<StringAttr>("test.name");
    return describe(poly::projectOut(a, {name ? name.str() : ""}));
  }
  if (question == "count") {
    auto values = op->getAttrOfType<DenseI64ArrayAttr>("test.values");
    ArrayRef<int64_t> all = values ? values.asArrayRef() : ArrayRef<int64_t>();
    size_t inputs = std::min(a.getSignature().inputs.size(), all.size());
    return describe(poly::countOutputs(a, all.take_front(inputs).vec(),
                                       all.drop_front(inputs).vec()));
  }
  return std::nullopt;
}

std::optional<std::string> askTwo(StringRef question, const poly::Relation &a,
                                  const poly::Relation &b) {
  if (question == "compose")
    return describe(poly::compose(a, b));
  if (question == "apply")
    return describe(poly::apply(a, b));
  if (question == "union")
    return describe(poly::unite(a, b));
  if (question == "intersect")
    return describe(poly::intersect(a, b));
  if (question == "subtract")
    return describe(poly::subtract(a, b));
  if (question == "is_subset")
    return describe(poly::isSubset(a, b));
  if (question == "is_equal")
    return describe(poly::isEqual(a, b));
  return std::nullopt;
}

struct TestRelations : public PassWrapper<TestRelations, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestRelations)

  StringRef getArgument() const final { return "test-relations"; }
  StringRef getDescription() const final {
    return "answer questions about relations by remarks";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<loom::LoomDialect>();
  }

  void runOnOperation() final {
    getOperation()->walk([&](Operation *op) {
      for (NamedAttribute attribute : op->getDiscardableAttrs())
        ask(op, attribute);
    });
  }

  static void ask(Operation *op, NamedAttribute attribute) {
    auto array = dyn_cast<ArrayAttr>(attribute.getValue());
    StringRef question = attribute.getName().getValue();
    if (!array || !question.consume_front("test."))
      return;
    Relations relations;
    for (Attribute element : array)
      if (auto relation = dyn_cast<loom::RelationAttr>(element))
        relations.push_back(relation.getRelation());
    std::optional<std::string> answer;
    if (relations.size() == 1)
      answer = askOne(question, relations[0], op);
    if (relations.size() == 2)
      answer = askTwo(question, relations[0], relations[1]);
    if (answer)
      op->emitRemark() << *answer;
    else
      op->emitError() << "no question is test." << question << " with "
                      << relations.size() << " relations";
  }
};

} // namespace

void broadloom::test::registerTestRelations() {
  PassRegistration<TestRelations>();
}
