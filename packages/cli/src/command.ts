import type { AdminClient, GameClient } from '@orrery/client'
import type { Command } from 'commander'
import { serverAddress } from './address.ts'
import { EXIT, Failure, asFailure } from './failure.ts'
import { usedToken } from './own-account.ts'
import { signedInServers } from './token-file.ts'

const DEFAULT_URL = 'http://127.0.0.1:3000'

/** Options that every command takes. */
interface SharedOptions {
  readonly url: string
  readonly json?: boolean
}

/** What a command works with; nothing is loaded or sent before it is asked for. */
export interface Context<Options> {
  readonly url: string
  readonly options: Options & SharedOptions
  readonly game: () => Promise<GameClient>
  readonly admin: () => Promise<AdminClient>
}

/** What a command prints: the server's answer for `--json`, a text for people. */
export interface Result {
  readonly answer: unknown
  readonly text: string
}

/** Adds the options that every command takes to the program. */
export function addSharedOptions(program: Command): void {
  program
    .option('--url <url>', 'address of the server', process.env['ORRERY_URL'] ?? DEFAULT_URL)
    .option('--json', "print the server's answer as JSON")
}

/**
 * Gives a command its work and an example.
 *
 * @param example  arguments as they are typed
 * @param work     of the context and the command's arguments
 */
export function works<Options = object>(
  command: Command,
  example: string,
  work: (context: Context<Options>, ...given: string[]) => Promise<Result | undefined>,
): void {
  command.addHelpText('after', `\nExample:\n  orrery ${example}`)
  command.action(async (...all: unknown[]) => {
    const options = command.optsWithGlobals<Options & SharedOptions>()
    const url = serverAddress(options.url)
    const given = command.registeredArguments.map((_, i) => all[i] as string)
    const result = await work(contextOf(url, options), ...given).catch(async (error: unknown) => {
      throw Object(error).code === 'E005' ? await signedOut(url) : (asFailure(error, url) ?? error)
    })
    if (!result) return
    const { answer, text } = result
    const shown = options.json ? JSON.stringify(answer ?? null, undefined, 2) : text
    process.stdout.write(`${shown}\n`)
  })
}

/** The sentence for a command without a valid token; it names the servers that have one. */
async function signedOut(url: string): Promise<Failure> {
  if (process.env['ORRERY_TOKEN']) {
    return new Failure(EXIT.signedOut, `${url} does not accept the token of ORRERY_TOKEN.`)
  }
  const others = (await signedInServers()).filter((one) => one !== url)
  const hint = others.length === 0 ? '' : `, or name a server that you are signed in at by --url: `
  const text = `Not signed in at ${url}. Sign in: orrery login${hint}${others.join(', ')}`
  return new Failure(EXIT.signedOut, text)
}

function contextOf<Options>(url: string, options: Options & SharedOptions): Context<Options> {
  const game = async (): Promise<GameClient> => {
    const { createGameClient } = await import('@orrery/client')
    return createGameClient({ url })
  }
  return {
    url,
    options,
    game,
    admin: async () => {
      return (await game()).admin((await usedToken(url)) ?? 'none')
    },
  }
}
