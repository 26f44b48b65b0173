import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError } from 'commander'
import { addSharedOptions } from './command.ts'
import { addAccounts } from './commands/accounts.ts'
import { addBackups } from './commands/backups.ts'
import { addClock } from './commands/clock.ts'
import { addGameControl } from './commands/game-control.ts'
import { addLoad } from './commands/load.ts'
import { addLogs } from './commands/logs.ts'
import { addSession } from './commands/session.ts'
import { addSnapshots } from './commands/snapshots.ts'
import { addStatus } from './commands/status.ts'
import { addWorld } from './commands/world.ts'
import { EXIT, Failure } from './failure.ts'

const AFTER_HELP = `
Environment:
  ORRERY_URL      address of the server, in place of --url
  ORRERY_TOKEN    an admin's token, in place of the one that login keeps
  NO_COLOR        no colours

Exit codes: 0 done, 1 refused by the server, 2 wrong usage or file, 3 no answer, or the server
starts or is overloaded: try again, 4 not signed in, 5 not confirmed, 6 output not written

Example:
  orrery login Chief_1 && orrery status --watch`

/** All commands. */
export function createProgram(): Command {
  const program = new Command('orrery')
    .description('Operates an Orrery server.')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
  addSharedOptions(program)
  addSession(program)
  addStatus(program)
  addGameControl(program)
  addClock(program)
  addSnapshots(program)
  addBackups(program)
  addAccounts(program)
  addWorld(program)
  addLogs(program)
  addLoad(program)
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
