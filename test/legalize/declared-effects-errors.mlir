// What sets a function can declare (ffi-4).

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics --loom-mark-memory-functions --loom-bind-externals

// No scalars are so small that the loops do not wrap around.
// expected-error @+1 {{entry 1 of 'writes' in 'loom.effects' of '@f' has numbers beyond 2^62, which loops over its points cannot compute in 64 bits; use smaller constants}}
func.func private @f(memref<?xf64>, index, index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>,
  #loom.access_set<0, #loom.relation<"(n, m) -> (i) : (0 <= i, i <= 9, i <= -5000000000000000000*n - 5000000000000000000*m)">, [1, 2]>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has numbers beyond 2^62}}
func.func private @f(memref<?xf64>, index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"(n) -> (i) : (0 <= i, i <= 9, i <= n + 5000000000000000000)">, [1]>]}}

// -----

// expected-error @+1 {{'loom.effects' of '@f' has 'read'; there are 'reads', 'writes', 'initializes', 'may_reads' and 'may_writes', or 'summary' in place of them, and 'deterministic', 'reentrant' and 'exact'}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {read = []}}

// -----

// expected-error @+1 {{'reads' in 'loom.effects' of '@f' is 0 : i64; it is a list of sets, such as [#loom.access_set<0, #loom.relation<"(d0) -> (r0) : (r0 == d0)">, [1]>]}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {reads = 0}}

// -----

// expected-error @+1 {{'writes' in 'loom.effects' of '@f' is [1]; it is a list of sets}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {writes = [1]}}

// -----

// expected-error @+1 {{entry 0 of 'reads' in 'loom.effects' of '@f' is about argument 1, but the function has 1 arguments}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {reads = [#loom.access_set<1, #loom.relation<"() -> (i) : (i == 0)">>]}}

// -----

// expected-error @+1 {{entry 1 of 'may_reads' in 'loom.effects' of '@f' is about argument 1 of type 'index', which is no memory of a known rank}}
func.func private @f(memref<?xf64>, index) attributes {loom.effects = {may_reads = [
  #loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>, #loom.access_set<1, #loom.relation<"() -> (i) : (i == 0)">>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has a relation with 1 outputs, but argument 0 of type 'memref<?x?xf64>' has 2 axes}}
func.func private @f(memref<?x?xf64>) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has scalar 7, but the function has 2 arguments}}
func.func private @f(memref<?xf64>, index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"(d) -> (i) : (i == d)">, [7]>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has argument 1 of type 'f64' as a scalar; a scalar is an index or a signless integer of 2 to 64 bits}}
func.func private @f(memref<?xf64>, f64) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"(d) -> (i) : (i == d)">, [1]>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has argument 0 of type 'memref<?xf64>' as a scalar; a scalar is an index or a signless integer of 2 to 64 bits, and an extent is dim(0, axis)}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [0]>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has an extent of argument 1 of type 'index', which is no memory of a known rank}}
func.func private @f(memref<?xf64>, index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(1, 0)]>]}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' has axis 1 of argument 0, whose type 'memref<?xf64>' has 1 axes}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(0, 1)]>]}}

// -----

// expected-error @+1 {{entry 0 of 'may_writes' in 'loom.effects' of '@f' is not bounded: nothing says how large 'i' can be; bound it by numbers, arguments or extents}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {may_writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i)">>]}}

// -----

// expected-error @+1 {{entry 0 of 'reads' in 'loom.effects' of '@f' is not bounded: nothing says how small 'j' can be; bound it by numbers, arguments or extents}}
func.func private @f(memref<?x?xf64>, index) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"(d) -> (i, j) : (0 <= i <= d, j + i <= d)">, [1]>]}}

// -----

// expected-error @+1 {{entry 0 of 'reads' in 'loom.effects' of '@f' has no point inside memory of type 'memref<4xf64>'}}
func.func private @f(memref<4xf64>) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (4 <= i <= 9)">>]}}

// -----

// expected-error @+1 {{entry 0 of 'may_writes' in 'loom.effects' of '@f' has no point inside memory of type 'memref<?xf64>'}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {may_writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (-3 <= i <= -1)">>]}}

// -----

// expected-error @+1 {{entry 1 of 'writes' in 'loom.effects' of '@f' repeats entry 0 of 'writes'}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>, #loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}

// -----

// What is surely read is not what may be.
// expected-error @+1 {{entry 0 of 'may_reads' in 'loom.effects' of '@f' repeats entry 0 of 'reads'}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {
  reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>], may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{the relation has 1 inputs and 1 symbols, but there are 1 scalars; name one for each, such as [0, dim(1, 0)]}}
  #loom.access_set<0, #loom.relation<"(d)[n] -> (i) : (d <= i < n)">, [1]>]}}

// -----

