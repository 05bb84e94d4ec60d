// A program's words are looked at before anything evaluates them (abi-3).
// RUN: broadloom-opt %s -split-input-file -verify-diagnostics

func.func @good(%s: !loom.shape<[?]>) {
  loom.require_function "my.op"(%s) runs [2, 2, 6, 11, 0, 1, 0, 0, -1, -1, 0, 0, 0, 7, 6, 1, 0, 1, 1, 0, 4, 0, 0] with [] : !loom.shape<[?]>
  return
}

// -----

func.func @empty(%s: !loom.shape<[?]>) {
  // expected-error@+1 {{runs a program that cannot be evaluated: it has 0 words; the first 2 are the number of slots and where it begins}}
  loom.require_function "my.op"(%s) runs [] with [] : !loom.shape<[?]>
  return
}

// -----

func.func @outside(%s: !loom.shape<[?]>) {
  // expected-error@+1 {{runs a program that cannot be evaluated: the instruction at word 2 does not lie within the 3 words}}
  loom.require_function "my.op"(%s) runs [1, 0, 7] with [] : !loom.shape<[?]>
  return
}

// -----

func.func @inputs(%s: !loom.shape<[?]>) {
  // expected-error@+1 {{the instruction at word 2 names input 1 of 1}}
  loom.require_function "my.op"(%s) runs [2, 2, 6, 11, 0, 1, 0, 1, -1, -1, 0, 0, 0, 0, 4, 0, 0] with [] : !loom.shape<[?]>
  return
}

// -----

func.func @texts(%s: !loom.shape<[?]>) {
  // expected-error@+1 {{the instruction at word 2 names text 1 of 1}}
  loom.require_function "my.op"(%s) runs [0, 2, 53, 5, 0, 0, 1, 0, 4, 0, 0] with ["one"] : !loom.shape<[?]>
  return
}

// -----

func.func @number(%n: index) {
  // expected-error@+1 {{input of type 'index'; it takes shapes and tensors}}
  loom.require_function "my.op"(%n) runs [0, 2, 0, 4, 0, 0] with [] : index
  return
}
