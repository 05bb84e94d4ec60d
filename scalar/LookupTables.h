//===- LookupTables.h - pieces of functions, in registers -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables of 32 numbers of f32, in which one instruction of a processor looks up
// the numbers of a whole vector. scripts/fit-functions prints them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_LOOKUPTABLES_H
#define BROADLOOM_SCALAR_LOOKUPTABLES_H

#include <cstdint>

namespace broadloom::scalar::tables {

inline constexpr unsigned kEntries = 32;
using Table = double[kEntries];

/// 2^(k / 32), rounded.
// clang-format off
inline constexpr Table powers = {
    1, 0x1.059b0ep+0, 0x1.0b5586p+0, 0x1.11301ep+0, 0x1.172b84p+0,
    0x1.1d4874p+0, 0x1.2387a6p+0, 0x1.29e9ep+0, 0x1.306fep+0, 0x1.371a74p+0,
    0x1.3dea64p+0, 0x1.44e086p+0, 0x1.4bfdaep+0, 0x1.5342b6p+0, 0x1.5ab07ep+0,
    0x1.6247ecp+0, 0x1.6a09e6p+0, 0x1.71f75ep+0, 0x1.7a1148p+0, 0x1.82589ap+0,
    0x1.8ace54p+0, 0x1.93737cp+0, 0x1.9c4918p+0, 0x1.a5503cp+0, 0x1.ae89fap+0,
    0x1.b7f77p+0, 0x1.c199bep+0, 0x1.cb720ep+0, 0x1.d5818ep+0, 0x1.dfc974p+0,
    0x1.ea4afap+0, 0x1.f50766p+0
};

/// The rounding errors of `powers`.
inline constexpr Table powerRests = {
    0, -0x1.9d4f52p-25, 0x1.9f3122p-25, -0x1.fdb496p-25,
    -0x1.c15742p-27, -0x1.d2e8cap-25, 0x1.ceac48p-25, -0x1.5c0424p-25,
    0x1.4636e2p-25, -0x1.18aac6p-25, 0x1.824684p-25, 0x1.8624b4p-30,
    -0x1.593abcp-25, -0x1.2c561p-25, -0x1.5bd5ecp-27, -0x1.f8b55p-25,
    0x1.9fcef4p-26, 0x1.1d8beep-25, -0x1.829fdp-25, -0x1.accc7cp-26,
    0x1.15506ep-27, -0x1.e64744p-25, 0x1.51f848p-27, -0x1.b83b54p-25,
    -0x1.a94b14p-26, -0x1.a09438p-25, -0x1.3d56b2p-27, -0x1.8837ccp-27,
    -0x1.822dbcp-27, -0x1.908c94p-25, 0x1.52486cp-27, -0x1.246ebp-26
};
// clang-format on

/// exp(r) for |r| up to 0.505 ln 2 / 32 is 1 + r + c2 r^2 + c3 r^3: error
/// 1e-10.
inline constexpr double expSquare = 0x1.00008ap-1;
inline constexpr double expCube = 0x1.555566p-3;

/// For z from the number with these bits to twice that, by the first five bits
/// of z's distance from it: numbers c near 1 / z; and the base-2 logarithms of
/// 1 / c, in multiples of 2^-16, and their remainders. The piece around 1 has c
/// = 1.
inline constexpr int64_t leastZ = 0x3F255555;
// clang-format off
inline constexpr Table inverses = {
    0x1.87a64p+0, 0x1.7e818p+0, 0x1.75c78cp+0, 0x1.6d714p+0,
    0x1.657816p+0, 0x1.5dd618p+0, 0x1.5685ccp+0, 0x1.4f823p+0,
    0x1.48c6a4p+0, 0x1.424ee6p+0, 0x1.3c170cp+0, 0x1.361b76p+0,
    0x1.3058c6p+0, 0x1.2acbdep+0, 0x1.2571dep+0, 0x1.204812p+0,
    0x1.1b4bfep+0, 0x1.167b4ap+0, 0x1.11d3cap+0, 0x1.0d5376p+0,
    0x1.08f86ap+0, 0x1.04c0dap+0, 1, 0x1.f3014ep-1,
    0x1.e44194p-1, 0x1.d65aa6p-1, 0x1.c93a5ap-1, 0x1.bcd082p-1,
    0x1.b10eaap-1, 0x1.a5e7d4p-1, 0x1.9b5056p-1, 0x1.913da6p-1
};
inline constexpr Table logarithms[] = {
    {
    -0x1.3a12p-1, -0x1.289ep-1, -0x1.1794p-1, -0x1.06eap-1,
    -0x1.ed3cp-2, -0x1.cd58p-2, -0x1.ae24p-2, -0x1.8f94p-2,
    -0x1.71ap-2, -0x1.5444p-2, -0x1.378p-2, -0x1.1b44p-2,
    -0x1.ff2p-3, -0x1.c8cp-3, -0x1.9358p-3, -0x1.5ee8p-3,
    -0x1.2b58p-3, -0x1.f17p-4, -0x1.8ddp-4, -0x1.2bep-4,
    -0x1.97p-5, -0x1.b2cp-6, 0, 0x1.2fep-5,
    0x1.493p-4, 0x1.f55p-4, 0x1.4e48p-3, 0x1.9fap-3,
    0x1.eec8p-3, 0x1.1decp-2, 0x1.437cp-2, 0x1.681cp-2
    },
    {
    -0x1.b8f298p-22, -0x1.fd91e2p-18, 0x1.f51146p-18, 0x1.041a26p-18,
    -0x1.000bd4p-21, -0x1.5c9634p-18, 0x1.e9808cp-19, 0x1.eabe66p-18,
    0x1.0c2132p-20, -0x1.aeda34p-18, 0x1.f82518p-18, 0x1.99abc6p-19,
    0x1.0e53f2p-21, 0x1.f2d17p-19, -0x1.de65aep-24, 0x1.ab9ea2p-18,
    -0x1.c71b36p-18, 0x1.b5391cp-18, -0x1.37970ap-22, 0x1.f502d4p-20,
    -0x1.34ace8p-18, -0x1.c933b2p-18, 0, -0x1.45e3f8p-18,
    0x1.674ac8p-18, 0x1.8506ecp-18, 0x1.d52e76p-18, -0x1.f04bf4p-20,
    -0x1.b1bd02p-18, 0x1.9b7408p-19, 0x1.a852c2p-20, 0x1.9babb4p-18
    },
};
// clang-format on

/// A function of x >= 0 as polynomials of degree 4. Pieces begin where the
/// first three bits of the mantissa of x + offset change; bits 20 to 24 of that
/// sum are a piece's index in the tables. From `limit` on the function is 1.
struct Pieces {
  const char *name;
  double offset, limit;
  Table coefficients[5];
};

/// Error 4e-8 of exact arithmetic; the result is x itself for small x.
// clang-format off
inline constexpr Pieces tanhPieces = {
    "tanh",
    0.75,
    9.2,
    {
        {
            0x1.b2523cp-1, 0x1.cf6f98p-1, 0x1.e1fbfap-1, 0x1.ed9506p-1,
            0x1.f4bfd6p-1, 0x1.f92582p-1, 0x1.fbd50ap-1, 0x1.fd77d2p-1,
            0x1.fe767ap-1, 0x1.ff6f18p-1, 0x1.ffcaacp-1, 0x1.ffec62p-1,
            0x1.fff8c8p-1, 0x1.fffd58p-1, 0x1.ffff06p-1, 0x1.ffffa4p-1,
            0x1.ffffdep-1, 0x1.fffffcp-1, 0, 0, 0, 0x1.ff559ap-5,
            0x1.fd5992p-4, 0x1.7b8ffap-3, 0x1.f597eap-3, 0x1.6ef53ep-2,
            0x1.d9353ep-2, 0x1.1bf47ep-1, 0x1.45323ep-1, 0x1.68665p-1,
            0x1.85efacp-1, 0x1.9e5cb6p-1
        },
        {
            0x1.1f25a4p-2, 0x1.72154ap-3, 0x1.d229d4p-4, 0x1.216142p-4,
            0x1.64144ep-5, 0x1.b3b266p-6, 0x1.09a14ap-6, 0x1.432aep-7,
            0x1.88c19cp-8, 0x1.21824ep-9, 0x1.aa8bbcp-11, 0x1.3820e8p-12,
            0x1.cea76p-14, 0x1.56c0c8p-15, 0x1.ee4c3ep-17, 0x1.6f812ep-18,
            0x1.21217ap-19, -0x1.2782b8p-22, 0, 0, 1, 0x1.fe013ep-1,
            0x1.f81556p-1, 0x1.ee695cp-1, 0x1.e1499ap-1, 0x1.be3fbp-1,
            0x1.92a918p-1, 0x1.62858cp-1, 0x1.31742p-1, 0x1.0250dcp-1,
            0x1.ae0c8ep-2, 0x1.614f96p-2
        },
        {
            -0x1.e76006p-3, -0x1.4ee58p-3, -0x1.b6888cp-4, -0x1.16c44p-4,
            -0x1.5c5b7cp-5, -0x1.adce98p-6, -0x1.06db04p-6, -0x1.3f108ap-7,
            -0x1.849d2ep-8, -0x1.1ee36cp-9, -0x1.a8a7d2p-11, -0x1.26f118p-12,
            -0x1.d2ca1p-14, -0x1.6eb4b4p-15, -0x1.b7d9b2p-17, -0x1.69a94p-18,
            -0x1.630644p-19, 0x1.4861bp-19, 0, 0, 0x1.8ed8fap-18,
            -0x1.fcc628p-5, -0x1.f5efdcp-4, -0x1.6dd4f6p-3, -0x1.d76aeep-3,
            -0x1.3fd1ecp-2, -0x1.741ffap-2, -0x1.898556p-2, -0x1.843192p-2,
            -0x1.6bf38p-2, -0x1.475eap-2, -0x1.1de3f6p-2
        },
        {
            0x1.c196e4p-4, 0x1.668d72p-4, 0x1.fd4698p-5, 0x1.540668p-5,
            0x1.b97964p-6, 0x1.13eb5ep-6, 0x1.4e139p-7, 0x1.82e7a4p-8,
            0x1.e14104p-9, 0x1.63ea3ap-10, 0x1.0c070ap-11, 0x1.1a8fa6p-13,
            0x1.37b2bp-14, 0x1.2f385ep-15, 0x1.03059p-18, 0x1.b102cap-19,
            0x1.259066p-19, -0x1.16b3ap-18, 0, 0, -0x1.55eccp-2,
            -0x1.5271f4p-2, -0x1.3dd376p-2, -0x1.3102eep-2, -0x1.088ca4p-2,
            -0x1.6e32e4p-3, -0x1.80df84p-4, -0x1.b3195cp-7, 0x1.70fbep-5,
            0x1.61c7d2p-4, 0x1.a31316p-4, 0x1.c60722p-4
        },
        {
            -0x1.54712cp-6, -0x1.946ebp-6, -0x1.505d9cp-6, -0x1.ecadap-7,
            -0x1.5e504p-7, -0x1.b9cd1cp-8, -0x1.ef018ap-9, -0x1.ab9ea2p-10,
            -0x1.3fd078p-10, -0x1.d98774p-12, -0x1.724808p-13,
            -0x1.8cd026p-17, -0x1.e5345ap-16, -0x1.456006p-16, 0x1.2cd8b8p-19,
            -0x1.05c4dcp-20, -0x1.ba3016p-21, 0x1.198baap-19, 0, 0,
            0x1.0591eap-6, 0x1.26d526p-4, 0x1.18a84cp-4, 0x1.8fe0dap-3,
            0x1.3fc826p-3, 0x1.5cff8ap-3, 0x1.42ba72p-3, 0x1.bf8d4ep-4,
            0x1.34dd1ap-4, 0x1.09b078p-5, 0x1.9b2c88p-6, -0x1.7d57d2p-10
        },
    }};

/// Error 5.2e-8 of exact arithmetic.
// clang-format off
inline constexpr Pieces erfPieces = {
    "erf",
    0.5,
    3.99,
    {
        {
            0x1.eea556p-1, 0x1.f92d08p-1, 0x1.fd9ae2p-1, 0x1.ff4048p-1,
            0x1.ffcaaap-1, 0x1.fff2dp-1, 0x1.fffd1ap-1, 0x1.ffff7p-1,
            0x1.ffffe8p-1, 0, 0, 0, 0, 0, 0, 0, 0, 0x1.207d48p-4,
            0x1.1f5e1ap-3, 0x1.ac45e4p-3, 0x1.1af54ep-2, 0x1.5da9f4p-2,
            0x1.9dd0d2p-2, 0x1.db081cp-2, 0x1.0a7ef6p-1, 0x1.3f196ep-1,
            0x1.6c1c98p-1, 0x1.91724ap-1, 0x1.af767ap-1, 0x1.c6dad2p-1,
            0x1.d8865ep-1, 0x1.e5768cp-1
        },
        {
            0x1.e72282p-4, 0x1.b04d16p-5, 0x1.5287fap-6, 0x1.d3d766p-8,
            0x1.1cdfe2p-9, 0x1.3292acp-11, 0x1.29c032p-13, 0x1.d1152ap-16,
            0x1.dadf52p-19, 0, 0, 0, 0, 0, 0, 0, 0x1.20dd76p+0, 0x1.1fbd28p+0,
            0x1.1c6308p+0, 0x1.16e2b4p+0, 0x1.0f5d28p+0, 0x1.05fd4ap+0,
            0x1.f5f188p-1, 0x1.dd1766p-1, 0x1.c1ef8ep-1, 0x1.86e95p-1,
            0x1.492dbep-1, 0x1.0caadcp-1, 0x1.a9131p-2, 0x1.45ead2p-2,
            0x1.e463f4p-3, 0x1.5ce6acp-3
        },
        {
            -0x1.6d6004p-3, -0x1.79c5c6p-4, -0x1.515bdcp-5, -0x1.056df4p-6,
            -0x1.5cdf9p-8, -0x1.9bde78p-10, -0x1.eaa124p-12, -0x1.0f3e1cp-14,
            0x1.d78fbp-21, 0, 0, 0, 0, 0, 0, 0, -0x1.64e3cap-17,
            -0x1.1fb51ap-4, -0x1.1c8366p-3, -0x1.a1f602p-3, -0x1.0f72aap-2,
            -0x1.4789b6p-2, -0x1.78e99ep-2, -0x1.a20604p-2, -0x1.c1ddfcp-2,
            -0x1.e8a34cp-2, -0x1.eda762p-2, -0x1.d60f8ep-2, -0x1.a94aacp-2,
            -0x1.6ee188p-2, -0x1.2eaeb6p-2, -0x1.dfefdep-3
        },
        {
            0x1.1d2534p-3, 0x1.6b9586p-4, 0x1.7cdf4ap-5, 0x1.4f1a08p-6,
            0x1.dbf1c4p-8, 0x1.36665ap-9, 0x1.164016p-10, -0x1.3b9376p-17,
            -0x1.f0e596p-16, 0, 0, 0, 0, 0, 0, 0, -0x1.81014p-2,
            -0x1.7d4682p-2, -0x1.6e0b82p-2, -0x1.5edc8ap-2, -0x1.3aafd2p-2,
            -0x1.17fc0ap-2, -0x1.c9c4fp-3, -0x1.6b7592p-3, -0x1.2d9c28p-3,
            -0x1.c381e2p-5, 0x1.ae41fep-6, 0x1.7b755p-4, 0x1.2332d2p-3,
            0x1.546b8p-3, 0x1.56d884p-3, 0x1.46e12cp-3
        },
        {
            -0x1.9072dep-5, -0x1.59b0d4p-5, -0x1.b0eb02p-6, -0x1.addda4p-7,
            -0x1.2a87fp-8, -0x1.b1a4dcp-10, -0x1.52a4fap-10, 0x1.b689e4p-13,
            0x1.47309ap-15, 0, 0, 0, 0, 0, 0, 0, 0x1.c961e4p-8, 0x1.960a32p-5,
            0x1.1402dcp-4, 0x1.3072d2p-3, 0x1.e63de4p-4, 0x1.2b2314p-3,
            0x1.43a3bcp-4, 0x1.0e35ap-4, 0x1.7d73b2p-3, 0x1.588e6cp-3,
            0x1.23fe68p-3, 0x1.9eb5ap-4, 0x1.562ad6p-5, 0x1.3a7464p-9,
            -0x1.ba94bcp-7, -0x1.5868ep-5
        },
    }};

} // namespace broadloom::scalar::tables

#endif // BROADLOOM_SCALAR_LOOKUPTABLES_H
