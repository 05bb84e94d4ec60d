// RUN: broadloom run %s --function=yields --input="2xf32=-1 2" --input=i1=1 | FileCheck %s --check-prefix=YIELDS
// RUN: broadloom run %s --function=yields --input="2xf32=-1 2" --input=i1=0 | FileCheck %s --check-prefix=KEEPS
// RUN: broadloom run %s --function=yields_in_loop --input="2xf32=-1 2" --input=i64=2 | FileCheck %s --check-prefix=LOOP
// RUN: broadloom run %s --function=calls --input="2xf32=-1 2" --input=i1=0 | FileCheck %s --check-prefix=KEEPS
// RUN: broadloom run %s --function=spins --input="2xf32=-1 2" --input=3xf32=1 --input=i1=0 | FileCheck %s --check-prefix=KEEPS
// RUN: broadloom run %s --function=spins --strategy=rfc --input="2xf32=-1 2" --input=3xf32=1 --input=i1=0 | FileCheck %s --check-prefix=KEEPS
// RUN: broadloom run %s --function=unreached --input="2xf32=-1 2" --input=i1=1 | FileCheck %s --check-prefix=KEEPS
// RUN: broadloom run %s --function=unreached_loop --input="2xf32=-1 2" | FileCheck %s --check-prefix=KEEPS
// RUN: broadloom check %s --function=unreached | FileCheck %s --check-prefix=CHECK

// YIELDS: [1. 2.]
// KEEPS: [-1.  2.]
// LOOP: [1. 2. 1. 2. 1. 2. 1. 2.]
// Blocks that nothing reaches ask for nothing.
// CHECK: 0 constraints

func.func @yields(%a: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  %r = scf.execute_region -> tensor<?xf32> {
    cf.cond_br %k, ^first, ^second
  ^first:
    %s = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  ^second:
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @yields_in_loop(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %first = arith.cmpi eq, %i, %c0 : index
    %e = scf.execute_region -> tensor<?xf32> {
      cf.cond_br %first, ^first, ^second
    ^first:
      %s = tosa.abs %x : (tensor<?xf32>) -> tensor<?xf32>
      scf.yield %s : tensor<?xf32>
    ^second:
      scf.yield %x : tensor<?xf32>
    }
    %twice = tosa.concat %e, %e {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %twice : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func private @never(%a: tensor<?xf32>, %u: tensor<*xf32>) -> (tensor<?xf32>, tensor<*xf32>, i32) {
  cf.br ^again
^again:
  cf.br ^again
}

func.func @calls(%a: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  cf.cond_br %k, ^first, ^second
^first:
  %u = tensor.cast %a : tensor<?xf32> to tensor<*xf32>
  %r:3 = call @never(%a, %u) : (tensor<?xf32>, tensor<*xf32>) -> (tensor<?xf32>, tensor<*xf32>, i32)
  return %r#0 : tensor<?xf32>
^second:
  return %a : tensor<?xf32>
}

func.func @spins(%a: tensor<?xf32>, %u: tensor<*xf32>, %k: i1) -> (tensor<?xf32>, tensor<*xf32>, f32) {
  cf.cond_br %k, ^first, ^second
^first:
  %r:3 = scf.execute_region -> (tensor<?xf32>, tensor<*xf32>, f32) {
    cf.br ^again
  ^again:
    cf.br ^again
  }
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<*xf32>, f32
^second:
  %two = arith.constant 2.0 : f32
  return %a, %u, %two : tensor<?xf32>, tensor<*xf32>, f32
}

func.func @unreached(%a: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  cf.cond_br %k, ^end(%a : tensor<?xf32>), ^end(%a : tensor<?xf32>)
^nobody(%b: tensor<?xf32>):
  %c = tosa.add %b, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  cf.br ^end(%c : tensor<?xf32>)
^end(%d: tensor<?xf32>):
  return %d : tensor<?xf32>
}

func.func @unreached_loop(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
^nobody(%b: tensor<?xf32>):
  %c = tosa.add %b, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  cf.br ^nobody(%c : tensor<?xf32>)
}
