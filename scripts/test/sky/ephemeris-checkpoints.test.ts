// Goal: a mistyped `scripts/orrery checkpoints` neither starts 40 minutes of work nor touches the
// file. Method: the script as a real process.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../sky/checkpoints.ts', import.meta.url))

function checkpoints(...args: string[]) {
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', timeout: 30_000 })
}

test('help goes to stdout', () => {
  const { status, stdout } = checkpoints('--help')
  expect(status).toBe(0)
  expect(stdout).toMatch(/--out FILE/)
})

test('an unknown option is one line on stderr and exit code 2', () => {
  const { status, stdout, stderr } = checkpoints('--output', 'x')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^checkpoints: .*--output.*\n$/)
})
