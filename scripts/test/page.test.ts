// Goal: `npx pnpm start` finds a page on a machine where nothing is set. Method: the command that
// builds it runs in an empty directory, as in a fresh clone.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const COMMAND = fileURLToPath(new URL('../page.ts', import.meta.url))
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env

test('builds the page into .data of the working directory', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'orrery-page-'))
  try {
    const env = { PATH, HOME, NODE_COMPILE_CACHE }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND], { cwd, env })
    expect([stdout, stderr]).toEqual(['', ''])
    expect(await readdir(join(cwd, '.data'))).toEqual(['page'])
    const page = await readFile(join(cwd, '.data', 'page', 'index.html'), 'utf8')
    expect(page).toContain('<canvas')
  } finally {
    await rm(cwd, { recursive: true })
  }
})
