/** A gamepad: sticks turn, triggers move the throttle, buttons do actions. */
import type { Game } from '../game/game.ts'
import type { Stage } from '../view/stage.ts'
import type { Actions } from './actions.ts'

/** Sticks at rest are off by less. */
const DEAD_ZONE = 0.15

const THROTTLE_PER_SECOND = 0.6

/** Triggers of the standard layout: left lowers, right raises. */
const LOWER = 6
const RAISE = 7

/** Buttons of the standard layout; W3C Gamepad, section 9. */
const BUTTONS: Readonly<Record<number, string>> = {
  0: 'flight.prograde',
  1: 'flight.retrograde',
  2: 'flight.target',
  3: 'flight.rest',
  4: 'flight.normal',
  5: 'flight.antinormal',
  8: 'flight.cut',
  9: 'flight.full',
  12: 'flight.radial_out',
  13: 'flight.radial_in',
  14: 'flight.sun',
  15: 'flight.hold',
}

/** Follows gamepads from the first one on; returns how to stop. */
export function attachGamepad(actions: Actions, game: Game, stage: Stage): () => void {
  const end = new AbortController()
  let stop = (): void => {}
  const update = (): void => {
    stop()
    const pad = firstPad()
    game.helm.gamepad.value = pad?.id
    stop = pad ? stage.onFrame(createPoll(actions, game)) : () => {}
    if (!pad) game.helm.turn('gamepad', [0, 0, 0])
  }
  addEventListener('gamepadconnected', update, { signal: end.signal })
  addEventListener('gamepaddisconnected', update, { signal: end.signal })
  return () => {
    stop()
    end.abort()
  }
}

function firstPad(): Gamepad | undefined {
  return navigator.getGamepads().find((pad) => pad?.mapping === 'standard') ?? undefined
}

function createPoll(actions: Actions, game: Game): (frame: { readonly nowMs: number }) => void {
  const pressed = new Set<number>()
  let lastMs = NaN
  return ({ nowMs }) => {
    const seconds = (nowMs - lastMs) / 1000 || 0
    lastMs = nowMs
    const pad = firstPad()
    if (!pad || !game.session.value || document.hidden || !document.hasFocus()) return
    const [yaw, pitch, roll] = pad.axes.map(stickShare)
    game.helm.turn('gamepad', [roll ?? 0, 0 - pitch, 0 - yaw])
    const pull = pad.buttons[RAISE].value - pad.buttons[LOWER].value
    if (Math.abs(pull) > DEAD_ZONE) {
      game.helm.setThrottle((game.helm.throttle() || 0) + pull * THROTTLE_PER_SECOND * seconds)
    }
    for (const [index, button] of pad.buttons.entries()) {
      if (!button.pressed) pressed.delete(index)
      else if (!pressed.has(index)) {
        pressed.add(index)
        const action = actions.named(BUTTONS[index] ?? '')
        action?.act()
      }
    }
  }
}

/** What a stick asks for: nothing within the dead zone, then evenly up to 1. */
export function stickShare(value: number): number {
  const beyond = Math.abs(value) - DEAD_ZONE
  return beyond <= 0 ? 0 : (Math.sign(value) * beyond) / (1 - DEAD_ZONE)
}
