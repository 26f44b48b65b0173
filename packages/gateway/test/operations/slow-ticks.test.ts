// Goal: the log has that ticks take longer than their period, that the process stood still, and
// that the disk is nearly full, and not at each tick or look. Method: simulated time; the lines are
// collected.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSlowTickLog } from '../../src/operations/slow-ticks.ts'
import { createStandstillLog } from '../../src/operations/standstill.ts'
import { createStorageWatch } from '../../src/operations/storage-watch.ts'

test('slow ticks are logged once in ten seconds, with their number', () => {
  const lines: unknown[] = []
  let nowMs = 0
  const log = createSlowTickLog({ warn: (line: unknown) => void lines.push(line) }, () => nowMs)
  const phases = { ephemeris: 1, orders: 0, flight: 148, views: 1 }
  const tick = (utilisation: number): void => {
    nowMs += 100
    log({ durationMs: 100 * utilisation, utilisation, phases })
  }
  for (let i = 0; i < 600; i++) tick(1)
  expect(lines).toEqual([])
  for (let i = 0; i < 250; i++) tick(1.5)
  expect(lines).toEqual(
    [1, 100, 100].map((slow) => ({ slow_ticks: slow, duration_ms: 150, phases_ms: phases })),
  )
  for (let i = 0; i < 600; i++) tick(0.5)
  tick(2)
  expect(lines.at(-1)).toMatchObject({ slow_ticks: 50, duration_ms: 200 })
})

test('a standstill is logged with its time and the ticks that it cost', () => {
  const lines: unknown[] = []
  let [nowMs, dropped] = [0, 3]
  const log = createStandstillLog(
    { warn: (line: unknown) => void lines.push(line) },
    () => dropped,
    () => nowMs,
  )
  const beat = (afterMs: number): void => {
    nowMs += afterMs
    log.beat()
  }
  for (const afterMs of [1000, 4900, 1000]) beat(afterMs)
  beat(45_000)
  dropped += 40
  expect(lines).toEqual([])
  beat(1000)
  expect(lines).toEqual([{ stood_ms: 45_000, ticks_dropped: 40 }])
  beat(1000)
  expect(lines).toHaveLength(1)
})

test('a disk that is nearly full is logged once an hour, with what a day writes', async () => {
  const lines: unknown[] = []
  const [logger, hour] = [{ warn: (line: unknown) => void lines.push(line) }, 3_600_000]
  let [nowMs, bytes] = [0, 1e9]
  const watch = (directory: string, freeBytesMin: number): ReturnType<typeof createStorageWatch> =>
    createStorageWatch({
      directory,
      freeBytesMin,
      readStorage: async () => ({ databaseBytes: bytes, writtenBytes: 2 * bytes, backupAges: [] }),
      logger,
      nowMs: () => nowMs,
    })
  const low = watch(tmpdir(), Infinity)
  expect(low.reading()).toEqual({})
  await low.look()
  const free_bytes = low.reading().freeBytes
  expect(free_bytes).toBeGreaterThan(0)
  expect(lines).toEqual([{ free_bytes, database_bytes: 1e9 }])
  nowMs += hour - 1
  await low.look()
  expect(lines).toHaveLength(1)
  nowMs += 1
  bytes += 1e6
  await low.look()
  expect(lines).toHaveLength(2)
  const rates = { database_bytes_per_day: 24e6, written_bytes_per_day: 48e6 }
  expect(lines[1]).toMatchObject({ database_bytes: bytes, ...rates })
  await watch(tmpdir(), 0).look()
  const nowhere = watch(join(tmpdir(), 'no such directory'), Infinity)
  await nowhere.look()
  expect(nowhere.reading()).toEqual({
    databaseBytes: bytes,
    writtenBytes: 2 * bytes,
    backupAges: [],
  })
  expect(lines).toHaveLength(2)
})
