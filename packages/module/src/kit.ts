/** What tests of a module need: the same flight in every way in which a server may fly it. */
import { createHash } from 'node:crypto'
import {
  type Universe,
  createPool,
  createReplay,
  createUniverseInSlices,
  executeCommand,
  restoreUniverseInSlices,
  startNode,
  universeAt,
  universeImage,
} from '@orrery/engine'
import type { ModuleBody, ModuleValues, Rule } from '@orrery/engine/modules'
import {
  type Control,
  type ManeuverOrder,
  QUANTA_PER_SECOND,
  createMassiveState,
  latticeFromUtc,
} from '@orrery/sim'
import type { GameModule } from './define-module.ts'
import { gameModules } from './host/index.ts'

/** What happens in a flight, at a time since its beginning [s]. */
export interface Happening {
  readonly at: number
  /** its number, from 1 on */
  readonly ship: number
  readonly command?: string
  readonly body?: ModuleBody
  /** whose command it is, where the first of several is not */
  readonly module?: string
  /** the star system that it is moved to: `here` or `there` */
  readonly to?: string
  /** number of the ship that its account flies from then on */
  readonly flies?: number
  /** id of the station that an operator puts it behind */
  readonly behind?: string
  /** what its autopilot is ordered, or its leaving of a station */
  readonly order?: ManeuverOrder | 'undock'
  /** table and id of the row on a rail that the order is directed at */
  readonly toRow?: readonly [string, number]
  /** what its pilot steers */
  readonly control?: Control
  /** the module's from then on, of all ships */
  readonly version?: number
  /** what the ship does by itself from then on */
  readonly rules?: readonly KitRule[]
}

/** A rule of a pilot; its name is its id. */
export type KitRule = Pick<Rule, 'name' | 'condition' | 'order' | 'command'> & {
  readonly once?: boolean
}

export interface Scenario {
  /** all begin in the system `here`, which has an Earth and a Moon; `there` has an Earth */
  readonly ships: number
  readonly seconds: number
  /** of the system `here`, by their ids */
  readonly stations?: Readonly<
    Record<string, { readonly around: string; readonly altitude: number }>
  >
  readonly happenings: readonly Happening[]
  /** by more threads and ticks as well, and again from a past image: it takes thrice as long */
  readonly isWhole?: true
}

/** How a flight went. */
export interface FlownWay {
  readonly way: string
  /** by system and index; a restart leaves out those of its 64 s */
  readonly digests: ReadonlyMap<string, string>
  /** checksum of all that there is at the end */
  readonly end: string
  /** refusals, in order */
  readonly refusals: readonly string[]
  /** names of the rules that fired, in order */
  readonly fired: readonly string[]
  /** texts of the modules' events, in order */
  readonly events: readonly string[]
  /** a column of all ships, and of all rows of a table */
  sum(column: string, table?: string): number
  /** a column of one ship, by its number in happenings; undefined where no module has it */
  of(ship: number, column: string): ModuleValues[string] | undefined
  readonly stopped: readonly string[]
}

interface Way {
  readonly name: string
  readonly threads: number
  /** quanta of a tick at most */
  readonly cut: number
  /** it is stored and restored so often */
  readonly restarts: number
  /** its last part is flown twice, from the image before it */
  readonly goesBack?: true
}

/** Each part of a flight starts its threads: the most restarts go with the fewest threads. */
const WAYS: readonly Way[] = [
  { name: 'three threads, long ticks', threads: 3, cut: 5000, restarts: 0 },
  { name: 'two threads, uneven ticks', threads: 2, cut: 1001, restarts: 1 },
  { name: 'one thread, short ticks, restarts', threads: 1, cut: 333, restarts: 3 },
]

const MORE_WAYS: readonly Way[] = [
  { name: 'four threads, ticks of a second', threads: 4, cut: 64, restarts: 0 },
  { name: 'two threads, a past image', threads: 2, cut: 2003, restarts: 2, goesBack: true },
  { name: 'one thread, the longest ticks, restarts', threads: 1, cut: 20_011, restarts: 11 },
]

/**
 * Flies a scenario in several ways: threads, ticks, and restarts from images differ.
 *
 * @param given  one module, or several in their order; of one id all versions, the first first
 * @throws {Error} naming the ways whose digests or ends differ
 */
export async function flownEveryWay(
  given: GameModule | readonly GameModule[],
  scenario: Scenario,
): Promise<FlownWay> {
  const all = [given].flat()
  const [first, ...others] = await Promise.all(WAYS.map((way) => flown(all, scenario, way)))
  // One after the other: all their threads at once would stall each other.
  for (const way of scenario.isWhole ? MORE_WAYS : []) {
    others.push(await flown(all, scenario, way))
  }
  for (const other of others) {
    const found = [...other.digests].find(([place, digest]) => first.digests.get(place) !== digest)
    const isAnswered = (['refusals', 'events', 'fired'] as const).every((name) => {
      return first[name].join() === other[name].join()
    })
    const where = found?.[0] ?? (isAnswered ? 'the end' : 'what they answer')
    if (!found && isAnswered && first.end === other.end) continue
    throw new Error(`${first.way} and ${other.way} differ at ${where}.`)
  }
  return first
}

