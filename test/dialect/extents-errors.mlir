// RUN: broadloom-opt %s --split-input-file --verify-diagnostics

// abi-1: what loom.extents cannot say.

// expected-error @+1 {{argument 0: 'tensor<?x4xf32>' has 2 axes but loom.extents has 1}}
func.func private @axes(tensor<?x4xf32> {loom.extents = #loom.extents<[n]>})

// -----

// expected-error @+1 {{argument 1: axis 1 of 'tensor<?x4xf32>' is 4 but loom.extents says 5}}
func.func private @static(tensor<f32>, tensor<?x4xf32> {loom.extents = #loom.extents<[n, 5]>})

// -----

// abi-9: where loom.constant cannot stand.

func.func private @constant(tensor<?xf32> {loom.constant})
// expected-error @+1 {{result 0: loom.constant is a promise about arguments; remove it}}
func.func private @constant_result(tensor<?xf32>) -> (tensor<?xf32> {loom.constant})

// -----

// expected-error @+1 {{argument 0: loom.constant is true; write it without a value}}
func.func private @constant_value(tensor<?xf32> {loom.constant = true})

// -----

// expected-error @+1 {{argument 1: loom.constant is a promise about elements of a tensor, and stands on an argument of type 'index'; remove it}}
func.func private @constant_number(tensor<?xf32>, index {loom.constant})

// -----

// Where the rank is not known, it is what the attribute says.
func.func private @unranked(tensor<*xf32> {loom.extents = #loom.extents<[n]>})
// expected-error @+1 {{argument 0: 'n' is the extent of no axis of an argument by itself, so that it has no value}}
func.func private @unranked_undefined(tensor<*xf32> {loom.extents = #loom.extents<[n + 1]>})

// -----

// expected-error @+1 {{argument 0: type 'f32' has no extents to name}}
func.func private @scalar(f32 {loom.extents = #loom.extents<[]>})

// -----

// expected-error @+1 {{result 0: type 'index' has no extents to name}}
func.func private @result(tensor<?xf32>) -> (index {loom.extents = #loom.extents<[]>})

// -----

// expected-error @+1 {{argument 0: loom.extents is "n"; write it as #loom.extents<[n, 4, ?]>}}
func.func private @kind(tensor<?xf32> {loom.extents = "n"})

// -----

// A name needs a value.
// expected-error @+1 {{argument 0: 'n' is the extent of no axis of an argument by itself, so that it has no value}}
func.func private @undefined(tensor<?xf32> {loom.extents = #loom.extents<[n + 1]>})

// -----

// That of a result is none for an argument.
// expected-error @+1 {{argument 0: 'n' is the extent of no axis of an argument by itself}}
func.func private @later(tensor<?xf32> {loom.extents = #loom.extents<[n + 1]>}) -> (tensor<?xf32> {loom.extents = #loom.extents<[n]>})

// -----

// expected-error @+1 {{result 0: 'm' is the extent of no axis of an argument or result by itself}}
func.func private @undefinedResult(tensor<?xf32> {loom.extents = #loom.extents<[n]>}) -> (tensor<?xf32> {loom.extents = #loom.extents<[n + m]>})

// -----

// expected-error @+1 {{argument 0: 'm' is the extent of no axis of an argument by itself}}
func.func private @undefinedRange(tensor<?xf32> {loom.extents = #loom.extents<[n] where m = 0 to 4>})

// -----

// Bounds that cannot hold.
// expected-error @+1 {{the range of 'n' is empty: 8 to 4}}
func.func private @empty(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 8 to 4>})

// -----

// expected-error @+1 {{the range of 'n' begins at -1, but no extent is negative}}
func.func private @negative(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = -1 to 4>})

// -----

// expected-error @+1 {{the range of 'n' has step 0; it must be at least 1}}
func.func private @step(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 0 to 4 step 0>})

// -----

// expected-error @+1 {{extent -4 is negative}}
func.func private @negativeExtent(tensor<?xf32> {loom.extents = #loom.extents<[-4]>})

// -----

// expected-error @+1 {{'n' has two ranges}}
func.func private @twice(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 0 to 4, n = 0 to 5>})

// -----

// What two arguments say of a name.
// expected-error @+1 {{argument 1: no extent is both in 0 to 8 step 2 and in 1 to ? step 4, the ranges of 'n'}}
func.func private @disjoint(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 0 to 8 step 2>},
                            tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 1 to ? step 4>})

// -----

// Also where others stand between them, or one is a result.
// expected-error @+1 {{argument 2: no extent is both in 0 to 8 step 2 and in 9 to 16, the ranges of 'n'}}
func.func private @disjointLater(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 0 to 8 step 2>},
                                 tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 0 to 8 step 2>},
                                 tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 9 to 16>})

// -----

// expected-error @+1 {{result 1: no extent is both in 0 to 8 and in 9 to 16, the ranges of 'n'}}
func.func private @disjointResult(tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 0 to 8>})
    -> (tensor<?xf32> {loom.extents = #loom.extents<[n]>},
        tensor<?xf32> {loom.extents = #loom.extents<[n] where n = 9 to 16>})

// -----

// What is wrong by itself comes first.
// expected-error @+1 {{argument 1: loom.extents is "n"; write it as #loom.extents<[n, 4, ?]>}}
func.func private @kindLater(tensor<?xf32> {loom.extents = #loom.extents<[n + 1]>},
                             tensor<?xf32> {loom.extents = "n"})

// -----

// Names that are no identifiers.
// expected-error @+1 {{'a.b' is no name for an extent: a name has letters, digits and '_', begins with none of the digits, and is none of ceildiv, floordiv, mod, step, to and where}}
func.func private @dot(tensor<?xf32> {loom.extents = #loom.extents<[a.b]>})

// -----

// expected-error @+1 {{'step' is no name for an extent}}
func.func private @reserved(tensor<?xf32> {loom.extents = #loom.extents<[n] where step = 0 to 4>})

// -----

// expected-error @+1 {{expected an extent: a name, a number, a formula or '?'}}
func.func private @word(tensor<?xf32> {loom.extents = #loom.extents<[mod]>})

// -----

// expected-error @+1 {{expected an extent: a name, a number, a formula or '?'}}
func.func private @text(tensor<?xf32> {loom.extents = #loom.extents<["n"]>})

// -----

// expected-error @+1 {{expected ']'}}
func.func private @digit(tensor<?xf32> {loom.extents = #loom.extents<[4n]>})

// -----

// Formulas.
// expected-error @+1 {{expected a positive number after 'floordiv'}}
func.func private @divisor(tensor<?x?xf32> {loom.extents = #loom.extents<[n, 4 floordiv n]>})

// -----

// expected-error @+1 {{expected a positive number after 'mod'}}
func.func private @zero(tensor<?x?xf32> {loom.extents = #loom.extents<[n, n mod 0]>})

// -----

// expected-error @+1 {{the formula has a number larger than 2147483648}}
func.func private @large(tensor<?x?xf32> {loom.extents = #loom.extents<[n, n * 4294967296]>})

// -----

// abi-3: nothing grows beyond bounds.
// expected-error @+1 {{the formula is too deep}}
func.func private @deep(tensor<?x?xf32> {loom.extents = #loom.extents<[n, ((((((((((((((((((((((((((((((((((n))))))))))))))))))))))))))))))))))]>})

// -----

// expected-error @+1 {{the formula has a number larger than 2147483648}}
func.func private @product(tensor<?x?xf32> {loom.extents = #loom.extents<[n, n * 65536 * 65536]>})

// -----

// expected-error @+1 {{the formula is too long}}
func.func private @sum(tensor<?x?xf32> {loom.extents = #loom.extents<[n, n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n]>})
