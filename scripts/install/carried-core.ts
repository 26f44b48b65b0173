/** Bundles the core of this release with its data, to be carried by the next one. */
import { globSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CARRIED_FILE, CARRIED_PROGRAM, carriedFileOf } from '@orrery/gateway/carried-file'
import { VERSION } from '@orrery/http'
import { ROOT } from '@orrery/http/bundle'
import { PHYSICS } from '@orrery/sim'
import { type Plugin, rolldown } from 'rolldown'

const PROGRAM = join(ROOT, 'packages/gateway/src/carried/carried-process.ts')

/** Files that its modules read, which stand beside the program. */
const DATA = ['packages/catalog/data/*.bin', 'packages/sim/kernel/*.wasm']

/** @param directory  is replaced as a whole */
export async function carryCore(directory: string): Promise<void> {
  const bundle = await rolldown({
    input: PROGRAM,
    platform: 'node',
    plugins: [besideProgram()],
    // All bits are those of the sources.
    optimization: { inlineConst: false },
  })
  await mkdir(join(directory, '..'), { recursive: true })
  const unfinished = await mkdtemp(`${directory}.new-`)
  try {
    const fileNames = { entryFileNames: CARRIED_PROGRAM, chunkFileNames: '[name]-[hash].mjs' }
    await bundle.write({ dir: unfinished, format: 'esm', minify: true, ...fileNames })
    for (const path of globSync(DATA, { cwd: ROOT })) {
      await copyFile(join(ROOT, path), join(unfinished, basename(path)))
    }
    const file = carriedFileOf(PHYSICS, VERSION)
    await writeFile(join(unfinished, CARRIED_FILE), `${JSON.stringify(file)}\n`)
    await rm(directory, { recursive: true, force: true })
    await rename(unfinished, directory)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

function besideOf(name: string): string {
  return `new URL('./${name}', import.meta.url)`
}

/** Modules find their data beside the program, wherever that is. */
function besideProgram(): Plugin {
  return {
    name: 'beside-program',
    transform(code, id) {
      if (id.startsWith('\0')) return null
      return code
        .replaceAll(/new URL\('[^']*\/([^/']+\.bin)', import\.meta\.url\)/g, besideOf('$1'))
        .replaceAll("import.meta.resolve('@orrery/sim/kernel.wasm')", besideOf('ship.wasm'))
        .replaceAll("import.meta.resolve('@orrery/sim/massive.wasm')", besideOf('massive.wasm'))
    },
  }
}
