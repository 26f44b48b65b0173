// Law: what is typed into a dialog is a name or an id, and one thing at most has it.
import type { AdminClient } from '@orrery/client'
import { expect, test } from 'vitest'
import { withIds } from '../../src/operator/action.ts'
import { failureText } from '../../src/operator/failure-text.ts'
import { SECTIONS } from '../../src/operator/listings.ts'
import { ACTIONS, type ActionId } from '../../src/operator/actions.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const PAGE = [
  { username: 'Ripley_2', player_id: 'p-2', ship_id: '' },
  { username: 'Ripley', player_id: 'p-1', ship_id: 's-1' },
]
const gates = [
  { jumpgate_id: 'g-1', name: 'Gate', parent_body: 'Sun', paired_jumpgate_id: 'g-3' },
  { jumpgate_id: 'g-2', name: 'Gate', parent_body: 'Sun', paired_jumpgate_id: null },
  { jumpgate_id: 'g-3', name: 'Far Gate', parent_body: 'Sun', paired_jumpgate_id: 'g-1' },
]

const entry = { id: 1, game_time: '', ship_id: 's-1', maneuver_type: '', event_type: '' }

/** A server's lists; each page has one account. */
const admin = {
  players: {
    list: async ({ after = '0' }: { after?: string }) => ({
      players: PAGE.slice(Number(after), Number(after) + 1),
      next: Number(after) + 1 < PAGE.length ? `${Number(after) + 1}` : undefined,
    }),
  },
  systems: async () => ({ systems: [{ id: 'sol', name: 'Solar System' }] }),
  jumpgates: { list: async () => ({ jumpgates: gates }) },
  maneuverLog: {
    events: async (query: unknown) => ({ events: [{ ...entry, phase: JSON.stringify(query) }] }),
    level: async () => ({ level: 'normal' }),
  },
} as unknown as AdminClient

async function read(id: ActionId, values: Record<string, string>): Promise<unknown> {
  return withIds(ACTIONS[id], admin, values).catch(failureText)
}

test.each<[ActionId, Record<string, string>, object]>([
  ['resetPassword', { player: 'ripley', password: ' x ' }, { player: 'p-1', password: ' x ' }],
  ['resetPassword', { player: ID }, { player: ID }],
  ['transferShip', { ship: 'Ripley', system: 'solar system' }, { ship: 's-1', system: 'sol' }],
  ['debugShip', { ship: ID, debug: 'on' }, { ship: ID, debug: 'on' }],
  ['removeJumpgate', { jumpgate: 'far gate' }, { jumpgate: 'g-3' }],
  ['placeJumpgate', { name: 'Gate', pair: '' }, { name: 'Gate', pair: '' }],
])('%s with %o acts on %o', async (id, typed, meant) => {
  expect(await read(id, typed)).toMatchObject(meant)
})

test.each<[ActionId, Record<string, string>, string]>([
  ['deletePlayer', { player: 'Ash' }, 'No account has the name or id "Ash".'],
  ['transferShip', { ship: 'ripley_2', system: 'sol' }, 'Ripley_2 has no ship.'],
  ['transferShip', { ship: ID, system: 'Krypton' }, 'No star system has the name or id "Krypton".'],
  [
    'removeJumpgate',
    { jumpgate: 'Gate' },
    'More than one jump gate is named "Gate": give an id, g-1, g-2.',
  ],
])('%s with %o is refused: %s', async (id, typed, sentence) => {
  expect(await read(id, typed)).toBe(sentence)
})

test('tables take and show names too', async () => {
  const [, , places] = SECTIONS.places.listings
  const { rows } = await places.load(admin, {})
  expect(rows.map(({ cells }) => cells.at(-1))).toEqual(['Far Gate', '', 'Gate'])
  const [log] = SECTIONS.log.listings
  const shown = await log.load(admin, { ship: 'Ripley' })
  expect(shown.rows[0].cells).toContain('{"ship_id":"s-1"}')
})
