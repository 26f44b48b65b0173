// Goal: a run with a test that never ends ends, fails, and names the file; others are not named.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))
const CONFIG = join(import.meta.dirname, 'endless/vitest.config.ts')

test('a file that does not end is named, and the run fails', async () => {
  const { code, output } = await run()
  expect(output).toMatch(/endless\.ts has not ended in 4 s\./)
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
