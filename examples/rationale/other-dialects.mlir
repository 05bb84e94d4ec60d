// A function for another compiler, of whose dialect nothing is known here, stays
// beside the program: nothing here needs it. Its types stand in builtin ones, a
// tensor of qubits and a tuple, and builtin types stand in them.
// (Rationale: "Interactions between dialects", "Unregistered types")

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = tosa.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func private @turn(%p: !quantum.qubit, %n: !quantum.bits<3>) -> !quantum.qubit {
  %q = "quantum.rotate"(%p, %n) {by = #quantum.angle<0.5>} : (!quantum.qubit, !quantum.bits<3>) -> !quantum.qubit
  return %q : !quantum.qubit
}

func.func private @measure(%register: tensor<4x!quantum.qubit>) -> tuple<!quantum.qubit, i1> {
  %results = "quantum.measure"(%register) : (tensor<4x!quantum.qubit>) -> !quantum.list<memref<?xi1>>
  %r = "quantum.first"(%results) : (!quantum.list<memref<?xi1>>) -> tuple<!quantum.qubit, i1>
  return %r : tuple<!quantum.qubit, i1>
}