const START = latticeFromUtc(Date.UTC(2026, 0, 1))

/** Worlds fly to whole indices alone. */
function indexOf({ at }: Happening): number {
  return START + Math.floor(at * QUANTA_PER_SECOND)
}

/** An image on the way, what was still to happen then, and what had been noted. */
interface Past {
  readonly stored: Parameters<typeof restoreUniverseInSlices>[0]
  readonly due: readonly Happening[]
  readonly counts: readonly number[]
}

async function flown(
  given: readonly GameModule[],
  scenario: Scenario,
  way: Way,
): Promise<FlownWay> {
  const room = { systems: systems(), shipsMax: scenario.ships, modules: gameModules(given) }
  const made = await createUniverseInSlices({ ...room, index: START, seed: 'kit' })
  let opened = universeAt(made, START)
  const act: Act = (command) => executeCommand(opened.universe, command)
  begin(act, given, scenario)
  const digests = new Map<string, string>()
  const refusals: string[] = []
  const events: string[] = []
  const fired: string[] = []
  const end = START + scenario.seconds * QUANTA_PER_SECOND
  const due = scenario.happenings.toSorted((a, b) => a.at - b.at)
  const parts = way.restarts + 1
  const lists = [refusals, events, fired]
  let { goesBack } = way
  let past: Past | undefined
  for (let part = 1; part <= parts; part++) {
    const to = START + Math.floor(((end - START) * part) / parts)
    const flier = fliers(opened.universe, way, { digests, events, fired })
    while (due.length > 0 && indexOf(due[0]) <= to) {
      const [happening] = due.splice(0, 1)
      await flier.flyTo(indexOf(happening))
      try {
        const control = controlOf(opened.universe, given[0].id, happening)
        if (control) await flier.steer(happening.ship, control)
        else happen(act, given[0].id, happening)
      } catch (error) {
        refusals.push(String(error))
      }
    }
    await flier.flyTo(to)
    await flier.close()
    if (part < parts) {
      const { gameClock, universe } = opened
      const image = universeImage(universe, { ...gameClock, index: to }, part)
      const stored = { header: JSON.parse(JSON.stringify(image.header)), bytes: image.bytes }
      past = { stored, due: [...due], counts: lists.map(({ length }) => length) }
    } else if (past && goesBack) {
      goesBack = undefined
      part--
      due.splice(0, due.length, ...past.due)
      for (const [i, list] of lists.entries()) list.length = past.counts[i]
    } else break
    opened = await restoreUniverseInSlices(past.stored, room)
  }
  const noted = { way: way.name, digests, refusals, events, fired }
  return { ...noted, ...foundAt(opened, end) }
}

/** What there is at the end of a flight. */
function foundAt(
  { gameClock, universe }: ReturnType<typeof universeAt>,
  end: number,
): Pick<FlownWay, 'end' | 'of' | 'stopped' | 'sum'> {
  const image = universeImage(universe, { ...gameClock, index: end }, 0)
  const { worlds } = universe
  return {
    end: JSON.stringify([image.header.worlds.map(({ modules }) => modules), sealsOf(image.bytes)]),
    stopped: worlds.flatMap(
      ({ modules }) => modules?.added.flatMap(({ stopped }) => stopped?.reason ?? []) ?? [],
    ),
    of: (ship, column) => {
      const found = worlds.flatMap(({ modules, roster }) => {
        const entry = roster.byId.get(shipId(ship))
        return entry && modules ? Object.values(modules.shipValues(entry.slot, 'operator')) : []
      })
      return found.find((values) => column in values)?.[column]
    },
    sum: (column, table) => {
      const rows = worlds.flatMap((world) => rowsIn(world, end, table))
      return rows.reduce((sum, row) => sum + Number(row?.[column] ?? 0), 0)
    },
  }
}

/** The ships of a world, or the rows of a table. */
function rowsIn(
  { modules, roster }: Universe['worlds'][number],
  index: number,
  table: string | undefined,
): readonly (ModuleValues | undefined)[] {
  return (modules?.added ?? []).flatMap(({ id, tables }) => {
    if (table !== undefined) {
      return tables.includes(table) ? modules?.rowValues(id, table, 'operator', index) : []
    }
    return Array.from(roster.byId.values(), ({ slot }) => {
      return modules?.shipValues(slot, 'operator')[id]
    })
  })
}

type Act = (command: Parameters<typeof executeCommand>[1]) => void

