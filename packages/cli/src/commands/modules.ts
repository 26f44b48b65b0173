import { oneNamed, shipId } from '@orrery/client/named'
import { api } from '@orrery/client/routes'
import type { ModuleValues } from '@orrery/client'
import type { Command } from 'commander'
import { EXIT, Failure } from '../failure.ts'
import { works } from '../command.ts'
import { plain, table } from '../text.ts'

/** Rules of a game's own, and where they run. */
export function addModules(program: Command): void {
  const modules = program.command('modules')
  addReadings(modules)
  works<{ reason?: string }>(
    modules
      .command('stop')
      .description('stop a module in a star system; what it keeps stays')
      .argument('<module>', MODULE)
      .argument('<system>', SYSTEM)
      .option('--reason <text>', 'what pilots read'),
    'modules stop mining Sol --reason "It is repaired."',
    async ({ admin, options: { reason } }, module, system) => {
      const routes = await admin()
      const { id } = oneNamed('star system', (await routes.systems()).systems, system)
      const stop = {
        module,
        system_id: id,
        running: false,
        ...(reason !== undefined && { reason }),
      }
      const answer = await routes.call(api.switchModule, stop)
      return { answer, text: `${plain(module)} has stopped in ${plain(id)}.` }
    },
  )
  works(
    modules
      .command('start')
      .description('let a module go on that has stopped in a star system')
      .argument('<module>', MODULE)
      .argument('<system>', SYSTEM),
    'modules start mining Sol',
    async ({ admin }, module, system) => {
      const routes = await admin()
      const { id } = oneNamed('star system', (await routes.systems()).systems, system)
      const answer = await routes.call(api.switchModule, { module, system_id: id, running: true })
      return { answer, text: `${plain(module)} runs in ${plain(id)}.` }
    },
  )
}

function addReadings(modules: Command): void {
  works(
    modules.description('what rules of the game cost, and where they have stopped'),
    'modules',
    async ({ admin }) => {
      const answer = await (await admin()).call(api.listModuleCosts)
      const rows = answer.modules.map((one) => [
        one.module,
        String(one.version),
        one.system_id,
        `${(one.bytes / KIB).toFixed(1)} KiB`,
        `${(1000 * one.mean_seconds).toFixed(3)} ms`,
        `${(1000 * one.worst_seconds).toFixed(3)} ms`,
        String(one.breaks),
        one.tables
          .map(({ table: name, rows: of, rows_max: most }) => `${name} ${of}/${most}`)
          .join(', ') || '-',
        one.stopped ? `${one.stopped.game_time}: ${one.stopped.reason}` : '-',
      ])
      return { answer, text: table(HEADS, rows, 'There are no modules.') }
    },
  )
  works(
    modules.command('ship').description('what modules keep of a ship').argument('<ship>', SHIP),
    'modules ship Ripley',
    async ({ admin }, given) => {
      const routes = await admin()
      const answer = await routes.call(api.readShipModules, {
        ship_id: await shipId(routes, given),
      })
      return { answer, text: keptText(answer) }
    },
  )
  works(
    modules
      .command('command')
      .description('give a ship a command of a module, also one for operators alone')
      .argument('<ship>', SHIP)
      .argument('<module>', MODULE)
      .argument('<command>', 'name of the command')
      .argument('[values]', 'what it is given, as a JSON object', '{}'),
    `modules command Ripley mining drill '{"asteroid":3}'`,
    async ({ admin }, given, module, command, values) => {
      const routes = await admin()
      const answer = await routes.call(api.commandShipModule, {
        ship_id: await shipId(routes, given),
        module,
        command,
        values: objectOf(values),
      })
      return { answer, text: keptText(answer) }
    },
  )
}

function keptText({ ship_values: kept }: api.ShipModulesResponse): string {
  const rows = Object.entries(kept).flatMap(([module, values]) =>
    Object.entries(values).map(([column, value]) => [module, column, String(value ?? '-')]),
  )
  return table(['MODULE', 'COLUMN', 'VALUE'], rows, 'Modules keep nothing.')
}

/** @throws {Failure} for what is no JSON; the server names what does not fit */
function objectOf(text: string): ModuleValues {
  try {
    return JSON.parse(text) as ModuleValues
  } catch {
    throw new Failure(EXIT.usage, `${text} is no JSON object.`)
  }
}

const HEADS = [
  'MODULE',
  'VERSION',
  'SYSTEM',
  'MEMORY',
  'MEAN',
  'WORST',
  'BREAKS',
  'ROWS',
  'STOPPED',
]
const KIB = 1024

const MODULE = 'name of a module'
const SHIP = 'id of a ship, or the name of its pilot'
const SYSTEM = 'name or id of a star system'
