// Law: after a restore every account with a ship has that ship, and no ship is without an account.
import { addShip, createUniverse } from '@orrery/engine/testing'
import type { Account } from '@orrery/store'
import { expect, test } from 'vitest'
import { GLOBE } from '../globe.ts'
import { reconciliation } from '../../src/world/stored-universe.ts'

const OTHER = { ...GLOBE, system: { ...GLOBE.system, id: 'other' } }

function account(username: string, shipId: string | null): Account {
  const tokens = { generation: 0, tokensFrom: null, keptToken: null }
  const dates = { createdAt: new Date(0), unflownSince: null, ...tokens }
  return { playerId: username, username, passwordHash: '', isAdmin: false, shipId, ...dates }
}

test('ships without an account are removed, missing ships are created', () => {
  const universe = createUniverse({
    systems: [GLOBE, OTHER],
    index: 64,
    seed: 'seed',
    shipsMax: 256,
  })
  for (const [i, shipId] of ['spare', 'owned'].entries()) {
    addShip(universe.worlds[i], shipId, shipId)
  }
  const accounts = [account('Ida', 'owned'), account('Max', 'missing'), account('Chief', null)]
  expect(reconciliation(universe, accounts)).toEqual([
    { kind: 'remove_ship', shipId: 'spare' },
    { kind: 'create_ship', shipId: 'missing', name: 'Max' },
  ])
  const name = 'Renamed'
  for (const [shipClass, kept] of [
    ['courier', { shipClass: 'courier' }],
    // The universe has no such class.
    ['tug', {}],
  ] as const) {
    const present = new Map([['missing', { name, shipClass }]])
    expect(reconciliation(universe, accounts, present)).toEqual([
      { kind: 'remove_ship', shipId: 'spare' },
      { kind: 'create_ship', shipId: 'missing', name, ...kept },
    ])
  }
})
