/** What the instruments show, ten times a second. */
import type { GameClient } from '@orrery/client'
import { createShipSample } from '@orrery/client/flight'
import { type ReadonlySignal, effect, signal } from '@preact/signals'
import { type BurnAhead, burnAhead } from '../forecast/burn-ahead.ts'
import type { Forecasts } from '../forecast/forecasts.ts'
import { type OwnReadings, type ShipClass, ownReadings } from '../readings/own-readings.ts'
import type { Preview } from '../forecast/preview.ts'
import type { Session } from '../session/session.ts'
import { type TargetReadings, targetReadings } from '../readings/target-readings.ts'
import type { Thing } from '../readings/thing.ts'
import { untilAnswered } from '../session/until-answered.ts'

export interface Readings {
  /** lattice index */
  readonly time: number
  readonly own: OwnReadings
  /** undefined without a target, and for one out of view */
  readonly target: TargetReadings | undefined
  /** the next one, as ordered or as previewed */
  readonly burn: BurnAhead | undefined
}

export interface ReadingsOptions {
  readonly client: GameClient
  readonly session: ReadonlySignal<Session | undefined>
  readonly target: ReadonlySignal<Thing | undefined>
  readonly forecasts: Forecasts
  readonly preview: Preview
}

const PERIOD_MS = 100

const state = createShipSample()

/** Follows the ship of each session; undefined while nothing is known of it. */
export function createReadings(options: ReadingsOptions): ReadonlySignal<Readings | undefined> {
  const { client, session, target, forecasts, preview } = options
  const readings = signal<Readings | undefined>(undefined)
  let classes: readonly ShipClass[] = []
  /** that of the ship when classes were asked for; a server that starts again may have more */
  let asked: string | undefined
  let stop = (): void => undefined
  const ask = (from: Session, name: string | undefined): void => {
    stop()
    asked = name
    stop = untilAnswered(
      () => shipClasses(client, from),
      (known) => (classes = known),
    )
  }
  const read = (from: Session): void => {
    if (document.hidden) return
    const { flight } = from
    const { world, ship, clock } = flight
    const time = clock.now()
    const isKnown = world.shipAt(state, ship.id, time)
    const name = world.ship(ship.id)?.shipClass
    const shipClass = classes.find((one) => one.name === name)
    if (name !== undefined && !shipClass && name !== asked) ask(from, name)
    const own = isKnown ? ownReadings(flight, state, time, shipClass) : undefined
    const thing = target.peek()
    const seen = own && thing && targetReadings(world, state, thing, time)
    const forecast = preview.shown.peek()?.forecast ?? forecasts.own.peek()?.forecast
    const bodies = world.system?.bodies ?? []
    const burn = forecast && burnAhead(forecast, time, bodies)
    readings.value = own && { time, own, target: seen, burn }
  }
  effect(() => {
    const { value } = session
    if (!value) return undefined
    ask(value, undefined)
    const timer = setInterval(() => read(value), PERIOD_MS)
    return () => {
      stop()
      clearInterval(timer)
      readings.value = undefined
    }
  })
  return readings
}

/** Asked for when there is a connection. */
async function shipClasses(client: GameClient, { socket }: Session): Promise<readonly ShipClass[]> {
  await socket.opened
  return (await client.shipClasses()).ship_classes
}
