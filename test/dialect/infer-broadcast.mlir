// RUN: broadloom-opt %s --test-infer-broadcast -verify-diagnostics -split-input-file
// RUN: not broadloom-opt %s --test-infer-broadcast -split-input-file 2>/dev/null | FileCheck %s

// Operations that are built from their operands alone (InferBroadcastType).

// CHECK-LABEL: @ranked
func.func @ranked(%a: tensor<?x1xf32>, %b: tensor<3xi32>, %c: tensor<0xf32>) {
  // CHECK: "test.infer_broadcast"(%{{.*}}, %{{.*}}) : (tensor<?x1xf32>, tensor<3xi32>) -> tensor<?x3xf32>
  // expected-remark@+1 {{inferred 'tensor<?x3xf32>'}}
  "test.operands"(%a, %b) : (tensor<?x1xf32>, tensor<3xi32>) -> ()
  // CHECK: "test.compare"(%{{.*}}, %{{.*}}) : (tensor<?x1xf32>, tensor<3xi32>) -> tensor<?x3xi1>
  // expected-remark@+1 {{inferred 'tensor<?x3xi1>'}}
  "test.operands"(%a, %b) {compare} : (tensor<?x1xf32>, tensor<3xi32>) -> ()
  // ext-3
  // expected-remark@+1 {{inferred 'tensor<?x0xf32>'}}
  "test.operands"(%a, %c) : (tensor<?x1xf32>, tensor<0xf32>) -> ()
  // bcast-4: one operand gives its own shape.
  // expected-remark@+1 {{inferred 'tensor<3xi32>'}}
  "test.operands"(%b) : (tensor<3xi32>) -> ()
  return
}

// -----

// bcast-6: no rank where an operand has none.
// CHECK-LABEL: @unranked
func.func @unranked(%a: tensor<2x3xf32>, %u: tensor<*xf32>) {
  // expected-remark@+1 {{inferred 'tensor<*xf32>'}}
  "test.operands"(%a, %u) : (tensor<2x3xf32>, tensor<*xf32>) -> ()
  // expected-remark@+1 {{inferred 'tensor<*xf32>'}}
  "test.operands"(%u) : (tensor<*xf32>) -> ()
  return
}

// -----

// ext-4
func.func @vectors(%a: vector<2x1xf32>, %b: vector<[4]xf32>, %c: vector<f32>) {
  // expected-remark@+1 {{inferred 'vector<2x[4]xf32>'}}
  "test.operands"(%a, %b) : (vector<2x1xf32>, vector<[4]xf32>) -> ()
  // expected-remark@+1 {{inferred 'vector<[4]xi1>'}}
  "test.operands"(%c, %b) {compare} : (vector<f32>, vector<[4]xf32>) -> ()
  return
}

// -----

// verify-1, also where another operand has no rank.
func.func @incompatible(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>, %u: tensor<*xf32>) {
  // expected-error@+1 {{operands are not broadcast-compatible along axis 1: extents 3 and 2 (operand shapes 4x3 and 4x2 of operands 1 and 2)}}
  "test.operands"(%u, %a, %b) : (tensor<*xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> ()
  return
}

// -----

// verify-6
func.func @no_operands() {
  // expected-error@+1 {{expected at least one operand}}
  "test.operands"() : () -> ()
  return
}

// -----

// verify-6
func.func @containers(%a: tensor<4xf32>, %b: vector<4xf32>) {
  // expected-error@+1 {{operand 0 and operand 1 are not both tensors or both vectors}}
  "test.operands"(%a, %b) : (tensor<4xf32>, vector<4xf32>) -> ()
  return
}

// -----

// verify-6
func.func @memrefs(%a: memref<4xf32>) {
  // expected-error@+1 {{operand 0 is neither a tensor nor a vector}}
  "test.operands"(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// What is written may be less precise than what is inferred, in shape; not of
// another element type.
func.func @written(%a: tensor<2xf32>) {
  %0 = "test.infer_broadcast"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32>
  %1 = "test.infer_broadcast"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  // expected-error@+2 {{'test.infer_broadcast' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xi32>'}}
  // expected-error@+1 {{'test.infer_broadcast' op failed to infer returned types}}
  %2 = "test.infer_broadcast"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}
