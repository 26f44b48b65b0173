// Goal: an operator's ship classes are those of the world, of new accounts' ships and of what an
// admin assigns, each for those the file names; they outlast a kill, without the file too; a file
// that would change a class of the world is refused. Method: the server of another test, on files.
import { connectSocket, createGameClient } from '@orrery/client'
import { createShipSample, openFlight } from '@orrery/client/flight'
import type {
  OwnShipsResponse,
  PlayerEntry,
  RegisterResponse,
  ShipClassesResponse,
  ShipState,
} from '@orrery/protocol'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN, type ServerEnvironment, startRefusal } from '../server-process.ts'
import type { UsedServer } from '../used-server.ts'

/** Of all files of this process. */
const directory = mkdtempSync(join(tmpdir(), 'orrery-classes-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))

export const TUG = {
  name: 'tug',
  dry_mass: 8_000,
  fuel_capacity: 5_000,
  thrust_max: 90_000,
  exhaust_velocity: 12_000,
  inertia: { x: 30_000, y: 50_000, z: 40_000 },
  wheel_capacity: { x: 1_800, y: 3_000, z: 2_400 },
  wheel_torque: { x: 200, y: 320, z: 260 },
  thruster_arm: 2,
  thruster_exhaust_velocity: 2_500,
  turn_seconds: 90,
  radius: 4,
}

const YACHT = {
  ...TUG,
  name: 'yacht',
  title: 'Yacht',
  description: 'For those who play.',
  price: 7,
  takers: ['player'],
  home: { body: 'Moon', altitude: 250_000 },
}

const anything: unknown = expect.any(String)

const nose = { x: 1, y: 0, z: 0 }

const tug = { ...TUG, title: 'tug', description: '', price: 0, takers: 'everyone', nose }

let server: UsedServer
let before: ShipClassesResponse
let courier: ShipClassesResponse['ship_classes'][number]
let ida: RegisterResponse
let max: RegisterResponse

/** The path of a file with a text, or a value as JSON. */
export function classFile(name: string, contents: unknown): string {
  const path = join(directory, `${name}.json`)
  writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents))
  return path
}

async function classes(): Promise<ShipClassesResponse> {
  return (await ask(server, 'GET', '/api/ship-classes')).body as ShipClassesResponse
}

async function shipOf({ token }: { readonly token: string }): Promise<ShipState> {
  return (await ask(server, 'GET', '/api/player/ship', { token })).body as ShipState
}

const sample = createShipSample()

/** Flies a burn over a binary socket; its class there, and what the server's check says. */
async function flown(
  { token, ship_id: id }: RegisterResponse,
  before: () => unknown = () => undefined,
): Promise<object> {
  const socket = connectSocket({ url: server.url, token, wire: 'binary' })
  const flight = openFlight({ socket })
  try {
    await new Promise((resolve) => flight.ship.on('mode', resolve))
    await before()
    await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
    await flight.ship.order({ type: 'control', thrust_level: 1, delta_v: 50 })
    const checks: boolean[] = []
    flight.ship.on('checked', ({ isEqual }) => checks.push(isEqual))
    // It is flown as far as it is asked for; the first check may be of before the burn.
    const shipClass = (): string | undefined => flight.world.ship(id)?.shipClass
    while (checks.length < 3) {
      flight.world.shipAt(sample, id, flight.clock.now())
      await setTimeout(20)
    }
    return { shipClass: shipClass(), isEqual: checks.every((isEqual) => isEqual) }
  } finally {
    flight.close()
    socket.close()
  }
}

/** Newcomers take a yacht and no courier, which operators give; an admin has no yacht. */
async function takenByTheirTakers(): Promise<void> {
  const come = (shipClass: string): ReturnType<typeof ask> =>
    ask(server, 'POST', '/api/auth/register', {
      body: { username: 'Joe', password: 'correct horse 7b', ship_class: shipClass },
    })
  expect(refusalOf(await come('barge'))).toBe('400 E001')
  expect(refusalOf(await come('courier'))).toBe('403 E031')
  const joe = await come('yacht')
  expect(joe.status).toBe(201)
  expect(await shipOf(joe.body as RegisterResponse)).toMatchObject({
    ship_class: 'yacht',
    reference_body: 'Moon',
  })
  const { player_id: id } = await chief()
  const assigned = server.order('POST', `/api/admin/players/${id}/ship?ship_class=yacht`)
  await expect(assigned).rejects.toThrow(/403.*E031.*yacht/)
}

