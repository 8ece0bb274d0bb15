//! The machine's instructions on floats and vectors by type: those of AVX2.

use cranelift_codegen::ir::{Type, types};
use iced_x86::Code;

/// For `f32`, `f64`, then four and two lanes, then eight and four.
type Floats = [Code; 6];
/// For lanes of 8, 16, 32 and 64 bits, of 16 and 32 bytes; `INVALID` where there is none.
type Integers = [[Code; 2]; 4];

const NONE: [Code; 2] = [Code::INVALID, Code::INVALID];

/// The instruction for a type of floats.
pub(super) fn float(ty: Type, codes: Floats) -> Option<Code> {
    let at = match ty {
        types::F32 => 0,
        types::F64 => 1,
        types::F32X4 => 2,
        types::F64X2 => 3,
        types::F32X8 => 4,
        types::F64X4 => 5,
        _ => return None,
    };
    Some(codes[at])
}

/// The instruction for lanes of integers.
pub(super) fn integers(lane: Type, wide: bool, codes: Integers) -> Option<Code> {
    let at = match lane {
        types::I8 => 0,
        types::I16 => 1,
        types::I32 => 2,
        types::I64 => 3,
        _ => return None,
    };
    Some(codes[at][usize::from(wide)]).filter(|code| *code != Code::INVALID)
}

/// The three forms of products that are added to.
pub(super) fn fma(ty: Type) -> Option<[Code; 3]> {
    let forms = [
        [
            Code::VEX_Vfmadd132ss_xmm_xmm_xmmm32,
            Code::VEX_Vfmadd132sd_xmm_xmm_xmmm64,
            Code::VEX_Vfmadd132ps_xmm_xmm_xmmm128,
            Code::VEX_Vfmadd132pd_xmm_xmm_xmmm128,
            Code::VEX_Vfmadd132ps_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd132pd_ymm_ymm_ymmm256,
        ],
        [
            Code::VEX_Vfmadd213ss_xmm_xmm_xmmm32,
            Code::VEX_Vfmadd213sd_xmm_xmm_xmmm64,
            Code::VEX_Vfmadd213ps_xmm_xmm_xmmm128,
            Code::VEX_Vfmadd213pd_xmm_xmm_xmmm128,
            Code::VEX_Vfmadd213ps_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd213pd_ymm_ymm_ymmm256,
        ],
        [
            Code::VEX_Vfmadd231ss_xmm_xmm_xmmm32,
            Code::VEX_Vfmadd231sd_xmm_xmm_xmmm64,
            Code::VEX_Vfmadd231ps_xmm_xmm_xmmm128,
            Code::VEX_Vfmadd231pd_xmm_xmm_xmmm128,
            Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        ],
    ];
    let [first, second, third] = forms.map(|codes| float(ty, codes));
    Some([first?, second?, third?])
}

/// The bytes of a float of which only the sign is set, or of the least integer.
pub(super) fn sign_bytes(lane: Type) -> Vec<u8> {
    let mut bytes = vec![0; lane.bytes() as usize];
    if let Some(last) = bytes.last_mut() {
        *last = 0x80;
    }
    bytes
}

/// Sums.
pub(super) const ADD: Floats = [
    Code::VEX_Vaddss_xmm_xmm_xmmm32,
    Code::VEX_Vaddsd_xmm_xmm_xmmm64,
    Code::VEX_Vaddps_xmm_xmm_xmmm128,
    Code::VEX_Vaddpd_xmm_xmm_xmmm128,
    Code::VEX_Vaddps_ymm_ymm_ymmm256,
    Code::VEX_Vaddpd_ymm_ymm_ymmm256,
];

