// Goal: a file that takes more than twice its budget is named, one that is a little slow or new is
// not; written times replace those of the files that ran and no others.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDurations, writeDurations } from '../src/runs/durations.ts'
import { overBudget } from '../src/runs/file-times.ts'

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
