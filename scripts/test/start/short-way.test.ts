// Goal: after the installation the commands run without a registry, without a Node on the path and
// from any directory. Method: `scripts/orrery` in a network namespace without interfaces, with a
// path that has the system's own programs only; and `npx pnpm` there.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SHORT_WAY = fileURLToPath(new URL('../../orrery', import.meta.url))

interface Ended {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

let directory: string
let bare: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-short-way-'))
  // The programs that the script itself uses.
  bare = join(directory, 'bin')
  await mkdir(bare)
  for (const name of ['dirname', 'readlink', 'sh']) await symlink(`/bin/${name}`, join(bare, name))
})

afterAll(() => rm(directory, { recursive: true }))

function run(program: string, args: readonly string[], cwd = directory): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { PATH: bare } }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr })
    })
  })
}

/** Whether this user may make a network of its own. */
const CAN_UNSHARE = await new Promise<boolean>((resolve) => {
  const child = spawn('unshare', ['--net', 'true'], { stdio: 'ignore' })
  child.once('error', () => resolve(false))
  child.once('exit', (code) => resolve(code === 0))
})

describe.skipIf(process.platform === 'win32')('scripts/orrery', () => {
  test.skipIf(!CAN_UNSHARE)('needs no network (a user who may make one of its own)', async () => {
    const args = [
      '--net',
      SHORT_WAY,
      'ephemeris',
      '--body',
      'Earth',
      '--at',
      '2026-11-21',
      '--json',
    ]
    const found = await run('/usr/bin/unshare', args)
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(found.stdout)).toMatchObject({ body: 'Earth' })
  })

  test.skipIf(!CAN_UNSHARE)('npx finds the pnpm of the installation (likewise)', async () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    // Without it npx would wait for the registry, and others for npx.
    expect(existsSync(join(root, 'node_modules/.bin/pnpm'))).toBe(true)
    const { PATH, HOME } = process.env
    const { stdout } = await promisify(execFile)('unshare', ['--net', 'npx', 'pnpm', '--version'], {
      cwd: root,
      env: { PATH, HOME },
    })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('passes arguments and the exit code on', async () => {
    const refused = await run(SHORT_WAY, ['admin', 'tick-rate', 'set', 'fast'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('A decimal number is expected.')
    if (!IS_NIGHT) return
    const help = await run(SHORT_WAY, ['admin', 'tick-rate', 'set', '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('orrery tick-rate set')
  })

  test('runs from another directory by a link', async () => {
    const link = join(directory, 'orrery')
    await symlink(SHORT_WAY, link)
    expect((await run(link, [])).stdout).toMatch(/Commands: start, serve, /)
  })

  test('has a line and an exit code for a full device', async () => {
    const full = openSync('/dev/full', 'w')
    const commands = [
      ['ephemeris', 2],
      ['admin', 6],
      ['backup', 2],
    ] as const
    for (const [name, code] of IS_NIGHT ? commands : commands.slice(0, 1)) {
      const stdio = ['ignore', full, 'pipe'] as const
      const child = spawn(SHORT_WAY, [name, '--help'], { env: { PATH: bare }, stdio: [...stdio] })
      let stderr = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
      expect([name, ...(await once(child, 'close'))]).toEqual([name, code, null])
      expect(stderr).toMatch(/^[\w ]+: The output cannot be written: ENOSPC[^\n]*\n$/)
    }
  })

  test('names what is no command, and what needs pnpm', async () => {
    const unknown = await run(SHORT_WAY, ['strat'])
    expect([unknown.code, unknown.stderr]).toEqual([2, 'There is no command strat.\n'])
    const other = await run(SHORT_WAY, ['format'])
    expect([other.code, other.stderr]).toEqual([2, 'Run this one as: npx pnpm format\n'])
  })
})
