// RUN: broadloom-opt %s --loom-bufferize -o %t.1 && FileCheck %s < %t.1
// RUN: broadloom-opt %s --loom-bufferize -o %t.2 && cmp %t.1 %t.2
// RUN: broadloom-opt %s --loom-bufferize -o %t.2 && cmp %t.1 %t.2
// RUN: broadloom-opt %s --loom-bufferize -o %t.2 && cmp %t.1 %t.2
// RUN: broadloom-opt %s --loom-bufferize -o %t.2 && cmp %t.1 %t.2

// Two functions that call each other. Their order does not depend on addresses,
// which differ from run to run. Whichever is bufferized first, the types
// of calls are those of the functions.
// CHECK: func.func @main(%[[A:.*]]: memref<?xf32, strided<[?], offset: ?>>) -> [[MAIN:memref<.*>]] {
// CHECK: call @f({{.*}}) : ({{.*}}) -> [[F:memref<.*>]]
// CHECK: func.func private @f({{.*}}) -> [[F]] {
// CHECK: call @main({{.*}}) : ({{.*}}) -> [[MAIN]]
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = func.call @main(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
