//===- NumberFacts.cpp - facts about numbers, with their trail ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberFacts.h"

using namespace broadloom;
using namespace broadloom::infer;

const FormFact *NumberFacts::findForm(const Number &form) const {
  auto it = forms.find(form);
  return it == forms.end() ? nullptr : &it->second;
}

llvm::ArrayRef<const NumberFacts::Forms::value_type *>
NumberFacts::getForms(AtomId atom) const {
  auto it = formsOf.find(atom);
  if (it == formsOf.end())
    return {};
  return it->second;
}

void NumberFacts::setForm(const Number &form, FormFact known) {
  forgetFound();
  auto [it, isNew] = forms.try_emplace(form);
  Change change;
  change.form = &it->first;
  if (!isNew)
    change.before = std::move(it->second);
  trail.push_back(std::move(change));
  it->second = std::move(known);
  if (!isNew || form.terms.size() < 2)
    return;
  for (const Term &term : form.terms)
    for (AtomId atom : term.atoms)
      formsOf[atom].push_back(&*it);
}

const std::pair<Truth, int32_t> *
NumberFacts::findTruth(ConditionId condition) const {
  auto it = truths.find(condition);
  return it == truths.end() ? nullptr : &it->second;
}

void NumberFacts::setTruth(ConditionId condition, Truth truth, int32_t fact) {
  if (truths.try_emplace(condition, truth, fact).second)
    trail.push_back({nullptr, std::nullopt, condition});
}

void NumberFacts::rollBack(size_t mark) {
  if (trail.size() > mark)
    forgetFound();
  for (; trail.size() > mark; trail.pop_back()) {
    Change &change = trail.back();
    if (!change.form) {
      truths.erase(change.condition);
      continue;
    }
    auto it = forms.find(*change.form);
    if (change.before) {
      it->second = std::move(*change.before);
      continue;
    }
    if (it->first.terms.size() >= 2)
      for (const Term &term : it->first.terms)
        for (AtomId atom : term.atoms)
          formsOf[atom].pop_back();
    forms.erase(it);
  }
}

void NumberFacts::forgetFound() const {
  found.bounds.clear();
  found.wide.clear();
}

void NumberFacts::updateFound(Version version) const {
  if (foundVersion != version)
    forgetFound();
  foundVersion = version;
}
