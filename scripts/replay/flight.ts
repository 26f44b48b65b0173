/** Flies a stored universe again, and compares it on the way with what was stored. */
import {
  type Pool,
  type Replay,
  type SystemDigest,
  type Universe,
  type World,
  createPool,
  createReplay,
  imageClock,
  type RestoredUniverse,
} from '@orrery/engine/testing'
import { availableParallelism } from 'node:os'
import type { FlightRecord } from './records.ts'

/** A moment at which a flight is looked at; no later command has acted there. */
export interface Stop {
  readonly lattice: number
  /** of the last command of each system, by its id */
  readonly sequences: Readonly<Record<string, number>>
  readonly tick: number
}

export interface FlightOptions<Place extends Stop> {
  readonly opened: RestoredUniverse
  /** of one system, in order */
  readonly records: (systemId: string) => AsyncIterable<FlightRecord>
  /** by index, then in the order in which they were stored */
  readonly stops: readonly Place[]
  readonly onDigest: (digest: SystemDigest) => void
  readonly onStop: (stop: Place, universe: Universe) => Promise<void>
}

/** What a flight leaves. */
export interface Flight {
  /** as it is at the end */
  readonly opened: RestoredUniverse
  readonly commands: number
  readonly workers: number
  /** spent flying, stops left out [s] */
  readonly flownSeconds: number
}

type Clock = Extract<FlightRecord, { kind: 'clock' }>

/** The flight of one system, record by record. */
interface SystemFlight {
  readonly world: World
  readonly replay: Replay
  readonly records: AsyncIterator<FlightRecord>
  next: IteratorResult<FlightRecord>
  commands: number
  /** the last one passed */
  clock: Clock | undefined
}

/** @throws {EngineError} 'ERR_REPLAY' naming the record that cannot be */
export async function fly<Place extends Stop>(options: FlightOptions<Place>): Promise<Flight> {
  const { opened, stops, onStop } = options
  const { universe } = opened
  const workers = availableParallelism()
  const pool = createPool(universe, workers, (error) => {
    process.stderr.write(`${Object(error).message ?? error}\n`)
  })
  const startMs = performance.now()
  let stoppedMs = 0
  try {
    const flights: SystemFlight[] = []
    for (const place of universe.worlds.keys()) flights.push(await begin(options, pool, place))
    for (const stop of stops) {
      for (const flight of flights) await flyToStop(flight, stop)
      const stopMs = performance.now()
      await onStop(stop, universe)
      stoppedMs += performance.now() - stopMs
    }
    for (const flight of flights) while (!flight.next.done) await pass(flight, flight.next.value)
    const clock = await meetAtEnd(flights)
    return {
      opened: {
        universe,
        gameClock: clock ? imageClock(clock) : opened.gameClock,
        tick: clock?.tick ?? opened.tick,
      },
      commands: flights.reduce((sum, { commands }) => sum + commands, 0),
      workers,
      flownSeconds: (performance.now() - startMs - stoppedMs) / 1000,
    }
  } finally {
    await pool.close()
  }
}

async function begin<Place extends Stop>(
  { opened: { universe }, records, onDigest }: FlightOptions<Place>,
  pool: Pool,
  place: number,
): Promise<SystemFlight> {
  const world = universe.worlds[place]
  const ofSystem = records(world.state.system.id)[Symbol.asyncIterator]()
  return {
    world,
    replay: createReplay({ world, pool, place, onDigest }),
    records: ofSystem,
    next: await ofSystem.next(),
    commands: 0,
    clock: undefined,
  }
}

async function flyToStop(flight: SystemFlight, stop: Stop): Promise<void> {
  const { world, replay } = flight
  const last = stop.sequences[world.state.system.id] ?? 0
  // A snapshot that was stored before a command was accepted does not contain it.
  const isPast = (record: FlightRecord): boolean =>
    record.kind === 'command'
      ? record.sequence > last
      : record.index > stop.lattice || (record.index === stop.lattice && record.sequence >= last)
  while (!flight.next.done && !isPast(flight.next.value)) await pass(flight, flight.next.value)
  if (stop.lattice > world.index) await replay.flyTo(stop.lattice, stop.tick)
}

async function pass(flight: SystemFlight, record: FlightRecord): Promise<void> {
  const { world, replay } = flight
  if (record.kind === 'command') {
    await replay.apply(record)
    flight.commands++
  } else if (record.index >= world.index) {
    // The clock of the world's own last command may be before the world.
    await replay.flyTo(record.index, record.tick)
    flight.clock = record
  }
  flight.next = await flight.records.next()
}

/** The catalog may have gained a system, which has no journal, since the clock was written. */
async function meetAtEnd(flights: readonly SystemFlight[]): Promise<Clock | undefined> {
  const clocks = flights.flatMap(({ clock }) => clock ?? [])
  const last = clocks.toSorted((a, b) => a.index - b.index).at(-1)
  for (const { world, replay } of flights) {
    // A running server may have stored a snapshot past the last clock it has written.
    if (last && last.index > world.index) await replay.flyTo(last.index, last.tick)
  }
  return last
}
