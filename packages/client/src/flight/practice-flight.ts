import type { Places, SystemMessage } from '@orrery/protocol'
import { NODE_QUANTA, type OrderPlaces, createRails, writeRail } from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import type { Flight, GameClock } from './flight.ts'
import type { Forecasts } from '../forecast/forecasts.ts'
import type { OwnPlace } from '../pilot/own-ship.ts'
import type { Seed } from '../pilot/seed-reading.ts'
import type { Scene } from '../scene/scene.ts'
import { PracticeClock } from './practice-clock.ts'
import { type PracticeStart, beginAt } from './practice-start.ts'
import { type PracticeEvents, PractisedShip } from './practised-ship.ts'
import type { StatedShip } from './stated-ship.ts'

export type { PracticeEvents } from './practised-ship.ts'
export type { PracticeStart } from './practice-start.ts'
export type { StatedShip } from './stated-ship.ts'

/** One's own ship flown on here alone, at any pace: nothing of it is sent. */
export interface Practice {
  /** of the ship, which is alone there; orders to it act here only */
  readonly flight: Flight
  readonly clock: {
    /** game seconds per second; 0 while it stands */
    pace: number
    /** lattice index at which it next stands by itself; undefined for none */
    stop: number | undefined
  }
  /**
   * Flies on at its pace, as far as the machine carries.
   *
   * @param seconds   that have passed for the player
   * @param budgetMs  after which no further part of the way is begun
   */
  advance(seconds: number, budgetMs: number): void
  /** Puts the ship elsewhere, at rest and with full tanks. @throws {ClientError} 'practice' */
  begin(start: PracticeStart): void
  /** what the ship does, as the server states it of one in the game */
  stated(): StatedShip
  /** calls back at each event of a kind; returns how to stop */
  on<Kind extends keyof PracticeEvents>(
    kind: Kind,
    listener: (event: PracticeEvents[Kind]) => void,
  ): () => void
}

/** What a practice is made of. */
export interface PracticeParts {
  /** of the game */
  readonly live: Scene
  readonly system: SystemMessage | undefined
  /** the own ship as it is now; undefined while it is not flown here */
  readonly seed: Seed | undefined
  readonly id: string
  readonly utc: GameClock['utc']
  /** of the practice alone: a scene that is empty, and what orders and forecasts know of it */
  readonly scene: Scene
  readonly places: Places & OrderPlaces
  readonly forecasts: Forecasts
}

const NOT_FLOWN = 'A practice begins where your ship is flown by this page: wait until it is.'

/** @throws {ClientError} 'practice' where the ship is not flown here */
export function openPractice(parts: PracticeParts): Practice {
  const { forecasts, id, live, places, scene, seed, system, utc } = parts
  const known = live.ship(id)
  if (!seed || !known || !system || !enter(parts, system, seed.index)) {
    throw new ClientError('practice', NOT_FLOWN)
  }
  scene.identify(scene.rowOf(known.number), known)
  const ship = new PractisedShip({ id, scene, place: placeOf(scene, system), places, seed, utc })
  scene.flown = ship
  scene.inView = 1
  forecasts.enter(system)
  const clock = new PracticeClock(seed.index, utc)
  const now = (): number => Math.floor(clock.now())
  return {
    flight: {
      world: scene,
      ship,
      clock,
      ready: Promise.resolve(),
      forecast: (shipId, request) =>
        forecasts.forecast(shipId, request, now(), shipId === id ? ship.seed() : undefined),
      prepareForecasts: () => forecasts.prepare(now()),
      on: () => () => undefined,
      close: () => forecasts.close(),
    },
    clock,
    advance: (seconds, budgetMs) => clock.advance(seconds, budgetMs, ship, scene.bodies!),
    begin: (start) => {
      beginAt(ship.flown, scene.objects(), start)
      ship.forget()
    },
    stated: () => ship.stated(),
    on: (kind, listener) => ship.listeners.on(kind, listener),
  }
}

/** What the ship flies among. */
function placeOf(scene: Scene, { home, spheres }: SystemMessage): OwnPlace {
  const { bodies, classes } = scene
  const rails = createRails()
  for (const { row, rail } of scene.objects()) writeRail(rails, row, rail)
  return {
    ephemeris: bodies!.ephemeris,
    rails,
    territory: { home, spheres: Float64Array.from(spheres, (radius) => radius ?? Infinity) },
    classes: [...classes],
    reach: (time) => bodies!.reach(time),
  }
}

/** Puts bodies, stations and gates into the scene, as they are; false where they are not known. */
function enter({ live, scene }: PracticeParts, { system }: SystemMessage, index: number): boolean {
  const start = live.bodies?.stateBefore(Math.floor(index / NODE_QUANTA) - 2)
  if (!start) return false
  scene.enter(system, live.classes)
  scene.placeObjects(live.objects())
  scene.bodies!.anchor(start)
  return scene.bodies!.reach(index)
}
