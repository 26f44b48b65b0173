import { busy } from '../errors.ts'
import { BUNDLE_BYTES_MAX } from './layout.ts'

/** Disk space of all bundles in transfer. */
const BYTES_MAX = 2 * BUNDLE_BYTES_MAX

/** The disk space of one bundle. */
export interface DiskShare {
  /** @throws {HttpError} 503 when no space is left */
  take(bytes: number): void
  free(): void
}

/** Shares grow with the bytes written: a slow client reserves no space. */
export function diskShares(): () => DiskShare {
  let taken = 0
  return () => {
    let own = 0
    return {
      take: (bytes) => {
        if (taken + bytes > BYTES_MAX)
          throw busy('Too large bundles are on their way; try again', 5)
        taken += bytes
        own += bytes
      },
      free: () => {
        taken -= own
        own = 0
      },
    }
  }
}
