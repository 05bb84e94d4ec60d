// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --loom-lift-state -split-input-file -verify-diagnostics

tosa.variable @x = dense<1.0> : tensor<2xf32>
func.func @main() -> tensor<2xf32> {
  // expected-error@+1 {{reads the variable 'y', which the program does not declare}}
  %0 = tosa.variable_read @y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-note@+1 {{declared here}}
tosa.variable @x = dense<1.0> : tensor<2xf32>
func.func @main(%a: tensor<3xf32>) {
  // expected-error@+1 {{writes the variable 'x' as 'tensor<3xf32>', but it is declared as 'tensor<2xf32>'}}
  tosa.variable_write @x, %a : tensor<3xf32>
  return
}

// -----

// expected-error@+1 {{is declared as 'tensor<2xf32>', which its initial value is not}}
"tosa.variable"() <{sym_name = "x", var_shape = dense<2> : tensor<1xindex>, type = f32, initial_value = dense<1> : tensor<2xi32>}> : () -> ()

// -----

// expected-error@+1 {{of type 'tensor<?xf32>' has no initial value, which would say how large it is at first}}
tosa.variable @x : tensor<?xf32>

// -----

tosa.variable @x = dense<1.0> : tensor<2xf32>
// expected-error@+1 {{'main' uses variables and has several blocks; only structured control flow}}
func.func @main(%c: i1) -> tensor<2xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = tosa.variable_read @x : tensor<2xf32>
  return %0 : tensor<2xf32>
^b:
  %1 = tosa.variable_read @x : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

tosa.variable @x = dense<1.0> : tensor<2xf32>
func.func @main(%k: tensor<i32>, %p: tensor<i1>, %v: tensor<2xf32>) {
  // expected-error@+1 {{writes a variable in its condition; write it in its body}}
  %w = tosa.while_loop (%j = %k) : (tensor<i32>) -> tensor<i32> {
    tosa.variable_write @x, %v : tensor<2xf32>
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%j: tensor<i32>):
    tosa.yield %j : tensor<i32>
  }
  return
}

// -----

tosa.variable @x = dense<1.0> : tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{has variables in its regions; they can be used in functions, branches, loops and regions of one block only}}
  %0 = scf.execute_region -> tensor<2xf32> {
    cf.br ^next
  ^next:
    %1 = tosa.variable_read @x : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{'main' has the attribute 'loom.state', which does not describe its last arguments and results}}
func.func @main() attributes {loom.state = [{}]} {
  return
}

// -----

// expected-error@+1 {{which does not describe its last arguments and results}}
func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> attributes {loom.state = [{name = "x", written}]} {
  %0 = "tosa.const"() <{values = dense<1.0> : tensor<3xf32>}> : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