/** The environment's admin. */
async function chief(): Promise<PlayerEntry> {
  const { players } = await server.order('GET', '/api/admin/players')
  return players.find(({ username }: PlayerEntry) => username === ADMIN.username)
}

/** Variables of the next start of a server, whose world gains classes by them. */
export async function moreClasses(used: UsedServer): Promise<ServerEnvironment> {
  server = used
  before = await classes()
  expect(before).toMatchObject({ new_ships: 'courier', ship_classes: [{ name: 'courier' }] })
  ida = await register(server, 'Ida')
  // The answer is a file of classes.
  ;[courier] = before.ship_classes
  const given = [YACHT, TUG, { ...courier, takers: 'operators' }]
  return {
    SHIP_CLASSES: classFile('added', { new_ships: 'tug', ship_classes: given }),
    SHIPS_PER_PLAYER: '2',
  }
}

/** Once it was started by these. */
export function shipClassLaws(): void {
  test('a world gains the classes of a file', async () => {
    await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 1 })
    expect(await classes()).toEqual({
      new_ships: 'tug',
      ship_classes: [{ ...courier, takers: 'operators' }, { ...YACHT, nose }, tug],
    })
    await takenByTheirTakers()
    max = await register(server, 'Max')
    expect(await shipOf(ida)).toMatchObject({ ship_class: 'courier', fuel_capacity: 10_000 })
    expect(await shipOf(max)).toMatchObject({
      ship_class: 'tug',
      fuel_capacity: 5_000,
      mass: 13_000,
    })
    expect(await flown(max)).toEqual({ shipClass: 'tug', isEqual: true })
  })

  test('an admin assigns a ship of a class, and none of one that is not there', async () => {
    const { player_id: id, ship_id: none } = await chief()
    expect(none).toBe('')
    const assign = (name: string): Promise<unknown> =>
      server.order('POST', `/api/admin/players/${id}/ship?ship_class=${name}`)
    await expect(assign('barge')).rejects.toThrow(/400.*E001.*no ship class barge/)
    await expect(assign('')).rejects.toThrow(/400.*E001.*ship_class/)
    await assign('tug')
    expect((await chief()).ship_id).not.toBe('')
  })

  test('a ship has fuel and a place from an admin, and another class at a dock', async () => {
    const ann = await register(server, 'Ann')
    const { token, ship_id: id } = ann
    const [{ station_id: stationId }] = (await server.order('GET', '/api/admin/stations')).stations
    const change = (changes: object): Promise<unknown> =>
      server.order('POST', `/api/admin/ship/${id}/changes`, changes)
    const own = (method: string, path: string, body: object = {}): ReturnType<typeof ask> =>
      ask(server, method, `/api/player/${path}`, { token, body })
    const rebuilt = (ship_class: string): ReturnType<typeof ask> =>
      own('PUT', 'ship/class', { ship_class })
    const socket = await openSocket(server, token)
    await change({ fuel: 1234 })
    expect(await socket.next('event')).toMatchObject({ event: 'altered', ship_id: id })
    expect(await shipOf(ann)).toMatchObject({ ship_class: 'tug', fuel: 1234 })
    for (const [changes, refusal] of [
      [{}, /400.*E001.*needed/],
      [{ fuel: 5001 }, /400.*E001.*0 to 5000 kg/],
      [{ ship_class: 'barge' }, /400.*E001.*barge/],
      [{ body: 'Earth' }, /400.*E001.*altitude/],
      [{ body: 'Vulcan', altitude: 1e6 }, /400.*E001.*Vulcan/],
      [{ station_id: ann.player_id }, /404.*E002/],
    ] as const) {
      await expect(change(changes)).rejects.toThrow(refusal)
    }
    await change({ station_id: stationId })
    expect(await shipOf(ann)).toMatchObject({ fuel: 1234, thrust_level: 0 })
    expect(refusalOf(await rebuilt('yacht'))).toBe('409 E003')
    await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
    await own('POST', 'dock', { station_id: stationId })
    await expect.poll(() => shipOf(ann)).toMatchObject({ docked_at: stationId })
    expect(refusalOf(await rebuilt('courier'))).toBe('403 E031')
    const yacht = await rebuilt('yacht')
    expect(yacht).toMatchObject({
      status: 200,
      body: { ship_class: 'yacht', docked_at: stationId },
    })
    await own('POST', 'undock')
    await expect.poll(() => shipOf(ann)).toMatchObject({ docked_at: null })
    await socket.close()
    const changed = async (): Promise<void> => {
      await change({ ship_class: 'courier' })
      await change({ fuel: 2000 })
    }
    expect(await flown(ann, changed)).toEqual({ shipClass: 'courier', isEqual: true })
    expect((await shipOf(ann)).fuel).toBeLessThan(2000)
  })

  test('a pilot has as many ships as may be, and flies one, which the socket follows', async () => {
    const bob = await register(server, 'Bob')
    const { token, ship_id: first } = bob
    const own = async (method: string, path = '', body?: object): ReturnType<typeof ask> =>
      ask(server, method, `/api/player/ships${path}`, { token, ...(body && { body }) })
    const count = async (): Promise<number> =>
      (await server.order('GET', '/api/systems')).systems[0].player_count
    const tug = { ship_id: first, flown: true, name: 'Bob', ship_class: 'tug', system_id: 'sol' }
    expect(await own('GET')).toMatchObject({ status: 200, body: { ships_max: 2, ships: [tug] } })
    expect(refusalOf(await own('POST', '', { ship_class: 'courier' }))).toBe('403 E031')
    const made = await own('POST', '', { ship_class: 'yacht' })
    const yacht = { ...tug, ship_id: anything, flown: false, name: 'Bob 2', ship_class: 'yacht' }
    expect(made).toMatchObject({ status: 201, body: { ships_max: 2, ships: [tug, yacht] } })
    expect(refusalOf(await own('POST', '', {}))).toBe('409 E003')
    const { ships } = made.body as OwnShipsResponse
    const second = ships[1].ship_id
    const changed = async (): Promise<void> => {
      const { body } = await own('PUT', `/${second.toUpperCase()}/flown`)
      expect(body).toMatchObject({ ships: [{ flown: false }, { ship_id: second, flown: true }] })
    }
    const other = { ...bob, ship_id: second }
    expect(await flown(other, changed)).toEqual({ shipClass: 'yacht', isEqual: true })
    expect(await shipOf(bob)).toMatchObject({ ship_id: second, reference_body: 'Moon' })
    expect(refusalOf(await own('PUT', `/${max.ship_id}/flown`))).toBe('404 E006')
    const found = (await server.order('GET', `/api/admin/players?search=${first}`)).players
    expect(found).toMatchObject([{ ship_id: second, coasting_ships: [first] }])
    const before = await count()
    expect(refusalOf(await own('DELETE', `/${second}`))).toBe('409 E003')
    expect(refusalOf(await own('DELETE', `/${max.ship_id}`))).toBe('404 E006')
    expect((await own('DELETE', `/${first.toUpperCase()}`)).body).toMatchObject({
      ships: [{ ship_id: second, flown: true }],
    })
    expect(refusalOf(await own('DELETE', `/${first}`))).toBe('404 E006')
    expect(await createGameClient(server).player(token).ships.create()).toMatchObject({
      ships: [{ name: 'Bob 2' }, { name: 'Bob 3', ship_class: 'tug' }],
    })
    expect(await count()).toBe(before)
    expect((await ask(server, 'DELETE', '/api/account', { token })).status).toBe(204)
    expect(await count()).toBe(before - 2)
  })
}

