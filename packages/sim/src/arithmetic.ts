import { CASES } from './arithmetic-cases.ts'
import { SimError } from './sim-error.ts'

/** What an engine computes for up to three operands. */
export type Arithmetic = Readonly<
  Record<keyof typeof CASES, (a: number, b: number, c: number) => number>
>

/** All arithmetic that the simulation uses, and the compounds that must not be contracted. */
export const ARITHMETIC: Arithmetic = {
  root: (a) => Math.sqrt(a),
  sum: (a, b) => a + b,
  difference: (a, b) => a - b,
  product: (a, b) => a * b,
  quotient: (a, b) => a / b,
  remainder: (a, b) => a % b,
  productPlus: (a, b, c) => a * b + c,
  minusProduct: (a, b, c) => a - b * c,
  sumOfSquares: (a, b) => a * a + b * b,
  productOver: (a, b, c) => (a * b) / c,
  single: (a) => Math.fround(a),
  truncated: (a) => Math.trunc(a),
  floor: (a) => Math.floor(a),
  magnitude: (a) => Math.abs(a),
  lesser: (a, b) => Math.min(a, b),
  greater: (a, b) => Math.max(a, b),
  lowProduct: (a, b) => Math.imul(a, b),
}

/** Often enough that V8 compiles the common operations on the way, and is tried as it will run. */
const ROUNDS = 40

/** Decimal numbers at and around the middle between two doubles, and the word of each. */
const DECIMALS = [
  ['0.1', '3fb999999999999a'],
  ['9007199254740993', '4340000000000000'],
  ['9007199254740993.0000000000000000000001', '4340000000000001'],
  ['9007199254740995', '4340000000000002'],
  ['1.7976931348623158e308', '7fefffffffffffff'],
  ['2.2250738585072011e-308', '000fffffffffffff'],
  ['2.4703282292062328e-324', '0000000000000001'],
] as const

/**
 * Refuses an engine whose numbers are not IEEE 754 doubles, lowest byte first, every operation
 * rounded once to nearest: its worlds would differ from everyone else's. Takes milliseconds.
 *
 * @param arithmetic  what is tried; the engine's own when left out
 * @throws {SimError} 'ERR_ARITHMETIC' naming the first case that fails
 */
export function assertExactArithmetic(arithmetic: Arithmetic = ARITHMETIC): void {
  assertByteOrder()
  for (const [text, word] of DECIMALS) {
    if (!Object.is(Number(text), number(word))) refuse(text, `${Number(text)}`, `${number(word)}`)
  }
  for (const [name, rows] of Object.entries(CASES)) {
    const cases = rows.flatMap((row) =>
      row.split(', ').map((words) => words.split(' ').map(number)),
    )
    const operation = arithmetic[name as keyof Arithmetic]
    for (let round = 0; round < ROUNDS; round++) {
      for (const numbers of cases) {
        const [a, b, c] = numbers
        const result = operation(a, b, c)
        const expected = numbers[numbers.length - 1]
        if (!Object.is(result, expected)) {
          refuse(`${name}(${numbers.slice(0, -1).join(', ')})`, `${result}`, `${expected}`)
        }
      }
    }
  }
}

function assertByteOrder(): void {
  const double = new Uint8Array(Float64Array.of(number('3ff0000000000001')).buffer)
  const single = new Uint8Array(Float32Array.of(number('3ff0000020000000')).buffer)
  const bytes = `${double.join()} ${single.join()}`
  const expected = '1,0,0,0,0,0,240,63 1,0,128,63'
  if (bytes !== expected) refuse('bytes of numbers', bytes, expected)
}

/** The double whose bits a hexadecimal word has. */
function number(word: string): number {
  return new Float64Array(BigUint64Array.of(BigInt(`0x${word}`)).buffer)[0]
}

function refuse(what: string, found: string, expected: string): never {
  throw new SimError(
    'ERR_ARITHMETIC',
    `On this engine ${what} is ${found} when ${expected} is exactly rounded.`,
  )
}
