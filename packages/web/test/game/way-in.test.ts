// Laws: who registers or signs in enters with a ship, and the question is closed; each gate leads
// to the star system of the gate that it is paired with. Method: a real server.
import { sharedPageServer } from '@orrery/page-kit/page-server'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { askGateWays } from '../../src/orders/gate-ways.ts'
import type { Account } from '../../src/session/account.ts'
import { createEntrance } from '../../src/session/entrance.ts'

const PASSWORD = randomBytes(12).toString('base64url')
/** Other files have accounts on the same server. */
const NAME = `Way_in_${randomBytes(4).toString('hex')}`

test('a player enters by registering, and again by signing in', async () => {
  const { client } = await sharedPageServer()
  const entered: Account[] = []
  const entrance = createEntrance(client, (account) => entered.push(account))
  const shown = (): unknown[] =>
    [entrance.isOpen, entrance.mode, entrance.username].map(({ value }) => value)
  expect(shown()).toEqual([false, 'register', ''])
  entrance.ask('sign-in', NAME)
  expect(shown()).toEqual([true, 'sign-in', NAME])
  await expect(entrance.signIn(NAME, PASSWORD)).rejects.toMatchObject({ code: 'E005' })
  expect(shown()[0]).toBe(true)
  entrance.ask('register')
  expect(shown()).toEqual([true, 'register', ''])
  await entrance.register(NAME, PASSWORD)
  expect(shown()[0]).toBe(false)
  entrance.ask('sign-in')
  await entrance.signIn(NAME, PASSWORD)
  expect(shown()[0]).toBe(false)
  expect(entered.map(({ username }) => username)).toEqual([NAME, NAME])
  const ships = await Promise.all(entered.map(({ token }) => client.player(token).ship()))
  expect(ships.map((ship) => ship.ship_id)).toEqual(entered.map(({ shipId }) => shipId))
})

test('gates lead to and fro between star systems', async () => {
  const { client } = await sharedPageServer()
  const ways = await askGateWays(client)
  const { systems } = await client.systems()
  const gates = (await Promise.all(systems.map(({ id }) => client.system(id)))).flatMap(
    ({ name, jumpgates }) => jumpgates.map((gate) => ({ ...gate, home: name })),
  )
  const paired = gates.filter((gate) => gate.paired_jumpgate_id !== null)
  expect(paired.length).toBeGreaterThan(1)
  expect(ways.size).toBe(paired.length)
  for (const { jumpgate_id: id, paired_jumpgate_id: pair } of paired) {
    const there = gates.find((gate) => gate.jumpgate_id === pair)
    expect(ways.get(id)).toBe(there?.home)
  }
})