/** Of a killed server: one file leaves a class out, one changes a class, one cannot be flown. */
export async function expectRefusedFiles(): Promise<void> {
  for (const [given, message] of [
    [[TUG], /has a ship class courier, which those given lack/],
    [
      [{ ...TUG, dry_mass: 8_001 }, YACHT, ...before.ship_classes],
      /tug is another: dryMass is 8000 .* 8001/,
    ],
    [
      [TUG, { ...YACHT, home: { body: 'Vulcan', altitude: 1 } }, ...before.ship_classes],
      /^.*SHIP_CLASSES: .*changed\.json: Ship class yacht: home: No body Vulcan in Sol/,
    ],
  ] as const) {
    const path = classFile('changed', { ship_classes: given })
    expect(await startRefusal({ ...server.variables, SHIP_CLASSES: path })).toMatch(message)
  }
}

/** After a kill, by a start without the file. */
export async function expectKeptClasses(): Promise<void> {
  const { home: _, ...lost } = YACHT
  expect(await classes()).toEqual({
    new_ships: 'courier',
    ship_classes: [
      courier,
      { ...lost, title: 'yacht', description: '', price: 0, takers: 'operators', nose },
      { ...tug, takers: 'operators' },
    ],
  })
  expect(await shipOf(max)).toMatchObject({ ship_class: 'tug' })
  expect(await shipOf(await register(server, 'Eve'))).toMatchObject({ ship_class: 'courier' })
}
