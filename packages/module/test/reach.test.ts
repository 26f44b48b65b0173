// Law: a module moves ships by masses, thrusts, fuel and destruction alone; where the text of a
// function does not show that it has none of these, it may.
import { type GameModule, defineModule, f64, v } from '@orrery/module'
import { expect, test } from 'vitest'
import { type Reach, reachOf } from '../src/host/reach.ts'

type Given = Parameters<typeof defineModule>[0]
type Run = NonNullable<Given['beat']>['run']

const NONE: Reach = { byBeat: false, byEvents: [], byCommand: false }

function reach(part: Partial<Given>): Reach {
  const given = { id: 'probe', version: 1, ship: { ore: f64('kg') }, ...part } as Given
  return reachOf(defineModule(given))
}

const use = (...used: unknown[]): void => void used

const DESTROY = 'destroy'

const METHODS = {
  run(this: void, { destroy }: Parameters<Run>[0]): void {
    use(destroy)
  },
}

test.each<[boolean, string, Run]>([
  [false, 'nothing', () => undefined],
  [false, 'its ship', ({ ship }) => use(ship)],
  [false, 'a part under that name', ({ ship: destroy }) => use(destroy)],
  [true, 'what destroys', ({ destroy }) => use(destroy)],
  [true, 'the same as a method', METHODS.run],
  [true, 'the same by another name', ({ destroy: end }) => use(end)],
  [true, 'a computed part', ({ [DESTROY]: end }) => use(end)],
  [true, 'all', (context) => use(context)],
  [true, 'the rest', ({ ship, ...rest }) => use(ship, rest)],
  [true, 'a list', (...all) => use(all)],
  [
    true,
    'its arguments',
    function run() {
      // oxlint-disable-next-line prefer-rest-params
      use(arguments)
    },
  ],
  [true, 'what it was bound to', use.bind(undefined)],
])('%s: a beat that takes %s', (byBeat, _, run) => {
  expect(reach({ beat: { of: 'ore', run } })).toEqual({ ...NONE, byBeat })
})

test('commands move ships by fuel and destruction, reactions by destruction', () => {
  const body = v.object({})
  expect(reach({ commands: { a: { body, run: ({ ship }) => use(ship) } } })).toEqual(NONE)
  const byCommand = { ...NONE, byCommand: true }
  expect(reach({ commands: { a: { body, run: ({ refuel }) => use(refuel) } } })).toEqual(byCommand)
  expect(reach({ commands: { a: { body, run: ({ destroy }) => use(destroy) } } })).toEqual(
    byCommand,
  )
  const on = {
    docked: (ship: unknown, event: unknown) => use(ship, event),
    phase: (_: unknown, { phase }: { readonly phase: string }) => use(phase),
    impact: (_: unknown, _event: unknown, { destroy }: { readonly destroy: unknown }) =>
      use(destroy),
    failed: (ship: unknown, ...rest: unknown[]) => use(ship, rest),
  }
  expect(reach({ on })).toEqual({ ...NONE, byEvents: ['impact', 'failed'] })
})

test('what loads ships may move them by all that it does', () => {
  const all = {
    beat: { of: 'ore', run: () => undefined },
    commands: { a: { body: v.object({}), run: () => undefined } },
    on: { docked: () => undefined },
  }
  expect(reach(all)).toEqual(NONE)
  const whole = { byBeat: true, byEvents: ['docked'], byCommand: true }
  expect(reach({ ...all, mass: ({ ore }: { readonly ore?: unknown }) => Number(ore) })).toEqual(
    whole,
  )
  expect(reach({ ...all, thrustLimit: () => 1 })).toEqual(whole)
  const once = defineModule({ id: 'probe', version: 1 })
  const module = once as unknown as GameModule
  expect(reachOf(module)).toBe(reachOf(module))
})
