// Goal: a build of the page that is killed costs nothing but the page: the server that started it
// goes on and says so, and the next build removes what was left; one that fails is no success.
import { processesOf, startService } from '@orrery/testkit'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const CAN_KILL_BUILDS = process.platform === 'linux'
const PAGE = fileURLToPath(new URL('../../page.ts', import.meta.url))

test.runIf(IS_NIGHT && CAN_KILL_BUILDS)('the server goes on, and names what ended', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-killed-page-'))
  const data = join(directory, 'data')
  const server = startService({
    main: import.meta.resolve('../../start.ts'),
    directory,
    variables: { DATA_DIR: data, PORT: '0' },
  })
  try {
    // Before it has listened: the build takes longer than that.
    const begun = async (): Promise<void> => {
      await expect
        .poll(() => buildsOf(server.pid), { interval: 5 })
        .toContainEqual(expect.any(Number))
    }
    // It rejects as soon as the server ends.
    await Promise.race([begun(), server.ready])
    for (const pid of buildsOf(server.pid)) process.kill(pid, 'SIGKILL')
    const url = await server.ready
    await server.announced(/(The page is not built: SIGKILL ended its build\.)/)
    expect(await (await fetch(url)).text()).toContain('http-equiv="refresh"')
    expect((await (await fetch(`${url}/api/status`)).json()) as object).toHaveProperty('tick')

    const unfinished = `page.${await endedPid()}`
    await mkdir(join(data, unfinished), { recursive: true })
    execFileSync(process.execPath, [PAGE], { env: { ...process.env, DATA_DIR: data } })
    expect((await readdir(data)).toSorted()).toEqual(['game', 'page'])
    expect(await readFile(join(data, 'page', 'index.html'), 'utf8')).toContain('<canvas')
    await expect.poll(async () => (await fetch(url)).text()).toContain('<canvas')
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await rm(directory, { recursive: true, force: true })
  }
})

test('a build that fails says why, and exits with 1', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-no-page-'))
  try {
    const file = join(directory, 'file')
    await writeFile(file, '')
    const env = { ...process.env, DATA_DIR: join(file, 'data') }
    const { status, stderr } = spawnSync(process.execPath, [PAGE], { env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The page is not built: .*ENOTDIR.*\n$/),
    })
  } finally {
    await rm(directory, { recursive: true })
  }
})

/** Ids of a server's children that build the page. */
function buildsOf(server: number | undefined): number[] {
  return processesOf(Number(server), 'parent').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(PAGE)
    } catch {
      return false
    }
  })
}

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return Number(child.pid)
}
