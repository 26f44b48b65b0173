// Law: a run of a cluster that fails ends by itself, one that is interrupted at once; neither
// leaves a process or a file. Method: the real command, its temporary files in one directory.
import { type ServiceProcess, processesLeft, startService } from '@orrery/testkit'
import { NATS_SERVER } from '@orrery/testkit/nats-server'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const LEFT_MS_MAX = 5000

/** Fails the run while pilots, jumps and watchers are there. */
const FAILING = `
  const { write } = process.stdout
  process.stdout.write = function (...given) {
    if (String(given[0]).includes('longest time')) throw new Error('It is full.')
    return write.apply(this, given)
  }`

let directory: string
let command: ServiceProcess | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'orrery-cluster-end-'))
})

afterEach(async () => {
  await command?.kill()
  rmSync(directory, { recursive: true, force: true })
})

function start(nodeArgs: readonly string[]): ServiceProcess {
  command = startService({
    main: import.meta.resolve('../../cluster.ts'),
    args: ['--kills', '1', '--clients', '4', '--minutes', '5'],
    variables: { TMPDIR: directory, TMPDIR_OF_RUN: undefined, NATS_SERVER },
    nodeArgs,
  })
  return command
}

async function leftovers(): Promise<unknown> {
  const processes = await processesLeft(directory, LEFT_MS_MAX)
  return { processes, files: readdirSync(directory) }
}

test.skipIf(!NATS_SERVER)('a run that fails ends by itself and leaves nothing', async () => {
  const run = start(['--import', `data:text/javascript,${encodeURIComponent(FAILING)}`])
  expect(await run.ended).toBe(1)
  expect(run.output().stdout).toContain('It is full.')
  expect(await leftovers()).toEqual({ processes: [], files: [] })
})

test.skipIf(!NATS_SERVER)('a run that is interrupted leaves nothing', async () => {
  const run = start([])
  await run.announced(/(longest time)/)
  process.kill(run.pid!, 'SIGINT')
  expect(await run.ended).toBe(130)
  expect(await leftovers()).toEqual({ processes: [], files: [] })
})
