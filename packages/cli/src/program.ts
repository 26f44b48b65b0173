import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError } from 'commander'
import { addSharedOptions } from './command.ts'
import { addAccounts } from './commands/accounts.ts'
import { addBackups } from './commands/backups.ts'
import { addClock } from './commands/clock.ts'
import { addGameControl } from './commands/game-control.ts'
import { addLoad } from './commands/load.ts'
import { addLogs } from './commands/logs.ts'
import { addPast } from './commands/past.ts'
import { addServiceTokens } from './commands/service-tokens.ts'
import { addSession } from './commands/session.ts'
import { addSnapshots } from './commands/snapshots.ts'
import { addHosts } from './commands/hosts.ts'
import { addModules } from './commands/modules.ts'
import { addStatus } from './commands/status.ts'
import { addWorld } from './commands/world.ts'
import packageJson from '../package.json' with { type: 'json' }
import { EXIT, Failure } from './failure.ts'
import { shapeHelp } from './help.ts'

/** Commands that are found by the other number of their noun, too. */
const NOUNS: ReadonlySet<string> = new Set([
  'snapshot',
  'backup',
  'players',
  'admins',
  'service-tokens',
  'systems',
  'stations',
  'gates',
  'modules',
  'maneuvers',
  'registrations',
  'metrics',
])

/** All commands. */
export function createProgram(): Command {
  const program = new Command('orrery')
    .description('Operates an Orrery server.')
    .version(packageJson.version, '-V, --version')
    .exitOverride()
  shapeHelp(program)
  addSharedOptions(program)
  addSession(program)
  addStatus(program)
  addHosts(program)
  addModules(program)
  addGameControl(program)
  addClock(program)
  addSnapshots(program)
  addBackups(program)
  addPast(program)
  addAccounts(program)
  addServiceTokens(program)
  addWorld(program)
  addLogs(program)
  addLoad(program)
  for (const command of program.commands) {
    const name = command.name()
    if (NOUNS.has(name)) command.alias(name.endsWith('s') ? name.slice(0, -1) : `${name}s`)
  }
  tab(program, { completionCommandName: 'completion' })
  return program
}

/** Runs the command of a command line; resolves with the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = createProgram()
  try {
    await program.parseAsync(argv, { from: 'user' })
    return EXIT.done
  } catch (error) {
    // Commander has printed its sentence already; help and version are no mistakes.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`orrery: ${error.message}\n`)
    return error.exitCode
  }
}
