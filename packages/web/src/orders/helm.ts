/** Throttle and turning by hand: orders that follow the hand, ten a second at most. */
import { type Order } from '@orrery/client'
import { createShipSample } from '@orrery/client/flight'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createPace } from './pace.ts'
import type { Session } from '../session/session.ts'

/** Shares from -1 to 1 of the greatest rate: of rolling right, pitching down and yawing left. */
export type TurnShares = readonly [roll: number, pitch: number, yaw: number]

export interface Helm {
  /** what the hand sets, and else what the engine does, 0 to 1; NaN when nothing is known */
  throttle(): number
  /** @param words  for the log, of what is not part of a longer movement */
  setThrottle(level: number, words?: string): void
  /** Turns the hull until it is called with zeros; what several sources want is added. */
  turn(source: string, shares: TurnShares): void
  /** Ends all turning by hand. */
  letGo(): void
  /** name of the gamepad in use */
  readonly gamepad: Signal<string | undefined>
}

/** Between two orders [ms]. */
const INTERVAL_MS = 100

/** An order shows in the ship's state after so long at most [ms]. */
const PENDING_MS = 1000

/** What wheels hold for ever is 0.04 rad/s about each axis; a little less is never refused. */
const RATE_MAX = 0.0399

const NO_TURN: TurnShares = [0, 0, 0]

const state = createShipSample()

/** @param give  sends an order */
export function createHelm(
  session: ReadonlySignal<Session | undefined>,
  give: (order: Order, words?: string) => unknown,
): Helm {
  let wanted = NaN
  let wantedMs = -Infinity
  const turns = new Map<string, TurnShares>()
  const sendThrottle = createPace<readonly [number, string | undefined]>(([level, words]) => {
    void give({ type: 'control', thrust_level: level }, words)
  }, INTERVAL_MS)
  const sendTurn = createPace<TurnShares>((shares) => {
    // Hands are as quick in a quick game.
    const rate = RATE_MAX / Math.max(1, session.value?.flight.clock.scale ?? 1)
    const [x, y, z] = shares.map((share) => share * rate)
    void give({ type: 'control', angular_rate: { x, y, z } })
  }, INTERVAL_MS)
  return {
    throttle: () => {
      if (performance.now() - wantedMs < PENDING_MS) return wanted
      const { flight } = session.value ?? {}
      if (!flight?.world.shipAt(state, flight.ship.id, flight.clock.now())) return NaN
      return state.thrustLevel
    },
    setThrottle: (level, words) => {
      wanted = Math.max(0, Math.min(1, level))
      wantedMs = performance.now()
      sendThrottle([wanted, words])
    },
    turn: (source, shares) => {
      const before = total(turns)
      if (shares.some((share) => share !== 0)) turns.set(source, shares)
      else turns.delete(source)
      const now = total(turns)
      if (now.some((share, axis) => share !== before[axis])) sendTurn(now)
    },
    letGo: () => {
      if (turns.size === 0) return
      turns.clear()
      sendTurn(NO_TURN)
    },
    gamepad: signal(undefined),
  }
}

function total(turns: ReadonlyMap<string, TurnShares>): TurnShares {
  const sum = [...turns.values()].reduce<TurnShares>(
    ([a, b, c], [x, y, z]) => [a + x, b + y, c + z],
    NO_TURN,
  )
  return [within(sum[0]), within(sum[1]), within(sum[2])]
}

function within(share: number): number {
  return Math.max(-1, Math.min(1, share))
}
