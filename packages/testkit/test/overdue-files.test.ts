// Goal: a run with a test that never ends ends, fails, and names the file and what became of its
// tests; other files are not named.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))
const CONFIG = join(import.meta.dirname, 'endless/vitest.config.ts')

test('a file that does not end is named, and the run fails', async () => {
  const { code, output } = await run()
  expect(output).toMatch(/endless\.ts has not ended in [\d.]+ s\./)
  expect(output).toMatch(/ {2}passed: a product$/m)
  expect(output).toMatch(/ {2}failed: a wrong product: expected 4 to be 5/)
  expect(output).toMatch(/ {2}not ended: a wait that no timer ends$/m)
  expect(output).not.toMatch(/short\.ts has not ended/)
  expect(code).toBe(1)
})

async function run(): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [VITEST, 'run', '--config', CONFIG], (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    })
  })
}
