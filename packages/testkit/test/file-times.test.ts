// Goal: a file that takes more than twice its budget is named, one that is a little slow or new is
// not; written times replace those of the files that ran and no others; what files have started is
// counted, also where it runs on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDurations, writeDurations } from '../src/runs/durations.ts'
import { overBudget } from '../src/runs/file-times.ts'
import { startsText } from '../src/runs/started-processes.ts'
import { processesBelow } from '../src/services/processes.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-times-'))
})
afterAll(() => rm(directory, { recursive: true }))

const took = (processor: number): { seconds: number; processor: number } => ({
  seconds: processor,
  processor,
})

test('a file that takes more than twice its budget is named', () => {
  const budgets = { long: took(10), short: took(0.5), slower: took(10) }
  const times = { long: took(20.1), short: took(3.4), slower: took(19.9), new: took(99) }
  expect(overBudget(times, budgets)).toEqual([
    'long took 20.1 s of processor time; its budget is 10 s.',
  ])
  expect(overBudget({ short: took(3.6) }, budgets)).toHaveLength(1)
})

test('times replace those of the files that ran; rows of deleted files go', async () => {
  const path = join(directory, 'durations.json')
  const present = relative('.', join(directory, 'present.test.ts'))
  await writeFile(present, '')
  writeDurations(path, { [present]: took(1), 'gone.test.ts': took(2) })
  writeDurations(path, { 'ran.test.ts': took(3) })
  expect(readDurations(path)).toEqual({ 'ran.test.ts': took(3), [present]: took(1) })
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(5)
})

test('what all files have started is summed by its kind', () => {
  const files = [{ servers: 1, databases: 0, browsers: 0 }, { servers: 2, browsers: 1 }, {}]
  expect(startsText(files)).toBe('3 servers, 1 browsers')
  expect(startsText([])).toBe('')
})

test.runIf(process.platform === 'linux')('children of children are below a process', async () => {
  const code = `const child = require('child_process').spawn('cat')
    process.stdin.resume().pipe(child.stdin)
    console.log(child.pid)`
  const child = spawn(process.execPath, ['--eval', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [pid] = await once(child.stdout, 'data')
  expect(processesBelow(process.pid)).toEqual(expect.arrayContaining([child.pid, Number(pid)]))
  child.stdin.end()
  await once(child, 'exit')
  expect(processesBelow(process.pid)).not.toContain(child.pid)
})
