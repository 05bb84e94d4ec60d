// RUN: broadloom-opt %s --loom-normalize-blocks | FileCheck %s

// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
^never:
  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Yields become branches to one.
// CHECK-LABEL: func.func @yields
// CHECK: scf.execute_region -> tensor<?xf32>
// CHECK: cf.cond_br
// CHECK: cf.br ^[[END:.*]](%[[A:.*]] : tensor<?xf32>)
// CHECK: cf.br ^[[END]](%{{.*}} : tensor<?xf32>)
// CHECK: ^[[END]](%[[R:.*]]: tensor<?xf32>):
// CHECK-NEXT: scf.yield %[[R]]
func.func @yields(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  %r = scf.execute_region -> tensor<?xf32> {
    cf.cond_br %k, ^first, ^second
  ^first:
    scf.yield %a : tensor<?xf32>
  ^second:
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @no_cases
// CHECK-NEXT: cf.br ^[[ONLY:.*]](%{{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^[[ONLY]]
func.func @no_cases(%a: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  cf.switch %n : i32, [default: ^only(%a : tensor<?xf32>)]
^only(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
}

// What has one form stays.
// CHECK-LABEL: func.func @others
// CHECK: scf.execute_region
// CHECK-NEXT: scf.yield
// CHECK: cf.switch
// CHECK-NEXT: default: ^
// CHECK-NEXT: 3: ^
func.func @others(%a: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  %r = scf.execute_region -> tensor<?xf32> {
    scf.yield %a : tensor<?xf32>
  }
  cf.switch %n : i32, [default: ^one, 3: ^two]
^one:
  return %r : tensor<?xf32>
^two:
  return %a : tensor<?xf32>
}
