// An operation without its operand.
func.func @f() -> tensor<?xf32> {
  %0 = "tosa.abs"() : () -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
