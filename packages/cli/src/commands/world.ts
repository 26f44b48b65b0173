import type { AdminClient, StationEntry } from '@orrery/client'
import { oneNamed, shipId } from '@orrery/client/named'
import { api } from '@orrery/client/routes'
import type { Command } from 'commander'
import { number } from '../arguments.ts'
import { confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { called } from '../named.ts'
import { plain, table } from '../text.ts'

type Point = 1 | 2 | 3 | 4 | 5

/** Star systems, and what is placed in them. */
export function addWorld(program: Command): void {
  works(program.command('systems').description('star systems'), 'systems', async ({ admin }) => {
    const answer = await (await admin()).systems()
    const rows = answer.systems.map((one) => [
      one.id,
      one.name,
      one.star_body,
      one.body_count,
      one.player_count,
    ])
    return { answer, text: table(['ID', 'NAME', 'STAR', 'BODIES', 'SHIPS'], rows, 'None.') }
  })
  works(
    program.command('ship-classes').description('what ships can do, and who may take one'),
    'ship-classes',
    async ({ game }) => {
      const answer = await (await game()).shipClasses()
      const rows = answer.ship_classes.map((one) => [
        one.name === answer.new_ships ? `${one.name} (new accounts)` : one.name,
        one.title,
        (1e-3 * one.exhaust_velocity * Math.log1p(one.fuel_capacity / one.dry_mass)).toFixed(1),
        (one.thrust_max / (one.dry_mass + one.fuel_capacity)).toFixed(2),
        one.price,
        typeof one.takers === 'string' ? one.takers : one.takers.join(', '),
      ])
      const head = ['NAME', 'TITLE', 'DELTA-V [km/s]', 'THRUST [m/s2]', 'PRICE', 'TAKEN BY']
      return { answer, text: table(head, rows, 'None.') }
    },
  )
  works(
    program
      .command('transfer')
      .description('move a ship to another star system, into its spawn orbit there')
      .argument('<ship>', 'id of a ship, or the name of its pilot')
      .argument('<system>', 'name or id of a star system'),
    'transfer Ripley "Alpha Centauri"',
    async ({ admin }, ship, system) => {
      const routes = await admin()
      const moved = await shipId(routes, ship)
      const { id } = oneNamed('star system', (await routes.systems()).systems, system)
      const answer = await routes.ships.transfer(moved, id)
      const { previous_system, new_system } = answer
      return {
        answer,
        text: `The ship went from ${plain(previous_system)} to ${plain(new_system)}.`,
      }
    },
  )
  addChanges(program)
  addStations(program)
  addGates(program)
}

interface Changes {
  readonly altitude?: number
  readonly body?: string
  readonly class?: string
  readonly fuel?: number
  readonly station?: string
}

function addChanges(program: Command): void {
  works<Changes>(
    program
      .command('change')
      .description('give a ship another class, fuel or place')
      .argument('<ship>', 'id of a ship, or the name of its pilot')
      .option('--class <name>', 'class')
      .option('--fuel <kg>', 'fuel', number)
      .option('--station <station>', 'put it behind a station, by name or id')
      .option('--body <body>', 'put it on a circular orbit about a body')
      .option('--altitude <m>', 'height of that orbit above the surface', number),
    'change Ripley --fuel 5000 --station "Luna Dock"',
    async ({ admin, options: { altitude, body, class: named, fuel, station } }, ship) => {
      const routes = await admin()
      const ship_id = await shipId(routes, ship)
      const place = station === undefined ? undefined : await stationNamed(routes, station)
      const answer = await routes.call(api.alterShip, {
        ship_id,
        ...(named !== undefined && { ship_class: named }),
        ...(fuel !== undefined && { fuel }),
        ...(place && { station_id: place.id }),
        ...(body !== undefined && { body }),
        ...(altitude !== undefined && { altitude }),
      })
      return { answer, text: 'The ship is changed.' }
    },
  )
}

function addStations(program: Command): void {
  const group = program.command('stations').description('stations')
  works(group.command('list').description('all stations'), 'stations list', async ({ admin }) => {
    const answer = await (await admin()).stations.list()
    const rows = answer.stations.map((one) => [one.name, one.station_id, one.parent_body])
    return { answer, text: table(['NAME', 'ID', 'BODY'], rows, 'There are no stations.') }
  })
  works<{ altitude?: number; secondary?: string; point?: number }>(
    group
      .command('create')
      .description('place a station: in an equatorial orbit, or at a Lagrange point')
      .argument('<name>')
      .argument('<body>', 'body it orbits, or the primary one')
      .option('--altitude <m>', 'height of the orbit above the surface', number)
      .option('--secondary <body>', 'other body of the Lagrange point')
      .option('--point <1-5>', 'number of the Lagrange point', number),
    'stations create "Luna Dock" Moon --altitude 200000',
    async ({ admin, options: { altitude, secondary, point } }, name, body) => {
      const answer = await (
        await admin()
      ).stations.create({
        name,
        parent_body: body,
        ...(altitude !== undefined && { altitude }),
        ...(secondary !== undefined && { secondary_body: secondary }),
        ...(point !== undefined && { lagrange_point: point as Point }),
      })
      return { answer, text: `Station ${answer.station_id} is placed.` }
    },
  )
  works<{ yes?: boolean }>(
    group
      .command('delete')
      .description('remove a station; ships undock')
      .argument('<station>', 'name or id of a station')
      .option('--yes', 'do not ask'),
    'stations delete "Luna Dock" --yes',
    async ({ admin, options }, given) => {
      const routes = await admin()
      const found = await stationNamed(routes, given)
      const question = `Remove the station ${called(found)} at ${plain(found.parent_body)}?`
      await confirmed(`${question} Ships that are docked at it undock.`, options.yes)
      await routes.stations.remove(found.id)
      const answer = { success: true }
      return { answer, text: `The station ${plain(found.name)} is removed.` }
    },
  )
}

function addGates(program: Command): void {
  const group = program.command('gates').description('jump gates')
  works(group.command('list').description('all jump gates'), 'gates list', async ({ admin }) => {
    const answer = await (await admin()).jumpgates.list()
    const names = new Map(answer.jumpgates.map((one) => [one.jumpgate_id, one.name]))
    const rows = answer.jumpgates.map((one) => [
      one.name,
      one.jumpgate_id,
      one.parent_body,
      names.get(one.paired_jumpgate_id ?? '') ?? one.paired_jumpgate_id ?? '-',
    ])
    const head = ['NAME', 'ID', 'BODY', 'LEADS TO']
    return { answer, text: table(head, rows, 'There are no jump gates.') }
  })
  works<{ point?: number; pair?: string }>(
    group
      .command('create')
      .description('place a jump gate at a Lagrange point')
      .argument('<name>')
      .argument('<primary>', 'larger body')
      .argument('<secondary>', 'smaller body')
      .option('--point <1-5>', 'number of the Lagrange point; 4 without it', number)
      .option('--pair <gate>', 'name or id of a gate of another system; each leads to the other'),
    'gates create "Mars Gate" Sun Mars --point 5',
    async ({ admin, options: { point, pair } }, name, primary, secondary) => {
      const { jumpgates } = await admin()
      const answer = await jumpgates.create({
        name,
        primary_body: primary,
        secondary_body: secondary,
        ...(point !== undefined && { lagrange_point: point as Point }),
        ...(pair !== undefined && { paired_jumpgate_id: (await gateNamed(jumpgates, pair)).id }),
      })
      return { answer, text: `Jump gate ${answer.jumpgate_id} is placed.` }
    },
  )
  works<{ yes?: boolean }>(
    group
      .command('delete')
      .description('remove a jump gate')
      .argument('<gate>', 'name or id of a jump gate')
      .option('--yes', 'do not ask'),
    'gates delete "Mars Gate" --yes',
    async ({ admin, options }, given) => {
      const { jumpgates } = await admin()
      const found = await gateNamed(jumpgates, given)
      const leads = found.paired_jumpgate_id === null ? '' : ' Its pair leads nowhere then.'
      const question = `Remove the jump gate ${called(found)} at ${plain(found.parent_body)}?`
      await confirmed(question + leads, options.yes)
      await jumpgates.remove(found.id)
      const answer = { success: true }
      return { answer, text: `The jump gate ${plain(found.name)} is removed.` }
    },
  )
}

type Gates = AdminClient['jumpgates']
type Gate = Awaited<ReturnType<Gates['list']>>['jumpgates'][number]

async function gateNamed(gates: Gates, text: string): Promise<Gate & { readonly id: string }> {
  const all = (await gates.list()).jumpgates.map((one) => ({ id: one.jumpgate_id, ...one }))
  return oneNamed('jump gate', all, text)
}

async function stationNamed(
  { stations }: AdminClient,
  named: string,
): Promise<StationEntry & { readonly id: string }> {
  const all = (await stations.list()).stations.map((one) => ({ id: one.station_id, ...one }))
  return oneNamed('station', all, named)
}
