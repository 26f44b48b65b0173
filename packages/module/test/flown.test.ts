// Law: a module whose beat or loads need what a client does not have leaves them to its server; a
// client takes as many modules as a server, no more.
import { expect, it } from 'vitest'
import { type GameModule, bit, defineModule, f64 } from '../src/index.ts'
import { flownModules } from '../src/flown.ts'
import { gameModules } from '../src/host/index.ts'

const cargo: GameModule = defineModule({
  id: 'cargo',
  version: 1,
  ship: { crates: f64(''), lead: bit({ seenBy: 'operator' }) },
  beat: { of: 'crates', run: ({ ship }) => void (ship.crates += 1) },
})

const SHIP = { number: 1, docked: false, station: null, thrust: 0, fuel: 10, fuelCapacity: 10 }

/** Ids that run, and the load, after a beat of a ship that the server has loaded. */
function afterBeat(module: GameModule): readonly [readonly string[], object] {
  const flown = flownModules([module])
  const values = { crates: 3 }
  const rows = flown.rows([{ module: 'cargo', version: 1, mass: 30, thrust: 0.5, values }])
  const { load } = rows.after(SHIP, 64).rows
  return [flown.ids, load]
}

it.each([
  ['mass', { mass: ({ lead }: { lead?: unknown }) => (lead === true ? 40 : 0) }],
  ['thrust', { thrustLimit: ({ lead }: { lead?: unknown }) => (lead === true ? 0.4 : 1) }],
])('leaves a %s of a column for operators to the server', (_, loads) => {
  expect(afterBeat({ ...cargo, ...loads })).toEqual([[], { payload: 30, thrust: 0.5 }])
})

it('weighs by the columns that its pilot sees', () => {
  const mass: GameModule['mass'] = ({ crates }) => 10 * crates
  expect(afterBeat({ ...cargo, mass })).toEqual([['cargo'], { payload: 40, thrust: 1 }])
})

it('takes 16 modules, in any versions, and names the bound beyond', () => {
  const numbered = (count: number): GameModule[] => {
    return Array.from({ length: count }, (_, i) => ({ ...cargo, id: `cargo_${i}` }))
  }
  const full = [...numbered(16), { ...cargo, id: 'cargo_0', version: 2 }]
  expect(flownModules(full).ids).toHaveLength(16)
  expect(gameModules(full).names).toHaveLength(16)
  const message = 'A game has at most 16 modules, not 17.'
  expect(() => flownModules(numbered(17))).toThrow(message)
  expect(() => gameModules(numbered(17))).toThrow(message)
})
