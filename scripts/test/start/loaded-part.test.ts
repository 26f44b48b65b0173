// Goal: an installation for release keeps of Node only what is loaded, and it runs. Method: a copy
// of the Node that runs the test.
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepLoadedPart } from '../../install/loaded-part.ts'

const run = promisify(execFile)

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-loaded-'))
})

afterAll(() => rm(directory, { recursive: true }))

test.runIf(process.platform === 'linux')('Node runs threads without its symbols', async () => {
  const node = join(directory, 'node')
  await copyFile(process.execPath, node)
  const { size, mode } = await stat(node)

  const saved = keepLoadedPart(node)

  expect(saved).toBeGreaterThan(10_000_000)
  expect(await stat(node)).toMatchObject({ size: size - saved, mode })
  const thread = "require('node:worker_threads').parentPort.postMessage(process.version)"
  const script = `const { Worker } = require('node:worker_threads')
    new Worker(${JSON.stringify(thread)}, { eval: true }).once('message', console.log)`
  const { stdout } = await run(node, ['--eval', script])
  expect(stdout.trim()).toBe(process.version)
  // A second installation finds nothing to remove.
  expect(keepLoadedPart(node)).toBe(0)
})

test('a file of another format stays as it is', async () => {
  const path = join(directory, 'script')
  await writeFile(path, '#!/bin/sh\nexit 7\n')
  expect(keepLoadedPart(path)).toBe(0)
  expect(await readFile(path, 'utf8')).toBe('#!/bin/sh\nexit 7\n')
})
