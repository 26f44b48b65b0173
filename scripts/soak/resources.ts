/** Memory, disk and counters of a server, sampled while it runs. */
import type { AdminClient } from '@orrery/client'
import { processMemory, processesIn } from '@orrery/testkit'
import { type Scrape, parseScrape } from '@orrery/testkit/scrape'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Disturbances } from './disturbances.ts'
import type { ServedGame } from './served-game.ts'
import type { Tally } from './tally.ts'

/** One moment; all in bytes. */
export interface ResourceSample {
  readonly atMs: number
  /** of the server's process, its workers included */
  readonly server: number
  readonly heap: number
  /** of PostgreSQL's processes, without its shared buffers */
  readonly postgres: number
  readonly buffers: number
  /** tables and indices on disk */
  readonly database: number
}

/** Most samples of a run, which a longer one takes more rarely. */
const SAMPLES_MAX = 720
const SAMPLE_MS_MIN = 1000

export interface ResourcesOptions {
  readonly game: ServedGame
  readonly admin: AdminClient
  readonly tally: Tally
  readonly disturbances: Disturbances
  /** of the run [ms] */
  readonly lengthMs: number
}

export class Resources {
  readonly samples: ResourceSample[] = []
  readonly #options: ResourcesOptions
  /** the last one of each process of the server, by its id */
  readonly #scrapes = new Map<number, Scrape>()

  constructor(options: ResourcesOptions) {
    this.#options = options
  }

  /** Samples until it is over, except while the world is put aside. */
  async follow(over: AbortSignal): Promise<void> {
    const { lengthMs, disturbances } = this.#options
    const periodMs = Math.max(SAMPLE_MS_MIN, lengthMs / SAMPLES_MAX)
    while (!over.aborted) {
      const atMs = performance.now()
      if (!disturbances.touch(atMs)) await this.sample()
      const restMs = Math.max(0, atMs + periodMs - performance.now())
      await sleep(restMs, undefined, { signal: over }).catch(() => undefined)
    }
  }

  async sample(): Promise<void> {
    const { game, admin, tally } = this.#options
    const { pid } = game
    const text = await tally.request('metrics', () => admin.metrics())
    if (text === undefined) return
    const scrape = parseScrape(text)
    this.#scrapes.set(pid, scrape)
    const postgres = processMemory(processesIn(game.directory.database))
    this.samples.push({
      atMs: performance.now(),
      server: processMemory([pid]).total,
      heap: scrape.get('nodejs_heap_size_used_bytes') ?? NaN,
      postgres: postgres.total - postgres.shared,
      buffers: postgres.shared,
      database: await bytesBelow(join(game.directory.database, 'postgresql', 'base')),
    })
  }

  /** A counter of the server, over all of its processes; its labels belong to its name. */
  counted(name: string): number {
    return [...this.#scrapes.values()].reduce((sum, scrape) => {
      const values = [...scrape].filter(([key]) => key === name || key.startsWith(`${name}{`))
      return sum + values.reduce((part, [, value]) => part + value, 0)
    }, 0)
  }
}

/** Files come and go while their directory is read. */
async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0
    return lstat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
