import type { Logger } from '@orrery/http'
import type { Storage } from '@orrery/store'
import { statfs } from 'node:fs/promises'

/** Between two looks [ms]. */
const LOOK_MS = 60_000

/** Between two warnings, while the disk stays nearly full [ms]. */
const WARNING_MS = 3_600_000

/** A shorter time does not show what a day will be [ms]. */
const RATE_MS_MIN = 60_000

const DAY_MS = 86_400_000

/** What was last seen; undefined before the first look, and what cannot be read. */
export interface StorageReading extends Partial<Storage> {
  /** free for this process where `DATA_DIR` is [bytes] */
  readonly freeBytes?: number
}

/** Follows the disk, the size of the database and the age of backups. */
export interface StorageWatch {
  reading(): StorageReading
  look(): Promise<void>
  /** looks each minute from now on */
  start(): void
  stop(): void
}

export interface StorageWatchOptions {
  /** whose disk is watched */
  readonly directory: string
  /** free space below which a warning is logged; 0 is never [bytes] */
  readonly freeBytesMin: number
  readonly readStorage: () => Promise<Storage>
  readonly logger: Pick<Logger, 'warn'>
  /** a monotonic clock [ms] */
  readonly nowMs?: () => number
}

export function createStorageWatch({
  directory,
  freeBytesMin,
  readStorage,
  logger,
  nowMs = () => performance.now(),
}: StorageWatchOptions): StorageWatch {
  let last: StorageReading = {}
  let first: { readonly atMs: number; readonly storage: Storage } | undefined
  let warnedMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    // While one of them cannot be read the other counts all the same.
    const storage = await readStorage().catch(() => undefined)
    const freeBytes = await freeIn(directory)
    const atMs = nowMs()
    first ??= storage && { atMs, storage }
    last = { ...storage, ...(freeBytes !== undefined && { freeBytes }) }
    const isLow = freeBytes !== undefined && freeBytes < freeBytesMin
    if (!isLow) warnedMs = -Infinity
    if (!isLow || atMs - warnedMs < WARNING_MS) return
    warnedMs = atMs
    logger.warn(
      {
        free_bytes: freeBytes,
        database_bytes: storage?.databaseBytes,
        ...(first && storage && perDay(first, { atMs, storage })),
      },
      'the disk is nearly full',
    )
  }
  return {
    reading: () => last,
    look,
    start: () => {
      void look()
      timer ??= setInterval(() => void look(), LOOK_MS)
    },
    stop: () => clearInterval(timer),
  }
}

async function freeIn(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch {
    return undefined
  }
}

interface Look {
  readonly atMs: number
  readonly storage: Storage
}

function perDay(before: Look, now: Look): Record<string, number> | undefined {
  const ms = now.atMs - before.atMs
  if (ms < RATE_MS_MIN) return undefined
  const rate = (of: (storage: Storage) => number): number =>
    Math.round(((of(now.storage) - of(before.storage)) / ms) * DAY_MS)
  return {
    database_bytes_per_day: rate(({ databaseBytes }) => databaseBytes),
    written_bytes_per_day: rate(({ writtenBytes }) => writtenBytes),
  }
}
