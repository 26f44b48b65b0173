/**
 * Law: the committed kernels are their sources, compiled. Goal: equal bytes; and no instruction
 * in them whose result an engine may choose. The text listing comes from the same module as the
 * bytes, and names every instruction once per line, so a list of all names that occur is
 * complete; what is allowed is written out, and a module with a relaxed multiply-add is refused.
 */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { KERNEL_NAMES, compile, compileKernel } from '../../kernel/build.ts'

/** More bytes than this would be another kernel. */
const BYTES_MAX: Readonly<Record<string, number>> = { ship: 6144, massive: 6144 }

const STRUCTURE = words('module type func param result import memory export local global data')

const EXACT = words(
  'block loop if then else end br br_if select call drop',
  'local.get local.set local.tee',
  'i32.const i32.add i32.sub i32.mul i32.shl i32.shr_u i32.and i32.eqz',
  'i32.eq i32.lt_u i32.gt_u i32.ge_u i32.trunc_sat_f64_u i32.ne',
  'f64.const f64.load f64.store f64.add f64.sub f64.mul f64.div f64.sqrt f64.ne f64.gt',
  'f64.convert_i32_u',
  'v128.const v128.load v128.load64_splat v128.store v128.store64_lane v128.any_true',
  'f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.sqrt f64x2.lt f64x2.gt v128.bitselect',
  'f64x2.splat f64x2.extract_lane i64x2.all_true',
)

describe.each(KERNEL_NAMES)('the kernel %s', async (name) => {
  const { wasm, text } = await compileKernel(name)

  it('is what its source compiles to, byte for byte, and small', async () => {
    const committed = new URL(`../../kernel/${name}.wasm`, import.meta.url)
    expect(Buffer.from(wasm).equals(await readFile(committed))).toBe(true)
    expect(wasm.length).toBeLessThan(BYTES_MAX[name])
  })

  it('has only instructions that every engine rounds alike', () => {
    expect(instructions(text)).toContain('f64x2.sqrt')
    expect(instructions(text).filter((each) => !EXACT.has(each))).toEqual([])
  })
})

it('refuses a kernel with a fused multiply-add', async () => {
  const fused = await compile(
    `export function pull(at: usize): void {
      const x = v128.load(at)
      v128.store(at, f64x2.relaxed_madd(x, x, x))
    }`,
    '--enable',
    'relaxed-simd',
  )
  expect(instructions(fused.text).filter((name) => !EXACT.has(name))).toEqual([
    'f64x2.relaxed_madd',
  ])
})

/** Every name that opens a line or a parenthesis of the listing, but the words of structure. */
function instructions(text: string): string[] {
  const names = text.matchAll(/(?:^\s*|\()([a-z][\w.]*)/gm)
  return [...new Set([...names].map(([, name]) => name))].filter((name) => !STRUCTURE.has(name))
}

function words(...lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
