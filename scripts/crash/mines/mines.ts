/** The modules of a run: mining, with a drill that reaches everywhere, and missions. */
import type { GameModules } from '@orrery/engine/modules'
import { loadModules } from '@orrery/module/load'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Mines {
  /** `MODULES` of the server, the shipped version of mining alone at first */
  files: string
  /** of both versions of mining, to replay with */
  readonly modules: GameModules
  /** from the next start on the server has a newer version of mining, too */
  upgrade(): void
}

const SHIPPED = '../../../packages/module/src'
const MINING = readFileSync(new URL(`${SHIPPED}/mining.ts`, import.meta.url), 'utf8')

/** @param directory  for files, which the caller removes */
export async function createMines(directory: string): Promise<Mines> {
  const missions = fileURLToPath(new URL(`${SHIPPED}/missions.ts`, import.meta.url))
  const written = (name: string, source: string): string => {
    const file = join(directory, name)
    writeFileSync(file, source)
    return file
  }
  const source = withoutReach(MINING)
  const [shipped, newer] = [
    written('mining.ts', source),
    written('newer-mining.ts', nextVersion(source)),
  ]
  const all = [shipped, newer, missions]
  const mines = {
    files: [shipped, missions].join(','),
    modules: await loadModules(all),
    upgrade: () => {
      mines.files = all.join(',')
    },
  }
  return mines
}

function withoutReach(source: string): string {
  const far = replaced(source, /^const REACH = \d+$/m, () => 'const REACH = 1e15')
  return replaced(far, /^const SPEED = [\d.]+$/m, () => 'const SPEED = 1e9')
}

function nextVersion(source: string): string {
  let version = 0
  const next = replaced(source, /version: (\d+),/, (_, digits) => {
    version = Number(digits)
    return `version: ${version + 1},`
  })
  return replaced(next, /from: \{.*\},/, () => `from: { ${version}: {} },`)
}

/** @throws {Error} when the shipped module is written otherwise */
function replaced(
  source: string,
  before: RegExp,
  after: (whole: string, part: string) => string,
): string {
  if (!before.test(source)) throw new Error(`mining.ts has no ${before}`)
  return source.replace(before, after)
}