function controlOf(
  { worlds: [{ modules }] }: Universe,
  first: string,
  { control, module = first, order, toRow }: Happening,
): Control | undefined {
  if (order === undefined) return control
  if (order === 'undock') return { undock: true }
  if (!toRow) return { maneuver: order }
  const [table, id] = toRow
  const row = modules?.rowValues(module, table, 'operator', START)[id - 1]
  // In the order of fields that images have.
  const { maneuver, ...rest } = order
  return { maneuver: { maneuver, stationId: String(row?.['id']), ...rest } }
}

function happen(act: Act, first: string, happening: Happening): void {
  const { at: seconds, behind, body = {}, command, flies, module = first } = happening
  const { rules, ship, to, version } = happening
  const at = { shipId: shipId(ship) }
  if (version !== undefined) act({ kind: 'add_module', module, version })
  if (rules) act({ kind: 'set_rules', ...at, rules: rules.map(ruleOf) })
  if (to !== undefined) act({ kind: 'transfer_ship', ...at, systemId: to })
  else if (flies !== undefined) {
    const passId = `pass ${ship} ${seconds}`
    act({ kind: 'pass_account', ...at, taker: shipId(flies), passId })
  } else if (behind !== undefined) {
    act({ kind: 'alter_ship', ...at, place: { kind: 'station', stationId: behind } })
  } else if (command !== undefined) act({ kind: 'module_command', ...at, module, command, body })
}

function ruleOf({ once = false, ...rule }: KitRule): Rule {
  return { ...rule, ruleId: rule.name, once, armed: true, source: '' }
}

function begin(act: Act, given: readonly GameModule[], { ships, stations = {} }: Scenario): void {
  const versions = Map.groupBy(given, ({ id }) => id)
  for (const [module, [{ version }]] of versions) act({ kind: 'add_module', module, version })
  for (const [stationId, { around, altitude }] of Object.entries(stations)) {
    const placement = { kind: 'orbit', altitude } as const
    act({
      kind: 'create_station',
      stationId,
      name: stationId,
      systemId: 'here',
      parentBody: around,
      placement,
    })
  }
  for (let i = 1; i <= ships; i++) act({ kind: 'create_ship', shipId: shipId(i), name: shipId(i) })
}

function shipId(number: number): string {
  return `ship-${number}`
}

/** Flies the worlds of a universe, all to the same index. */
function fliers(
  universe: Universe,
  { cut, threads }: Way,
  {
    digests,
    events,
    fired,
  }: Record<'events' | 'fired', string[]> & { digests: Map<string, string> },
): {
  flyTo(index: number): Promise<void>
  /** to a ship of the first system */
  steer(ship: number, control: Control): Promise<void>
  close(): Promise<void>
} {
  const raise = (error: unknown): void => {
    throw error
  }
  const pool = createPool(universe, threads, raise)
  const replays = universe.worlds.map((world, place) => {
    return createReplay({
      world,
      pool,
      place,
      onDigest: ({ systemId, index, digest }) => digests.set(`${systemId} ${index}`, digest),
      onEvent: ({ own, rule }) => {
        if (own) events.push(own.text)
        if (rule) fired.push(rule.name)
      },
    })
  })
  return {
    close: () => pool.close(),
    steer: (ship, control) => {
      const { index, intake } = universe.worlds[0]
      const command = { kind: 'control', ship, control }
      return replays[0].apply({ sequence: intake.sequence + 1, index: index + 64, command })
    },
    async flyTo(end) {
      let { index } = universe.worlds[0]
      while (index < end) {
        index = Math.min(end, index + cut)
        for (const replay of replays) await replay.flyTo(index, 0)
      }
    },
  }
}

function sealsOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const EARTH = { name: 'Earth', parent: -1, gm: 3.986004418e14, radius: 6.371e6 }
const MOON = { name: 'Moon', parent: 0, gm: 4.9e12, radius: 1.74e6 }
// As far off as ours: nearer, the tide would carry ships off that are at rest beside a row.
const MOON_DISTANCE = 3.844e8
const MOON_SPHERE = 6.6e7

/** Two systems that are made in milliseconds. */
function systems(): Parameters<typeof createUniverseInSlices>[0]['systems'] {
  const start = { node: startNode(START) }
  const moved = {
    ...start,
    x: Float64Array.of(0, 0, 0, MOON_DISTANCE, 0, 0),
    v: Float64Array.of(0, 0, 0, 0, Math.sqrt(EARTH.gm / MOON_DISTANCE), 0),
  }
  const position = [0, 0, 0] as const
  return [
    {
      system: { id: 'here', name: 'Here', position, bodies: [EARTH, MOON] },
      territory: { home: 0, spheres: Float64Array.of(Infinity, MOON_SPHERE) },
      start: Object.assign(createMassiveState(2), moved),
    },
    {
      system: { id: 'there', name: 'There', position, bodies: [EARTH] },
      territory: { home: 0, spheres: Float64Array.of(Infinity) },
      start: Object.assign(createMassiveState(1), start),
    },
  ]
}