/// Differences.
pub(super) const SUB: Floats = [
    Code::VEX_Vsubss_xmm_xmm_xmmm32,
    Code::VEX_Vsubsd_xmm_xmm_xmmm64,
    Code::VEX_Vsubps_xmm_xmm_xmmm128,
    Code::VEX_Vsubpd_xmm_xmm_xmmm128,
    Code::VEX_Vsubps_ymm_ymm_ymmm256,
    Code::VEX_Vsubpd_ymm_ymm_ymmm256,
];

/// Products.
pub(super) const MUL: Floats = [
    Code::VEX_Vmulss_xmm_xmm_xmmm32,
    Code::VEX_Vmulsd_xmm_xmm_xmmm64,
    Code::VEX_Vmulps_xmm_xmm_xmmm128,
    Code::VEX_Vmulpd_xmm_xmm_xmmm128,
    Code::VEX_Vmulps_ymm_ymm_ymmm256,
    Code::VEX_Vmulpd_ymm_ymm_ymmm256,
];

/// Quotients.
pub(super) const DIV: Floats = [
    Code::VEX_Vdivss_xmm_xmm_xmmm32,
    Code::VEX_Vdivsd_xmm_xmm_xmmm64,
    Code::VEX_Vdivps_xmm_xmm_xmmm128,
    Code::VEX_Vdivpd_xmm_xmm_xmmm128,
    Code::VEX_Vdivps_ymm_ymm_ymmm256,
    Code::VEX_Vdivpd_ymm_ymm_ymmm256,
];

/// The lesser, or the second.
pub(super) const MIN: Floats = [
    Code::VEX_Vminss_xmm_xmm_xmmm32,
    Code::VEX_Vminsd_xmm_xmm_xmmm64,
    Code::VEX_Vminps_xmm_xmm_xmmm128,
    Code::VEX_Vminpd_xmm_xmm_xmmm128,
    Code::VEX_Vminps_ymm_ymm_ymmm256,
    Code::VEX_Vminpd_ymm_ymm_ymmm256,
];

/// The greater, or the second.
pub(super) const MAX: Floats = [
    Code::VEX_Vmaxss_xmm_xmm_xmmm32,
    Code::VEX_Vmaxsd_xmm_xmm_xmmm64,
    Code::VEX_Vmaxps_xmm_xmm_xmmm128,
    Code::VEX_Vmaxpd_xmm_xmm_xmmm128,
    Code::VEX_Vmaxps_ymm_ymm_ymmm256,
    Code::VEX_Vmaxpd_ymm_ymm_ymmm256,
];

/// Square roots.
pub(super) const SQRT: Floats = [
    Code::VEX_Vsqrtss_xmm_xmm_xmmm32,
    Code::VEX_Vsqrtsd_xmm_xmm_xmmm64,
    Code::VEX_Vsqrtps_xmm_xmmm128,
    Code::VEX_Vsqrtpd_xmm_xmmm128,
    Code::VEX_Vsqrtps_ymm_ymmm256,
    Code::VEX_Vsqrtpd_ymm_ymmm256,
];

/// Roundings, by a number.
pub(super) const ROUND: Floats = [
    Code::VEX_Vroundss_xmm_xmm_xmmm32_imm8,
    Code::VEX_Vroundsd_xmm_xmm_xmmm64_imm8,
    Code::VEX_Vroundps_xmm_xmmm128_imm8,
    Code::VEX_Vroundpd_xmm_xmmm128_imm8,
    Code::VEX_Vroundps_ymm_ymmm256_imm8,
    Code::VEX_Vroundpd_ymm_ymmm256_imm8,
];

/// Comparisons, by a number.
pub(super) const COMPARE: Floats = [
    Code::VEX_Vcmpss_xmm_xmm_xmmm32_imm8,
    Code::VEX_Vcmpsd_xmm_xmm_xmmm64_imm8,
    Code::VEX_Vcmpps_xmm_xmm_xmmm128_imm8,
    Code::VEX_Vcmppd_xmm_xmm_xmmm128_imm8,
    Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8,
    Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8,
];

