/**
 * Law: modules react to events of the core and of one another at the first full second after them.
 * Goal: ships that dock, fly by autopilot, change star systems and command leave the same bits
 * however they are flown; two modules that answer each other are stopped.
 */
import { bit, defineModule, f64, u32, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const STATION = '1672af5b-fe40-4014-9088-7187b8727b43'

const market = defineModule({
  id: 'market',
  version: 1,
  ship: {
    fuse: bit(),
    lost: u32(''),
    dry: u32(''),
    docks: u32(''),
    phases: u32(''),
    ended: u32(''),
    moved: u32(''),
    luck: f64(''),
  },
  tables: { port: { rows: 1, columns: { visits: u32('') } } },
  begin: ({ add }) => void add('port', {}),
  events: {
    landed: { text: 'Landed.', body: v.object({ fuel: v.number() }) },
    cheered: { text: 'Cheered.', body: v.object({}) },
  },
  commands: {
    fuse: { body: v.object({}), run: ({ ship }) => void (ship.fuse = true) },
    cheer: { body: v.object({}), run: ({ emit }) => emit('cheered', {}) },
    drain: { body: v.object({}), run: ({ refuel, ship }) => void refuel(1 - ship.fuel) },
  },
  beat: {
    of: 'fuse',
    run({ destroy, ship }) {
      if (ship.docked) destroy('The fuse has burnt.')
      ship.fuse = false
    },
  },
  on: {
    destroyed: (ship) => void (ship.lost += ship.docked ? 10 : 1),
    docked(ship, { station }, { emit, random, row }) {
      if (station !== STATION || !ship.docked) return
      ship.docks += 1
      ship.luck += random()
      row('port', 1).visits += 1
      emit('landed', { fuel: ship.fuel })
    },
    phase(ship, { phase, from }, { at, seconds }) {
      if (phase === from || !(at < seconds && seconds - at <= 1)) throw new Error('It is late.')
      ship.phases += 1
    },
    burnEnded: (ship) => void (ship.dry += ship.fuel === 0 ? 1 : 10),
    failed: (ship, { reason }) => {
      if (reason === 'timed_out') ship.ended += 1
    },
    completed: (ship) => void (ship.ended += 1),
    transferred: (ship, { from }) => void (ship.moved += from === 'here' ? 1 : 10),
  },
})

const guild = defineModule({
  id: 'guild',
  version: 1,
  ship: { members: u32(''), fuelSeen: f64('kg') },
  events: { welcome: { text: 'Welcome.', body: v.object({}) } },
  on: {
    'market.landed'(ship, { fuel }, { emit }) {
      ship.fuelSeen += Number(fuel)
      emit('welcome', {})
    },
    'market.cheered': (ship) => void (ship.members += 1),
    'guild.welcome': (ship) => void (ship.members += 100),
  },
})

/** Two that answer each other. */
const [ping, pong] = ['ping', 'pong'].map((id, i) =>
  defineModule({
    id,
    version: 1,
    ship: { seen: u32('') },
    events: { hit: { text: 'Hit.', body: v.object({}) } },
    commands: { serve: { body: v.object({}), run: ({ emit }) => emit('hit', {}) } },
    on:
      i === 0
        ? { 'pong.hit': (ship, _, { emit }) => (void (ship.seen += 1), emit('hit', {})) }
        : { 'ping.hit': (ship, _, { emit }) => (void (ship.seen += 1), emit('hit', {})) },
  }),
)

it('reacts to the core and to other modules', async () => {
  const dock = { maneuver: 'dock', stationId: STATION, timeout: 3000, params: [] } as const
  const flown = await flownEveryWay([market, guild, ping, pong], {
    ships: 6,
    seconds: 1000,
    stations: { [STATION]: { around: 'Earth', altitude: 420_000 } },
    happenings: [
      { at: 1, ship: 1, behind: STATION },
      { at: 1, ship: 2, behind: STATION },
      // Under another number, since it was put there.
      { at: 2, ship: 7, order: dock },
      { at: 2, ship: 8, order: dock },
      { at: 3, ship: 3, command: 'drain' },
      { at: 4, ship: 3, control: { thrustLevel: 1 } },
      { at: 3, ship: 4, order: { ...dock, timeout: 20 } },
      { at: 50.5, ship: 5, command: 'cheer' },
      // It is gone before the others can react.
      { at: 60.25, ship: 6, command: 'cheer' },
      { at: 60.25, ship: 6, to: 'there' },
      { at: 90, ship: 6, to: 'here' },
      { at: 980, ship: 1, command: 'fuse' },
      { at: 100, ship: 3, module: 'ping', command: 'serve' },
    ],
  })
  expect(flown.stopped).toEqual([expect.stringContaining('8 answers deep')])
  expect(flown.sum('seen')).toBe(8)
  expect(flown.refusals).toEqual([])
  expect(flown.sum('lost')).toBe(1)
  expect(flown.sum('dry')).toBe(1)
  expect(flown.sum('docks')).toBe(2)
  expect(flown.sum('visits', 'port')).toBe(2)
  expect(flown.sum('luck')).toBeGreaterThan(0)
  expect(flown.sum('fuelSeen')).toBeGreaterThan(0)
  expect(flown.sum('ended')).toBe(3)
  expect(flown.sum('phases')).toBeGreaterThan(4)
  expect(flown.sum('members')).toBe(201)
  expect(flown.sum('moved')).toBe(11)
  const events = Object.groupBy(flown.events, (text) => text)
  expect([events['Cheered.'], events['Landed.'], events['Welcome.']]).toMatchObject([
    { length: 1 },
    { length: 2 },
    { length: 2 },
  ])
})
