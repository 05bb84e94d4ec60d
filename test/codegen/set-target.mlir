// RUN: broadloom-opt %s "--loom-set-target=target=aarch64-linux-gnu cpu=cortex-a76" | FileCheck %s --check-prefix=NAMED
// NAMED: module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu", loom.target = {cpu = "cortex-a76", triple = "aarch64-unknown-linux-gnu"}}
// Of this machine nothing is said.
// RUN: broadloom-opt %s --loom-set-target | FileCheck %s --check-prefix=HOST
// HOST: module {
// RUN: not broadloom-opt %s --loom-set-target=cpu=abacus 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: there is no processor abacus for
module {}
