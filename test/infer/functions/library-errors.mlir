// RUN: broadloom-opt %s --loom-verify-shape-library -split-input-file -verify-diagnostics

// What upstream accepts and no library may have: sf-1, abi-3.

shape.function_library @good {
  shape.func @same(%a: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %t = loom.element_type %a
    shape.return %s, %t : !shape.shape, !loom.element_type
  }
} mapping {
  any.op = @same
}

// -----

// expected-error @+1 {{there is nothing in it for a shape library: no 'shape.function_library', no 'irdl.dialect', and no function with 'loom.implements'}}
module {
}

// -----

// expected-error @+1 {{'any.op' is mapped to @nothing, but there is no such function}}
shape.function_library @missing {
  shape.func @same(%a: !shape.value_shape) -> !shape.shape {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    shape.return %s : !shape.shape
  }
} mapping {
  any.op = @nothing
}

// -----

// expected-error @+1 {{'any.op' is mapped to 1 : i64, which is no function of this library}}
shape.function_library @no_symbol {
  shape.func @f() {
    shape.return
  }
} mapping {
  any.op = 1
}

// -----

shape.function_library @no_function {
  // expected-error @+1 {{a shape library has only 'shape.func', but here is 'builtin.module'}}
  builtin.module @f {
  }
} mapping {
  any.op = @f
}

// -----

shape.function_library @results_of_registered {
  // expected-error @+1 {{shape function '@two' of 'tosa.add' gives 2 results but the operation has 1}}
  shape.func @two(%a: !shape.value_shape, %b: !shape.value_shape) -> (!shape.shape, !shape.shape) {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    shape.return %s, %s : !shape.shape, !shape.shape
  }
} mapping {
  tosa.add = @two
}

// -----

shape.function_library @returns_too_few {
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    // expected-error @+1 {{shape function '@f' has 1 results but returns 0}}
    shape.return
  }
} mapping {
  any.op = @f
}

// -----

shape.function_library @returns_another_type {
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    %n = index.constant 1
    // expected-error @+1 {{result 0 of shape function '@f' is of type '!shape.shape' but 'index' is returned}}
    shape.return %n : index
  }
} mapping {
  any.op = @f
}

// -----

shape.function_library @recursive {
  shape.func @f(%n: index) -> index {
    %r = loom.apply @g(%n)
    shape.return %r : index
  }
  shape.func @g(%n: index) -> index {
    // expected-error @+1 {{shape functions must not call themselves, but this calls '@f', which leads here again}}
    %r = loom.apply @f(%n)
    shape.return %r : index
  }
} mapping {
}

// -----

shape.function_library @missing_callee {
  shape.func @f(%n: index) -> index {
    // expected-error @+1 {{there is no shape function @nothing}}
    %r = loom.apply @nothing(%n)
    shape.return %r : index
  }
} mapping {
}

// -----

shape.function_library @missing_library {
  shape.func @f(%n: index) -> index {
    // expected-error @+1 {{there is no shape library '@elsewhere' before this one}}
    %r = loom.apply @elsewhere::@g(%n)
    shape.return %r : index
  }
} mapping {
}

// -----

shape.function_library @wrong_call {
  shape.func @g(%n: index, %m: index) -> index {
    shape.return %n : index
  }
  shape.func @f(%n: index) -> index {
    // expected-error @+1 {{calls @g as '(index) -> index' but it is '(index, index) -> index'}}
    %r = loom.apply @g(%n)
    shape.return %r : index
  }
} mapping {
}

// -----

// Purity: only what the interpreter knows. sf-2
shape.function_library @impure {
  shape.func @f(%s: !shape.shape) -> !shape.shape {
    // expected-error @+1 {{a shape function cannot have 'shape.debug_print'}}
    %t = "shape.debug_print"(%s) : (!shape.shape) -> !shape.shape
    shape.return %t : !shape.shape
  }
} mapping {
}

// -----

shape.function_library @no_end {
  shape.func @f(%n: index) -> index {
    // expected-error @+1 {{a shape function cannot have 'scf.while'}}
    %r = scf.while (%i = %n) : (index) -> index {
      %true = index.bool.constant true
      scf.condition(%true) %i : index
    } do {
    ^bb0(%i: index):
      scf.yield %i : index
    }
    shape.return %r : index
  }
} mapping {
}

// -----

shape.function_library @declared {
  // expected-error @+1 {{shape function '@f' has no body}}
  shape.func private @f(!shape.value_shape) -> !shape.shape
} mapping {
}

// -----

shape.function_library @parameter {
  // expected-error @+1 {{shape function '@f' of 'any.op' has a parameter of type 'index'}}
  shape.func @f(%n: index) -> !shape.shape {
    %s = shape.from_extents %n : index
    shape.return %s : !shape.shape
  }
} mapping {
  any.op = @f
}

// -----

