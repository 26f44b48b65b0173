/** Flies a stored world again, and compares it on the way with what was stored. */
import { type World, createPool, createReplay, imageClock } from '@orrery/engine'
import type { OpenedWorld } from '@orrery/game'
import type { WorldDigest } from '@orrery/sim'
import { availableParallelism } from 'node:os'
import type { FlightRecord } from './records.ts'

/** A moment at which a flight is looked at; no later command has acted there. */
export interface Stop {
  readonly lattice: number
  readonly sequence: number
  readonly tick: number
}

export interface FlightOptions<Place extends Stop> {
  readonly opened: OpenedWorld
  readonly records: AsyncIterable<FlightRecord> | Iterable<FlightRecord>
  /** by index, then by sequence */
  readonly stops: readonly Place[]
  readonly onDigest: (digest: WorldDigest) => void
  readonly onStop: (stop: Place, world: World) => Promise<void>
}

/** What a flight leaves. */
export interface Flight {
  /** as it is at the end */
  readonly opened: OpenedWorld
  readonly commands: number
  readonly workers: number
  /** spent flying, stops left out [s] */
  readonly flownSeconds: number
}

/** @throws {EngineError} 'ERR_REPLAY' naming the record that cannot be */
export async function fly<Place extends Stop>(options: FlightOptions<Place>): Promise<Flight> {
  const { opened, records, onDigest, onStop } = options
  const { world } = opened
  const workers = availableParallelism()
  const pool = createPool(world, workers, (error) => {
    process.stderr.write(`${Object(error).message ?? error}\n`)
  })
  const replay = createReplay({ world, pool, onDigest })
  const stops = [...options.stops]
  const startMs = performance.now()
  let stoppedMs = 0
  let commands = 0
  let { gameClock, tick } = opened
  let { sequence } = world.intake
  const passStops = async (isDue: (stop: Place) => boolean): Promise<void> => {
    while (stops.length > 0 && isDue(stops[0])) {
      const [stop] = stops.splice(0, 1)
      if (stop.lattice > world.index) await replay.flyTo(stop.lattice, stop.tick)
      const stopMs = performance.now()
      await onStop(stop, world)
      stoppedMs += performance.now() - stopMs
    }
  }
  try {
    for await (const record of records) {
      if (record.kind === 'command') {
        // A snapshot that was stored before this command was accepted does not contain it.
        await passStops((stop) => stop.sequence < record.sequence)
        await replay.apply(record)
        ;({ sequence } = record)
        commands++
      } else {
        const { index, remainder } = record
        await passStops(
          (stop) => stop.lattice < index || (stop.lattice === index && stop.sequence <= sequence),
        )
        // The clock of the world's own last command may be before the world.
        if (index < world.index) continue
        await replay.flyTo(index, record.tick)
        gameClock = imageClock({ index, remainder })
        ;({ tick } = record)
      }
    }
    await passStops(() => true)
  } finally {
    await pool.close()
  }
  const flownSeconds = (performance.now() - startMs - stoppedMs) / 1000
  return { opened: { world, gameClock, tick }, commands, workers, flownSeconds }
}