func.func private @f(memref<?xf64>) attributes {loom.effects = {reads = [
  // expected-error @+1 {{axis -1 is negative}}
  #loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(0, -1)]>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{'d' is named twice}}
  #loom.access_set<0, #loom.relation<"(d) -> (d) : (d == 0)">, [1]>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{symbols stand between the inputs and '->'}}
  #loom.access_set<0, #loom.relation<"(d) -> (i)[n] : (i == d)">, [1, 1]>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{a coefficient does not fit 63 bits}}
  #loom.access_set<0, #loom.relation<"(d) -> (i) : (i == 9223372036854775807 * d * 2)">, [1]>]}}

// -----

func.func private @f(memref<?xf64>) attributes {loom.effects = {reads = [
  // expected-error @+1 {{no point satisfies these constraints}}
  #loom.access_set<0, #loom.relation<"() -> (i) : (i < 0, i > 5)">>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{neither side of '*' is a number}}
  #loom.access_set<0, #loom.relation<"(d) -> (i) : (i == d * d)">, [1]>]}}

// -----

// expected-error @+1 {{argument 1 of '@f' is of type 'i8', which cannot be handed to another library}}
func.func private @f(memref<?xf64>, i8) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"(d) -> (i) : (i == d)">, [1]>]}}

// -----

// expected-error @+1 {{function '@f' has a body and 'loom.effects' = @g; what a body is compared with are sets, such as {reads = []}, or another function with a body and the same arguments}}
func.func @f(%x: memref<?xf64>) attributes {loom.effects = @g} {
  return
}
func.func private @g(%x: memref<?xf32>) {
  return
}

// -----

// expected-error @+1 {{function '@f' has a body and 'loom.effects' = {summary = @f}; what a body is compared with are sets}}
func.func @f(%x: memref<?xf64>) attributes {loom.effects = {summary = @f}} {
  return
}

// -----

// expected-error @+1 {{'deterministic' in 'loom.effects' of '@f' is true; it is a word without a value}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {deterministic = true}}

// -----

// expected-error @+1 {{'summary' in 'loom.effects' of '@f' is "g"; it is the name of a function, such as @effects_of_f}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {summary = "g"}}

// -----

// expected-error @+1 {{'loom.effects' of '@f' has 'summary' and 'reads'; a function tells what is accessed, or sets do}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {reads = [], summary = @g}}
func.func private @g(%x: memref<?xf64>) {
  return
}

// -----

// expected-error @+1 {{function '@f' has 'loom.effects' = {reentrant, summary = @h}, but there is no function of that name with a body}}
func.func private @f(memref<?xf64>) attributes {loom.effects = {reentrant, summary = @h}}

// -----

// expected-error @+1 {{entry 0 of 'writes' in 'loom.effects' of '@f' repeats entry 0 of 'initializes'}}
func.func private @f(memref<f64>) attributes {loom.effects = {initializes = [#loom.access_set<0, #loom.relation<"() -> () : ()">>], writes = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]}}

// -----

// A bit is no number of loops.
// expected-error @+1 {{entry 0 of 'reads' in 'loom.effects' of '@f' has argument 1 of type 'i1' as a scalar; a scalar is an index or a signless integer of 2 to 64 bits}}
func.func private @f(memref<?xf64>, i1) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (i == n)">, [1]>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{argument -1 is negative}}
  #loom.access_set<-1, #loom.relation<"()[n] -> (i) : (i == n)">, [1]>]}}

// -----

func.func private @f(memref<?xf64>, index) attributes {loom.effects = {reads = [
  // expected-error @+1 {{argument 4294967297 is too large}}
  #loom.access_set<0, #loom.relation<"()[n] -> (i) : (i == n)">, [4294967297]>]}}

// -----

// expected-error @+1 {{entry 0 of 'reads' in 'loom.effects' of '@f' has no point inside memory of type 'memref<4xf64>'}}
func.func private @f(memref<4xf64>) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (false)">>]}}

// -----

// expected-error @+1 {{'exact' in 'loom.effects' of '@f' says that each call accesses all that 'summary' tells, of a function without a body; name a function by 'summary', or list sets as 'reads' and 'writes'}}
func.func private @f(memref<4xf64>) attributes {loom.effects = {exact, writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}

// -----

func.func private @told(%x: memref<4xf64>) {
  return
}
// expected-error @+1 {{'exact' in 'loom.effects' of '@f' says that each call accesses all that 'summary' tells, of a function without a body; leave the word out, or list sets as 'reads' and 'writes'}}
func.func @f(%x: memref<4xf64>) attributes {loom.effects = {summary = @told, exact}} {
  return
}

// -----

// expected-error @+1 {{'exact' in 'loom.effects' of '@f' is true; it is a word without a value}}
func.func private @f(memref<4xf64>) attributes {loom.effects = {exact = true}}
