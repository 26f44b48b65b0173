/**
 * Compiles the kernel. Run as a program it writes pull.wasm, which is committed:
 *
 *     node packages/sim/kernel/build.ts
 */
import { readFile, writeFile } from 'node:fs/promises'

/**
 * No runtime and no memory of its own: the kernel works on whatever shared memory it is given,
 * up to all that 32 bits address. Relaxed SIMD stays disabled, as the compiler has it.
 */
const FLAGS = [
  '--importMemory --sharedMemory --noExportMemory --initialMemory 1 --maximumMemory 65536',
  '--runtime stub --noAssert -O3 --converge --enable simd --enable threads',
].flatMap((line) => line.split(' '))

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
    ['pull.ts', '--outFile', 'pull.wasm', '--textFile', 'pull.wat', ...FLAGS, ...flags],
    {
      // The source is not TypeScript, so it is not called so where TypeScript tools look.
      readFile: (name) => (name === 'pull.ts' ? source : null),
      writeFile: (name, contents) => void written.set(name, contents),
      listFiles: () => [],
    },
  )
  if (error) throw new Error(`The kernel does not compile. ${stderr.toString()}`, { cause: error })
  return {
    wasm: written.get('pull.wasm') as Uint8Array,
    text: written.get('pull.wat') as string,
  }
}

/** The kernel from its source beside this file. */
export async function compileKernel(): Promise<Compiled> {
  return compile(await readFile(new URL('pull.as', import.meta.url), 'utf8'))
}

if (import.meta.main) {
  const { wasm } = await compileKernel()
  await writeFile(new URL('pull.wasm', import.meta.url), wasm)
  console.log(`pull.wasm: ${wasm.length} bytes`)
}