/// Sums.
pub(super) const INTEGER_ADD: Integers = [
    [Code::VEX_Vpaddb_xmm_xmm_xmmm128, Code::VEX_Vpaddb_ymm_ymm_ymmm256],
    [Code::VEX_Vpaddw_xmm_xmm_xmmm128, Code::VEX_Vpaddw_ymm_ymm_ymmm256],
    [Code::VEX_Vpaddd_xmm_xmm_xmmm128, Code::VEX_Vpaddd_ymm_ymm_ymmm256],
    [Code::VEX_Vpaddq_xmm_xmm_xmmm128, Code::VEX_Vpaddq_ymm_ymm_ymmm256],
];

/// Differences.
pub(super) const INTEGER_SUB: Integers = [
    [Code::VEX_Vpsubb_xmm_xmm_xmmm128, Code::VEX_Vpsubb_ymm_ymm_ymmm256],
    [Code::VEX_Vpsubw_xmm_xmm_xmmm128, Code::VEX_Vpsubw_ymm_ymm_ymmm256],
    [Code::VEX_Vpsubd_xmm_xmm_xmmm128, Code::VEX_Vpsubd_ymm_ymm_ymmm256],
    [Code::VEX_Vpsubq_xmm_xmm_xmmm128, Code::VEX_Vpsubq_ymm_ymm_ymmm256],
];

/// Products.
pub(super) const INTEGER_MUL: Integers = [
    NONE,
    [Code::VEX_Vpmullw_xmm_xmm_xmmm128, Code::VEX_Vpmullw_ymm_ymm_ymmm256],
    [Code::VEX_Vpmulld_xmm_xmm_xmmm128, Code::VEX_Vpmulld_ymm_ymm_ymmm256],
    NONE,
];

/// The lesser of signed numbers.
pub(super) const SIGNED_MIN: Integers = [
    [Code::VEX_Vpminsb_xmm_xmm_xmmm128, Code::VEX_Vpminsb_ymm_ymm_ymmm256],
    [Code::VEX_Vpminsw_xmm_xmm_xmmm128, Code::VEX_Vpminsw_ymm_ymm_ymmm256],
    [Code::VEX_Vpminsd_xmm_xmm_xmmm128, Code::VEX_Vpminsd_ymm_ymm_ymmm256],
    NONE,
];

/// The greater of signed numbers.
pub(super) const SIGNED_MAX: Integers = [
    [Code::VEX_Vpmaxsb_xmm_xmm_xmmm128, Code::VEX_Vpmaxsb_ymm_ymm_ymmm256],
    [Code::VEX_Vpmaxsw_xmm_xmm_xmmm128, Code::VEX_Vpmaxsw_ymm_ymm_ymmm256],
    [Code::VEX_Vpmaxsd_xmm_xmm_xmmm128, Code::VEX_Vpmaxsd_ymm_ymm_ymmm256],
    NONE,
];

/// The lesser of unsigned numbers.
pub(super) const UNSIGNED_MIN: Integers = [
    [Code::VEX_Vpminub_xmm_xmm_xmmm128, Code::VEX_Vpminub_ymm_ymm_ymmm256],
    [Code::VEX_Vpminuw_xmm_xmm_xmmm128, Code::VEX_Vpminuw_ymm_ymm_ymmm256],
    [Code::VEX_Vpminud_xmm_xmm_xmmm128, Code::VEX_Vpminud_ymm_ymm_ymmm256],
    NONE,
];

/// The greater of unsigned numbers.
pub(super) const UNSIGNED_MAX: Integers = [
    [Code::VEX_Vpmaxub_xmm_xmm_xmmm128, Code::VEX_Vpmaxub_ymm_ymm_ymmm256],
    [Code::VEX_Vpmaxuw_xmm_xmm_xmmm128, Code::VEX_Vpmaxuw_ymm_ymm_ymmm256],
    [Code::VEX_Vpmaxud_xmm_xmm_xmmm128, Code::VEX_Vpmaxud_ymm_ymm_ymmm256],
    NONE,
];