// Each component of a result may be given alone. sf-10
shape.function_library @type_alone {
  shape.func @f(%a: !shape.value_shape) -> !loom.element_type {
    %t = loom.element_type %a
    shape.return %t : !loom.element_type
  }
} mapping {
  any.op = @f
}

// -----

shape.function_library @no_component {
  // expected-error @+1 {{shape function '@f' of 'any.op' gives a 'index'; results are !shape.shape, !loom.element_type and !loom.encoding}}
  shape.func @f(%a: !shape.value_shape) -> index {
    %n = index.constant 1
    shape.return %n : index
  }
} mapping {
  any.op = @f
}

// -----

// The second element type is that of a second result.
shape.function_library @components_of_registered {
  // expected-error @+1 {{shape function '@f' of 'tosa.abs' gives 2 results but the operation has 1}}
  shape.func @f(%a: !shape.value_shape) -> (!shape.shape, !loom.element_type, !loom.element_type) {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %t = loom.element_type %a
    shape.return %s, %t, %t : !shape.shape, !loom.element_type, !loom.element_type
  }
} mapping {
  tosa.abs = @f
}

// -----

shape.function_library @message {
  shape.func @f(%n: index, %c: i1) -> index {
    // expected-error @+1 {{message has {1} but there are 1 values}}
    loom.constraint %c, "extent {0} is not {1}"(%n)
    shape.return %n : index
  }
} mapping {
}

// -----

shape.function_library @unused_value {
  shape.func @f(%n: index, %c: i1) -> index {
    // expected-error @+1 {{value 0 is not in the message; write {0} where it belongs}}
    loom.constraint %c, "wrong"(%n)
    shape.return %n : index
  }
} mapping {
}

// -----

shape.function_library @no_message {
  shape.func @f(%n: index, %c: i1) -> index {
    // expected-error @+1 {{has no message; say what the user did wrong}}
    loom.constraint %c, ""
    shape.return %n : index
  }
} mapping {
}

// -----

shape.function_library @blocks {
  // expected-error @+1 {{shape function '@f' has more than one block; use 'scf.if' and 'scf.for'}}
  shape.func @f(%n: index) -> index {
    cf.br ^bb1
  ^bb1:
    shape.return %n : index
  }
} mapping {
}

// -----

// expected-error @+1 {{'tosa.ad' is mapped, but dialect 'tosa' has no such operation}}
shape.function_library @unknown_operation {
  shape.func @f(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    shape.return %s : !shape.shape
  }
} mapping {
  tosa.ad = @f
}

// -----

shape.function_library @calls_itself {
  shape.func @f(%n: index) -> index {
    // expected-error @+1 {{shape functions must not call themselves, but this calls '@f', which leads here again}}
    %r = loom.apply @f(%n)
    shape.return %r : index
  }
} mapping {
}

// -----

// No operation with an effect is allowed here, whatever its dialect. S-13
shape.function_library @memory {
  shape.func @f(%n: index) -> index {
    // expected-error @+1 {{a shape function cannot have 'memref.alloc'}}
    %m = memref.alloc(%n) : memref<?xindex>
    shape.return %n : index
  }
} mapping {
}

// -----

shape.function_library @assertion {
  shape.func @f(%c: i1) {
    // expected-error @+1 {{a shape function cannot have 'cf.assert'}}
    cf.assert %c, "never"
    shape.return
  }
} mapping {
}

// -----

shape.function_library @blocks {
  // expected-error @+1 {{shape function '@f' has more than one block; use 'scf.if' and 'scf.for'}}
  shape.func @f(%n: index) -> index {
    cf.br ^next
  ^next:
    shape.return %n : index
  }
} mapping {
}

// -----

shape.function_library @values {
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    // expected-error @+1 {{a value of a shape function cannot be of type 'f32'}}
    %x = arith.constant 1.0 : f32
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    shape.return %s : !shape.shape
  }
} mapping {
}

// -----

shape.function_library @behind_a_list {
  // expected-error @+1 {{shape function '@f' of 'any.op' gives a result behind a list of any number}}
  shape.func @f(%a: tensor<?x!shape.value_shape>, %b: !shape.value_shape) -> (tensor<?x!shape.value_shape>, !shape.value_shape) {
    shape.return %a, %b : tensor<?x!shape.value_shape>, !shape.value_shape
  }
} mapping {
  any.op = @f
}

// -----

shape.function_library @empty_message {
  shape.func @f(%c: i1) {
    // expected-error @+1 {{has no message; say what the user did wrong}}
    loom.constraint %c, ""
    shape.return
  }
} mapping {
}

// -----

shape.function_library @unsigned_loop {
  shape.func @f(%n: index) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{a loop in a shape function counts mathematical integers; leave out 'unsigned'}}
    %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%k = %c0) -> index {
      scf.yield %i : index
    }
    shape.return %r : index
  }
} mapping {
}
