/** Keys that fly the ship: throttle, turning, and what to point at. */
import { lowerFirst, say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { TurnShares } from '../orders/helm.ts'
import { STEERINGS } from '../orders/steering-modes.ts'
import { canSteer, steer } from '../game/steering.ts'
import { isSame } from '../readings/thing.ts'
import type { Stage } from '../view/stage.ts'
import type { Action, Actions } from './actions.ts'

/** A held key moves the throttle by so much of its whole way a second. */
const THROTTLE_PER_SECOND = 0.5

/** And by so much at once. */
const THROTTLE_STEP = 0.02

type Turn = readonly [name: string, key: string, words: string, shares: TurnShares]

const TURNS: readonly Turn[] = [
  ['pitches-down', 'KeyW', say('pitches down'), [0, 1, 0]],
  ['pitches-up', 'KeyS', say('pitches up'), [0, -1, 0]],
  ['yaws-left', 'KeyA', say('yaws left'), [0, 0, 1]],
  ['yaws-right', 'KeyD', say('yaws right'), [0, 0, -1]],
  ['rolls-left', 'KeyQ', say('rolls left'), [-1, 0, 0]],
  ['rolls-right', 'KeyE', say('rolls right'), [1, 0, 0]],
]

/** Registers all actions of flight; returns how to take them away. */
export function attachFlightActions(actions: Actions, game: Game, stage: Stage): () => void {
  const stops = [
    actions.register([
      ...throttleActions(game, stage),
      ...turnActions(game),
      targeting(game),
      practising(game),
    ]),
    actions.register(
      STEERINGS.map((steering) => ({
        name: `flight.${steering.mode}`,
        group: say('Flight'),
        keys: [steering.key],
        words: lowerFirst(steering.words).replace(/^point /, 'points '),
        isAvailable: () => canSteer(game, steering.mode),
        act: () => steer(game, steering),
      })),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function practising({ live, practising: isShown }: Game): Action {
  return {
    name: 'flight.practice',
    group: say('Flight'),
    keys: ['KeyG'],
    words: say('opens the practice'),
    isAvailable: () => live.value !== undefined,
    act: () => (isShown.value = true),
  }
}

function targeting({ session, focus, target }: Game): Action {
  return {
    name: 'flight.choose',
    group: say('Flight'),
    keys: ['KeyT'],
    words: say('makes what is looked at the target, or drops it'),
    isAvailable: () => {
      const seen = focus.value
      const ship = session.value?.flight.ship.id
      return ship !== undefined && !isSame(seen, { kind: 'ship', id: ship })
    },
    act: () => {
      target.value = isSame(focus.value, target.value) ? undefined : focus.value
    },
  }
}

function throttleActions(game: Game, stage: Stage): Action[] {
  const { helm } = game
  const flight = { group: say('Flight'), isAvailable: () => game.session.value !== undefined }
  const moving = (name: string, keys: readonly string[], sign: number, words: string): Action => {
    let stop = (): void => {}
    return {
      ...flight,
      name,
      keys,
      words,
      act: () => {
        stop()
        helm.setThrottle((helm.throttle() || 0) + sign * THROTTLE_STEP)
        let lastMs = NaN
        stop = stage.onFrame(({ nowMs }) => {
          const seconds = (nowMs - lastMs) / 1000 || 0
          lastMs = nowMs
          helm.setThrottle((helm.throttle() || 0) + sign * THROTTLE_PER_SECOND * seconds)
        })
      },
      release: () => stop(),
    }
  }
  return [
    moving('flight.faster', ['Shift', 'PageUp'], 1, say('raises the throttle')),
    moving('flight.slower', ['Control', 'PageDown'], -1, say('lowers the throttle')),
    {
      ...flight,
      name: 'flight.full',
      keys: ['KeyZ'],
      words: say('full throttle'),
      act: () => helm.setThrottle(1, say('Full throttle')),
    },
    {
      ...flight,
      name: 'flight.cut',
      keys: ['KeyX'],
      words: say('cuts the engine'),
      act: () => helm.setThrottle(0, say('Cut the engine')),
    },
  ]
}

function turnActions(game: Game): Action[] {
  return TURNS.map(([name, key, words, shares]) => ({
    name: `flight.${name}`,
    group: say('Flight'),
    keys: [key],
    words,
    isAvailable: () => game.session.value !== undefined,
    act: () => game.helm.turn(key, shares),
    release: () => game.helm.turn(key, [0, 0, 0]),
  }))
}
