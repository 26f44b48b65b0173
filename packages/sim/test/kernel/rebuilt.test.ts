/**
 * Law: the committed kernel is its source, compiled. Goal: equal bytes; and no instruction in it
 * whose result an engine may choose. The text listing comes from the same module as the bytes,
 * and names every instruction once per line, so a list of all names that occur is complete; what
 * is allowed is written out, and a module with a relaxed multiply-add is refused.
 */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { compile, compileKernel } from '../../kernel/build.ts'

const COMMITTED = new URL('../../kernel/pull.wasm', import.meta.url)

const STRUCTURE = words('module type func param result import memory export local')

const EXACT = words(
  'block loop if then else end br br_if select local.get local.set local.tee',
  'i32.const i32.add i32.sub i32.shl i32.shr_u i32.and i32.lt_u i32.le_u i32.gt_u i32.ge_u',
  'v128.const v128.load v128.load64_splat v128.store v128.store64_lane',
  'f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.sqrt',
)

const { wasm, text } = await compileKernel()

it('is what its source compiles to, byte for byte, and small', async () => {
  expect(Buffer.from(wasm).equals(await readFile(COMMITTED))).toBe(true)
  expect(wasm.length).toBeLessThan(1024)
})

it('has only instructions that every engine rounds alike', async () => {
  expect(instructions(text)).toContain('f64x2.sqrt')
  expect(instructions(text).filter((name) => !EXACT.has(name))).toEqual([])
})

it('would be caught with a fused multiply-add', async () => {
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
