// Goal: a mistyped `scripts/orrery checkpoints` neither starts 40 minutes of work nor touches the
// file. Method: the script, at night as a real process.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Outcome, runHere } from '../command-here.ts'

const script = new URL('../../sky/checkpoints.ts', import.meta.url)

async function checkpoints(...args: string[]): Promise<Outcome> {
  if (!IS_NIGHT) return runHere(script, args, { directory: process.cwd(), env: process.env })
  const options = { encoding: 'utf8', timeout: 30_000 } as const
  const { status, ...output } = spawnSync(
    process.execPath,
    [fileURLToPath(script), ...args],
    options,
  )
  return { code: status ?? -1, ...output }
}

test('help goes to stdout', async () => {
  const { code, stdout } = await checkpoints('--help')
  expect(code).toBe(0)
  expect(stdout).toMatch(/--out FILE/)
})

test('an unknown option is one line on stderr and exit code 2', async () => {
  const { code, stdout, stderr } = await checkpoints('--output', 'x')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^checkpoints: .*--output.*\n$/)
})
