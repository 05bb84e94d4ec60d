// RUN: not broadloom-opt %s --split-input-file 2>&1 | FileCheck %s

// What no relation is; each error stands at the word that is wrong.

// CHECK: :[[@LINE+1]]:69: error: 'd0' is named twice
func.func private @twice() attributes {r = #loom.relation<"(d0) -> (d0) : ()">}

// -----

// CHECK: :[[@LINE+1]]:75: error: 's' is named twice
func.func private @symbol_twice() attributes {r = #loom.relation<"(d0)[s, s] -> (r0) : ()">}

// -----

// CHECK: :[[@LINE+1]]:76: error: 'd0' is named twice
func.func private @input_and_symbol() attributes {r = #loom.relation<"(d0)[d0] -> (r0) : ()">}

// -----

// CHECK: :[[@LINE+1]]:90: error: 'd0' is named twice
func.func private @exists_twice() attributes {r = #loom.relation<"(d0) -> (r0) : exists (d0) : (r0 == d0)">}

// -----

// CHECK: :[[@LINE+1]]:81: error: symbols stand between the inputs and '->'
func.func private @symbols_behind() attributes {r = #loom.relation<"(d0) -> (r0)[s0] : (r0 == s0)">}

// -----

// CHECK: :[[@LINE+1]]:84: error: 'x' is no input, output or symbol
func.func private @unknown() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 <= x)">}

// -----

// CHECK: :[[@LINE+1]]:119: error: 'e' is no input, output or symbol
func.func private @exists_no_more() attributes {r = #loom.relation<"(d0) -> (r0) : exists (e) : (r0 == 2*e) or (r0 == e)">}

// -----

// CHECK: :[[@LINE+1]]:83: error: a coefficient does not fit 63 bits
func.func private @number() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 <= 9223372036854775808)">}

// -----

// CHECK: :[[@LINE+1]]:82: error: a coefficient does not fit 63 bits
func.func private @coefficient() attributes {r = #loom.relation<"(d0) -> (r0) : (4611686018427387904*d0*2 <= r0)">}

// -----

// CHECK: :[[@LINE+1]]:87: error: neither side of '*' is a number
func.func private @product() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 == d0 * d0)">}

// -----

// CHECK: :[[@LINE+1]]:95: error: the divisor of mod is not a positive number
func.func private @divisor() attributes {r = #loom.relation<"(d0)[s0] -> (r0) : (r0 == d0 mod s0)">}

// -----

// CHECK: :[[@LINE+1]]:93: error: the divisor of floordiv is not a positive number
func.func private @zero() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 == d0 floordiv 0)">}

// -----

// CHECK: :[[@LINE+1]]:96: error: the divisor of ceildiv is not a positive number
func.func private @negative() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 == d0 ceildiv -4)">}

// -----

// CHECK: :[[@LINE+1]]:92: error: no point satisfies these constraints
func.func private @no_point() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 == d0) or (r0 >= d0 + 1, r0 <= d0)">}

// -----

// CHECK: :[[@LINE+1]]:86: error: expected '<=', '<', '>=', '>' or '=='
func.func private @no_comparison() attributes {r = #loom.relation<"(d0) -> (r0) : (r0)">}

// -----

// CHECK: :[[@LINE+1]]:84: error: expected '=='
func.func private @assignment() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 = d0)">}

// -----

// CHECK: :[[@LINE+1]]:64: error: 'mod' is a word of the grammar
func.func private @reserved() attributes {r = #loom.relation<"(mod) -> (r0) : ()">}

// -----

// CHECK: :[[@LINE+1]]:81: error: expected ':'
func.func private @no_constraints() attributes {r = #loom.relation<"(d0) -> (r0)">}

// -----

// CHECK: :[[@LINE+1]]:63: error: expected the name of an input
func.func private @no_name() attributes {r = #loom.relation<"(4) -> (r0) : ()">}

// -----

// CHECK: :[[@LINE+1]]:86: error: expected a number or a name
func.func private @no_number() attributes {r = #loom.relation<"(d0) -> (r0) : (r0 <= )">}

// -----

// CHECK: :[[@LINE+1]]:77: error: expected the end of the relation
func.func private @more() attributes {r = #loom.relation<"(d0) -> (r0) : () ()">}

// -----

// CHECK: :[[@LINE+1]]:63: error: expected string
func.func private @no_string() attributes {r = #loom.relation<>}

// -----

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: expected the end of the relation
func.func private @zero_in_text() attributes {r = #loom.relation<"(d0) -> (r0) : ()\00 or (false)">}
