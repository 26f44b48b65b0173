// Law: a first start and a first flight print what the README shows, and the page is there on a
// machine where nothing is set; where no secrets can be kept, one line says so. Method: the
// commands' own files, in an empty directory as in a fresh clone; ids, times, numbers and the
// password may differ.
import { lineShape, readmeSample } from '@orrery/testkit/readme-sample'
import { startService } from '@orrery/testkit'
import { testPatience } from '@orrery/testkit/tier'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../command-here.ts'

/** Its build gives way to every other process. */
const PAGE_MS_MAX = 150_000 * testPatience()

const README = new URL('../../../README.md', import.meta.url)

function shape(line: string): string {
  return lineShape(line.replace(/password \S+/, 'password #').replaceAll(/_[0-9a-f]{8}/g, '_#'))
}

function shown(command: string): readonly string[] {
  return readmeSample(README, command).map(shape)
}

test.each([
  ['written', 'EEXIST', (path: string): Promise<void> => symlink('nowhere', path)],
  ['read', 'EISDIR', (path: string): Promise<void> => mkdir(path)],
])('a file of secrets that cannot be %s ends the start with one line', async (_, code, make) => {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-start-'))
  await make(join(directory, '.env'))
  const start = new URL('../../start.ts', import.meta.url)
  expect(await runHere(start, [], { directory, env: {} })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`^Cannot start: ${code}: .*; without .env, set JWT_SECRET_KEY, .*\\n$`),
    ),
  })
  expect(await readdir(directory)).toEqual(['.env'])
  await rm(directory, { recursive: true })
})

test(
  'npx pnpm start, then scripts/orrery watch',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'orrery-start-'))
    const server = startService({
      main: import.meta.resolve('../../start.ts'),
      directory,
      variables: { PORT: '0' },
    })
    try {
      const url = await server.ready
      const printed = server.output().stdout.trimEnd().split('\n')
      expect(printed.map(shape)).toEqual(shown('npx pnpm start'))
      const [, password] = /password (\S+)/.exec(printed[0]) ?? []
      const secrets = join(directory, '.env')
      expect(await readFile(secrets, 'utf8')).toContain(`ADMIN_PASSWORD=${password}\n`)
      expect((await stat(secrets)).mode & 0o777).toBe(0o600)
      const page = async (): Promise<string> => (await fetch(url)).text()
      expect(await page()).toMatch(/<canvas|http-equiv="refresh"/)
      await expect.poll(page, { timeout: PAGE_MS_MAX }).toContain('<canvas')
      // What the build leaves beside it goes a moment after.
      const kept = async (): Promise<string[]> =>
        (await readdir(join(directory, '.data'))).toSorted()
      await expect.poll(kept).toEqual(['game', 'page'])
      expect(server.output().stderr).not.toContain('The page is not built')

      const args = ['--url', url, '--thrust', '1']
      const watch = startService({
        main: import.meta.resolve('../../watch.ts'),
        args,
        variables: {},
      })
      await watch.announced(/(fuel .* of \d+ kg\n)/)
      await watch.kill()
      const [pilot, ...moments] = watch.output().stdout.trimEnd().split('\n')
      const [pilotShown, ...moment] = shown('scripts/orrery watch')
      expect(shape(pilot)).toBe(pilotShown)
      expect(moments.slice(-moment.length).map(shape)).toEqual(moment)
      expect(await server.stop()).toBe(0)
    } finally {
      await server.kill()
      await rm(directory, { recursive: true, force: true })
    }
  },
  2 * PAGE_MS_MAX,
)