/// Whether they are equal.
pub(super) const EQUAL: Integers = [
    [Code::VEX_Vpcmpeqb_xmm_xmm_xmmm128, Code::VEX_Vpcmpeqb_ymm_ymm_ymmm256],
    [Code::VEX_Vpcmpeqw_xmm_xmm_xmmm128, Code::VEX_Vpcmpeqw_ymm_ymm_ymmm256],
    [Code::VEX_Vpcmpeqd_xmm_xmm_xmmm128, Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256],
    [Code::VEX_Vpcmpeqq_xmm_xmm_xmmm128, Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256],
];

/// Whether the first is greater, signed.
pub(super) const GREATER: Integers = [
    [Code::VEX_Vpcmpgtb_xmm_xmm_xmmm128, Code::VEX_Vpcmpgtb_ymm_ymm_ymmm256],
    [Code::VEX_Vpcmpgtw_xmm_xmm_xmmm128, Code::VEX_Vpcmpgtw_ymm_ymm_ymmm256],
    [Code::VEX_Vpcmpgtd_xmm_xmm_xmmm128, Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256],
    [Code::VEX_Vpcmpgtq_xmm_xmm_xmmm128, Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256],
];

/// Without the sign.
pub(super) const ABS: Integers = [
    [Code::VEX_Vpabsb_xmm_xmmm128, Code::VEX_Vpabsb_ymm_ymmm256],
    [Code::VEX_Vpabsw_xmm_xmmm128, Code::VEX_Vpabsw_ymm_ymmm256],
    [Code::VEX_Vpabsd_xmm_xmmm128, Code::VEX_Vpabsd_ymm_ymmm256],
    NONE,
];

/// Lanes of 16, 32 and 64 bits, shifted by a constant.
pub(super) const SHIFT_LEFT: [[Code; 2]; 3] = [
    [Code::VEX_Vpsllw_xmm_xmm_imm8, Code::VEX_Vpsllw_ymm_ymm_imm8],
    [Code::VEX_Vpslld_xmm_xmm_imm8, Code::VEX_Vpslld_ymm_ymm_imm8],
    [Code::VEX_Vpsllq_xmm_xmm_imm8, Code::VEX_Vpsllq_ymm_ymm_imm8],
];

/// The same, to the right.
pub(super) const SHIFT_RIGHT: [[Code; 2]; 3] = [
    [Code::VEX_Vpsrlw_xmm_xmm_imm8, Code::VEX_Vpsrlw_ymm_ymm_imm8],
    [Code::VEX_Vpsrld_xmm_xmm_imm8, Code::VEX_Vpsrld_ymm_ymm_imm8],
    [Code::VEX_Vpsrlq_xmm_xmm_imm8, Code::VEX_Vpsrlq_ymm_ymm_imm8],
];

/// The same, with the sign; lanes of 16 and 32 bits.
pub(super) const SHIFT_SIGNED: [[Code; 2]; 2] = [
    [Code::VEX_Vpsraw_xmm_xmm_imm8, Code::VEX_Vpsraw_ymm_ymm_imm8],
    [Code::VEX_Vpsrad_xmm_xmm_imm8, Code::VEX_Vpsrad_ymm_ymm_imm8],
];

/// Shifts of lanes of 16, 32 and 64 bits by a number in a vector.
pub(super) const SHIFT_LEFT_BY_ANY: [[Code; 2]; 3] = [
    [Code::VEX_Vpsllw_xmm_xmm_xmmm128, Code::VEX_Vpsllw_ymm_ymm_xmmm128],
    [Code::VEX_Vpslld_xmm_xmm_xmmm128, Code::VEX_Vpslld_ymm_ymm_xmmm128],
    [Code::VEX_Vpsllq_xmm_xmm_xmmm128, Code::VEX_Vpsllq_ymm_ymm_xmmm128],
];

