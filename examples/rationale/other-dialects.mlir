// A function for another compiler, of whose dialect nothing is known here, stays
// beside the program: nothing here needs it.

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = tosa.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func private @turn(%p: !quantum.qubit, %n: !quantum.bits<3>) -> !quantum.qubit {
  %q = "quantum.rotate"(%p, %n) {by = #quantum.angle<0.5>} : (!quantum.qubit, !quantum.bits<3>) -> !quantum.qubit
  return %q : !quantum.qubit
}
