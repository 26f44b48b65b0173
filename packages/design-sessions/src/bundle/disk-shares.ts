import { HttpError } from '@orrery/http'
import { BUNDLE_BYTES_MAX } from './layout.ts'

/** Bytes on disk that bundles on their way in and out take together. */
const BYTES_MAX = 2 * BUNDLE_BYTES_MAX

/** What one bundle takes of the disk while it is on its way. */
export interface DiskShare {
  /** @throws {HttpError} 503 when others have taken the rest */
  take(bytes: number): void
  /** Gives everything back. */
  free(): void
}

/** Shares by what is really written: who sends or reads slowly keeps nobody else out. */
export function diskShares(): () => DiskShare {
  let taken = 0
  return () => {
    let own = 0
    return {
      take: (bytes) => {
        if (taken + bytes > BYTES_MAX) throw busy('Too large bundles are on their way')
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

/** 503 that is over soon. */
export function busy(reason: string): HttpError {
  return new HttpError(503, 'busy', `${reason}; try again`, { headers: { 'Retry-After': '5' } })
}
