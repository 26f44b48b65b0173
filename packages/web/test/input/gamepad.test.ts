// Laws of a stick: at rest nothing, at the end all, evenly and oddly between. A gamepad flies the
// ship from its connection to its end, while the player is at the page.
import { signal } from '@preact/signals'
import { afterEach, expect, test, vi } from 'vitest'
import type { Game } from '../../src/game/game.ts'
import { createActions } from '../../src/input/actions.ts'
import { attachGamepad, stickShare } from '../../src/input/gamepad.ts'
import { createHelm } from '../../src/orders/helm.ts'
import type { Session } from '../../src/session/session.ts'
import type { Stage } from '../../src/view/stage.ts'

afterEach(() => vi.unstubAllGlobals())

test('a gamepad turns, throttles and does actions until it is away', () => {
  const window = new EventTarget()
  const page = { hidden: false, hasFocus: () => true }
  const buttons = Array.from({ length: 16 }, () => ({ pressed: false, value: 0 }))
  const pad = { id: 'A pad', mapping: 'standard', axes: [0, 0, 0, 0], buttons }
  let pads: readonly unknown[] = [null, { mapping: '' }, pad]
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { getGamepads: () => pads })
  const session = signal<Session | undefined>(undefined)
  const turns: (readonly number[])[] = []
  const levels: number[] = []
  const helm: Game['helm'] = {
    ...createHelm(session, () => undefined),
    turn: (_, shares) => turns.push(shares),
    throttle: () => 0.5,
    setThrottle: (level) => levels.push(level),
  }
  const listeners = new Set<(frame: { nowMs: number }) => void>()
  const stage = {
    onFrame: (listener: (frame: { nowMs: number }) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Stage
  let nowMs = 0
  const draw = (): void => {
    nowMs += 100
    for (const listener of listeners) listener({ nowMs })
  }
  const actions = createActions()
  let pressed = 0
  const rest = { name: 'flight.rest', group: '', keys: [], words: '', act: () => void pressed++ }
  actions.register([rest])
  const detach = attachGamepad(actions, { session, helm } as unknown as Game, stage)
  expect(listeners.size).toBe(0)
  window.dispatchEvent(new Event('gamepadconnected'))
  expect([helm.gamepad.value, listeners.size]).toEqual(['A pad', 1])
  draw()
  expect(turns).toEqual([])
  session.value = {} as Session
  pad.axes = [1, -1, 0.05, 0]
  draw()
  expect(turns.at(-1)).toEqual([0, 1, -1])
  expect(levels).toEqual([])
  buttons[7].value = 1
  draw()
  buttons[7].value = 0
  buttons[6].value = 0.5
  draw()
  expect(levels.map((level) => level - 0.5)).toEqual([
    expect.closeTo(0.06, 9),
    expect.closeTo(-0.03, 9),
  ])
  // A button acts once each time it goes down; one without an action does nothing.
  for (const isDown of [true, true, false, true]) {
    buttons[3].pressed = isDown
    buttons[10].pressed = isDown
    draw()
  }
  expect(pressed).toBe(2)
  const count = turns.length
  page.hidden = true
  draw()
  page.hidden = false
  page.hasFocus = () => false
  draw()
  expect(turns).toHaveLength(count)
  pads = []
  window.dispatchEvent(new Event('gamepaddisconnected'))
  expect([helm.gamepad.value, listeners.size, turns.at(-1)]).toEqual([undefined, 0, [0, 0, 0]])
  pads = [pad]
  window.dispatchEvent(new Event('gamepadconnected'))
  detach()
  expect(listeners.size).toBe(0)
  window.dispatchEvent(new Event('gamepadconnected'))
  expect(listeners.size).toBe(0)
})

test('a stick asks for nothing near its middle, and for more the further it is', () => {
  expect(stickShare(0.1)).toBe(0)
  expect(stickShare(-1)).toBeCloseTo(-1, 12)
  let last = 0
  for (const value of [0.15, 0.3, 0.5, 0.8, 1]) {
    expect(stickShare(value)).toBeGreaterThanOrEqual(last)
    expect(stickShare(-value)).toBeCloseTo(-stickShare(value), 12)
    last = stickShare(value)
  }
  expect(last).toBe(1)
})
