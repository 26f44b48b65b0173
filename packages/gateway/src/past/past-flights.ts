import type { Database } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import { type PastReading, pastSpan, refusal } from '@orrery/game'
import { latticeFromUtc } from '@orrery/sim'
import type { PastResponse } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { timestamp } from '../views/wire-views.ts'
import { type PastChild, startPastChild } from './past-child.ts'

/** A flight that no one asks about ends after it. */
const IDLE_MS = 120_000

/** Who looks back. */
export interface PastViewer {
  readonly accountId: string
  /** of a pilot, who sees what that ship could; undefined for an admin, who sees all */
  readonly shipId: string | undefined
}

/** Past moments that are flown again, each in a process of its own. */
export interface PastFlights {
  /**
   * Begins one; an admin's ends a pilot's where there is no room.
   *
   * @param at  game time [Unix ms]
   * @throws {Refusal} as `pastSpan`; 409 E003 where as many are flown as may be
   */
  open(
    asked: { readonly systemId: string; readonly at: number },
    viewer: PastViewer,
  ): Promise<PastResponse>
  /** @throws {Refusal} 404 E002 for one that is unknown, has ended or is another's */
  state(id: string, viewer: PastViewer): PastResponse
  /** A `PastSkyResponse` as JSON. @throws {Refusal} as `state`, and those of the flight */
  sky(id: string, at: number, viewer: PastViewer): Promise<Uint8Array<ArrayBuffer>>
  /** @throws {Refusal} as `state` */
  end(id: string, viewer: PastViewer): void
  /** Ends all. */
  stop(): void
}

export interface PastFlightsOptions {
  readonly sql: Database['sql']
  readonly config: Pick<
    Config,
    | 'dataDirectory'
    | 'databaseUrl'
    | 'shipsMax'
    | 'moduleFiles'
    | 'pastFlightsMax'
    | 'pastFlightBytesMax'
  >
  readonly clock: Pick<WallClock, 'after'>
}

interface Flight {
  readonly systemId: string
  readonly accountId: string
  readonly isPilots: boolean
  readonly child: PastChild
  state: PastResponse['state']
  reason?: string
  reading: PastReading
  cancelEnd: () => void
}

export function createPastFlights(options: PastFlightsOptions): PastFlights {
  const { sql, config, clock } = options
  const flights = new Map<string, Flight>()

  const end = (id: string): void => {
    const flight = flights.get(id)
    flight?.cancelEnd()
    flight?.child.kill()
    flights.delete(id)
  }
  const used = (id: string, flight: Flight): void => {
    flight.cancelEnd()
    flight.cancelEnd = clock.after(IDLE_MS, () => end(id))
  }
  const known = (id: string, { accountId, shipId }: PastViewer): Flight => {
    const flight = flights.get(id)
    const isSeen = flight && (shipId === undefined || flight.accountId === accountId)
    if (!isSeen) throw refusal('E002', 'No such flight through the past; it may have ended')
    used(id, flight)
    return flight
  }
  const requireRoom = ({ shipId }: PastViewer): void => {
    const flying = [...flights].filter(([, { state }]) => state !== 'failed')
    if (config.pastFlightsMax === 0) throw refused('Looking back is switched off here')
    if (flying.length < config.pastFlightsMax) return
    // Else pilots could keep operators from an incident.
    const [idOfPilot] = flying.find(([, { isPilots }]) => isPilots) ?? []
    if (shipId === undefined && idOfPilot !== undefined) return end(idOfPilot)
    throw refused('Another look back is under way: only so many run at once; try again later')
  }

  return {
    open: async ({ systemId, at }, viewer) => {
      const { accountId, shipId } = viewer
      const index = latticeFromUtc(at)
      const { from, to } = await pastSpan(sql, { systemId, index })
      requireRoom(viewer)
      const id = randomUUID()
      const reading = { index: from, from, to, compared: 0, equal: 0 }
      const beginning = { ...beginningOf(config), systemId }
      const child = startPastChild(beginning, (stride) => void (flight.reading = stride))
      const cancelEnd = (): void => undefined
      const begun = { systemId, accountId, isPilots: shipId !== undefined, child }
      const flight: Flight = { ...begun, state: 'flying', reading, cancelEnd }
      flights.set(id, flight)
      used(id, flight)
      void firstLook(flight, index, shipId)
      return responseOf(id, flight)
    },
    state: (id, viewer) => responseOf(id, known(id, viewer)),
    sky: async (id, at, viewer) => {
      const flight = known(id, viewer)
      if (flight.reason !== undefined) throw refused(flight.reason)
      const { reading, sky } = await flight.child.look(latticeFromUtc(at), viewer.shipId)
      flight.reading = reading
      return sky
    },
    end: (id, viewer) => {
      known(id, viewer)
      end(id)
    },
    stop: () => {
      for (const id of flights.keys()) end(id)
    },
  }
}

/** Flies to the moment that was asked for; a flight that cannot is over. */
async function firstLook(flight: Flight, index: number, shipId: string | undefined): Promise<void> {
  try {
    flight.reading = (await flight.child.look(index, shipId)).reading
    flight.state = 'ready'
  } catch (error) {
    flight.state = 'failed'
    flight.reason = String(Object(error).message)
    flight.child.kill()
  }
}

function beginningOf({
  databaseUrl,
  dataDirectory: directory,
  pastFlightBytesMax: bytesMax,
  shipsMax,
  moduleFiles,
}: PastFlightsOptions['config']): Omit<Parameters<typeof startPastChild>[0], 'systemId'> {
  return {
    kind: 'begin',
    databaseUrl: databaseUrl?.reveal(),
    directory,
    shipsMax,
    moduleFiles,
    bytesMax,
  }
}

function responseOf(
  id: string,
  { reading: { index, from, to, compared, equal }, reason, state, systemId }: Flight,
): PastResponse {
  return {
    past_id: id,
    system_id: systemId,
    state,
    ...(reason !== undefined && { reason }),
    at: timestamp(index),
    from: timestamp(from),
    to: timestamp(to),
    digests: { compared, equal },
  }
}

function refused(reason: string): Error {
  return refusal('E003', reason, 409)
}
