// Goal: the tutorial of modules works as it stands, from an empty folder. Method: bash runs its
// commands, and `patch` makes its edit, on a free port; by day only up to the first test.
import { freePort } from '@orrery/database/embedded'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const PAGE = new URL('../../packages/module/TUTORIAL.md', import.meta.url)
const ORRERY = fileURLToPath(new URL('../../', import.meta.url))

const directory = mkdtempSync(join(tmpdir(), 'orrery-tutorial-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Its commands and edits, in their order. */
function steps(): string[] {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/^```(sh|diff)\n(.*?)^```/gms)
  return Array.from(blocks, ([, kind, block = '']) => {
    return kind === 'sh' ? block : `patch beacons.ts <<'END'\n${block}END\n`
  })
}

/** Exit code and output of commands, none of which outlives them. */
async function done(script: string, env: NodeJS.ProcessEnv): Promise<readonly [unknown, string]> {
  const end = "trap 'kill -INT $(jobs -p) 2>/dev/null || true; wait' EXIT"
  const child = spawn('bash', ['-c', `set -eo pipefail\n${end}\n${script}`], {
    cwd: directory,
    env,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
  }
  const [code] = await once(child, 'close')
  return [code, output]
}

test('leads from an empty folder to a module that runs', async () => {
  const port = await freePort()
  const all = steps().map((step) => step.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
  expect(all).toHaveLength(5)
  const script = (IS_NIGHT ? all : all.slice(0, 1)).join('\n')
  // Variables of the test runner are none of a reader's.
  const { HOME, PATH } = process.env
  const [code, output] = await done(script, { HOME, ORRERY, PATH, PORT: String(port) })
  expect([code, output]).toEqual([0, expect.stringContaining('beacons 1 loads.')])
  const last = IS_NIGHT ? '"charge":0,"lit":false,"emptied":0' : '✔ a battery lasts for a minute'
  expect(output).toContain(last)
})

test('names what no server takes, and what is there already', () => {
  const game = mkdtempSync(join(directory, 'wrong-'))
  const file = join(game, 'clock.ts')
  writeFileSync(file, 'export const clock = Date.now()\n')
  const said = (verb: string): string => {
    try {
      return execFileSync(join(ORRERY, 'scripts/orrery'), ['module', verb, game], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch (error) {
      return (error as { readonly stderr: string }).stderr
    }
  }
  expect(said('test')).toMatch(/^module: .*clock\.ts:1: there is no clock/)
  expect(said('new')).toMatch(/^module: .* is not empty\.$/m)
})
