/**
 * Compiles the kernels. Run as a program it writes ship.wasm and massive.wasm, which are
 * committed:
 *
 *     node packages/sim/kernel/build.ts
 */
import { readFile, writeFile } from 'node:fs/promises'

/** No runtime; and relaxed SIMD stays disabled, as the compiler has it. */
const FLAGS = [
  '--outFile kernel.wasm --textFile kernel.wat',
  '--runtime stub --noAssert -O3 --converge --enable simd',
]

/** What else each kernel is compiled with. */
const KERNELS: Readonly<Record<string, readonly string[]>> = {
  // Whatever shared memory it is given, up to all that 32 bits address.
  ship: [
    '--importMemory --sharedMemory --noExportMemory --initialMemory 1 --maximumMemory 65536',
    '--enable threads',
  ],
  // A memory of its own, two pages, with its numbers at the very beginning.
  massive: ['--initialMemory 2 --maximumMemory 2 --memoryBase 16'],
}

export const KERNEL_NAMES: readonly string[] = Object.keys(KERNELS)

export interface Compiled {
  readonly wasm: Uint8Array
  /** the same module in the text format */
  readonly text: string
}

/** What is used of the compiler: its own types would declare AssemblyScript's globals here. */
interface Compiler {
  main(
    flags: readonly string[],
    io: {
      readFile(name: string): string | null
      writeFile(name: string, contents: string | Uint8Array): void
      listFiles(): string[]
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>
}

/** AssemblyScript as a module. @throws {Error} with the compiler's messages */
export async function compile(source: string, ...flags: readonly string[]): Promise<Compiled> {
  const compiler = (await import(import.meta.resolve('assemblyscript/asc'))) as Compiler
  const written = new Map<string, string | Uint8Array>()
  const { error, stderr } = await compiler.main(
    ['kernel.ts', ...[...FLAGS, ...flags].flatMap((line) => line.split(' '))],
    {
      // The source is not TypeScript, so it is not called so where TypeScript tools look.
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, contents) => void written.set(name, contents),
      listFiles: () => [],
    },
  )
  if (error) throw new Error(`The kernel does not compile. ${stderr.toString()}`, { cause: error })
  return {
    wasm: written.get('kernel.wasm') as Uint8Array,
    text: written.get('kernel.wat') as string,
  }
}

/** A kernel from its source beside this file. */
export async function compileKernel(name: string): Promise<Compiled> {
  const source = await readFile(new URL(`${name}.as`, import.meta.url), 'utf8')
  return compile(source, ...KERNELS[name])
}

if (import.meta.main) {
  for (const name of KERNEL_NAMES) {
    const { wasm } = await compileKernel(name)
    await writeFile(new URL(`${name}.wasm`, import.meta.url), wasm)
    console.log(`${name}.wasm: ${wasm.length} bytes`)
  }
}