/// The same, to the right.
pub(super) const SHIFT_RIGHT_BY_ANY: [[Code; 2]; 3] = [
    [Code::VEX_Vpsrlw_xmm_xmm_xmmm128, Code::VEX_Vpsrlw_ymm_ymm_xmmm128],
    [Code::VEX_Vpsrld_xmm_xmm_xmmm128, Code::VEX_Vpsrld_ymm_ymm_xmmm128],
    [Code::VEX_Vpsrlq_xmm_xmm_xmmm128, Code::VEX_Vpsrlq_ymm_ymm_xmmm128],
];

/// The same, with the sign; lanes of 16 and 32 bits.
pub(super) const SHIFT_SIGNED_BY_ANY: [[Code; 2]; 2] = [
    [Code::VEX_Vpsraw_xmm_xmm_xmmm128, Code::VEX_Vpsraw_ymm_ymm_xmmm128],
    [Code::VEX_Vpsrad_xmm_xmm_xmmm128, Code::VEX_Vpsrad_ymm_ymm_xmmm128],
];

/// Shifts of lanes by lanes.
pub(super) const SHIFT_LEFT_BY_EACH: Integers = [
    NONE,
    NONE,
    [Code::VEX_Vpsllvd_xmm_xmm_xmmm128, Code::VEX_Vpsllvd_ymm_ymm_ymmm256],
    [Code::VEX_Vpsllvq_xmm_xmm_xmmm128, Code::VEX_Vpsllvq_ymm_ymm_ymmm256],
];
pub(super) const SHIFT_RIGHT_BY_EACH: Integers = [
    NONE,
    NONE,
    [Code::VEX_Vpsrlvd_xmm_xmm_xmmm128, Code::VEX_Vpsrlvd_ymm_ymm_ymmm256],
    [Code::VEX_Vpsrlvq_xmm_xmm_xmmm128, Code::VEX_Vpsrlvq_ymm_ymm_ymmm256],
];
pub(super) const SHIFT_SIGNED_BY_EACH: Integers =
    [NONE, NONE, [Code::VEX_Vpsravd_xmm_xmm_xmmm128, Code::VEX_Vpsravd_ymm_ymm_ymmm256], NONE];

/// Bits of both.
pub(super) const AND: [Code; 2] = [Code::VEX_Vpand_xmm_xmm_xmmm128, Code::VEX_Vpand_ymm_ymm_ymmm256];

/// Bits of the second that the first does not have.
pub(super) const AND_NOT: [Code; 2] = [Code::VEX_Vpandn_xmm_xmm_xmmm128, Code::VEX_Vpandn_ymm_ymm_ymmm256];

/// Bits of either.
pub(super) const OR: [Code; 2] = [Code::VEX_Vpor_xmm_xmm_xmmm128, Code::VEX_Vpor_ymm_ymm_ymmm256];

/// Bits of only one.
pub(super) const XOR: [Code; 2] = [Code::VEX_Vpxor_xmm_xmm_xmmm128, Code::VEX_Vpxor_ymm_ymm_ymmm256];

/// Products of the even lanes of 32 bits, unsigned.
pub(super) const PRODUCT: [Code; 2] =
    [Code::VEX_Vpmuludq_xmm_xmm_xmmm128, Code::VEX_Vpmuludq_ymm_ymm_ymmm256];

/// The third operand where the mask of the fourth is set, else the second.
pub(super) const BLEND: [Code; 2] =
    [Code::VEX_Vpblendvb_xmm_xmm_xmmm128_xmm, Code::VEX_Vpblendvb_ymm_ymm_ymmm256_ymm];

/// A vector from a register or memory.
pub(super) const MOVE_WHOLE: [Code; 2] = [Code::VEX_Vmovups_xmm_xmmm128, Code::VEX_Vmovups_ymm_ymmm256];
