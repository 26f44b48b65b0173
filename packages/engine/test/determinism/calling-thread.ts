import { advanceChunk } from '@orrery/sim'
import type { World } from '../../src/world/world.ts'
import type { Flier } from './flight.ts'

/** Flies all ships on the calling thread. */
export function callingThread({ state, flight }: World): Flier {
  return {
    advance(target, meetingOnly) {
      for (let chunk = 0; chunk < state.chunks; chunk++) {
        if (meetingOnly && state.chunk.chunkMeets[chunk] === 0) continue
        advanceChunk(flight, chunk, target)
      }
    },
    close: () => undefined,
  }
}
