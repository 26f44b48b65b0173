import type { Command } from 'commander'
import { askedPassword, askedText } from '../asking.ts'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { plain } from '../text.ts'
import { forgetToken, keepToken, prepareTokens } from '../token-file.ts'

/** Signing in and out. */
export function addSession(program: Command): void {
  works(
    program
      .command('login')
      .description('sign in; the token is kept in a file that only you can read')
      .argument('[username]', 'name of an admin'),
    'login Chief_1',
    async ({ url, game }, given?: string) => {
      const username = given ?? (await askedText('Name'))
      const password = await askedPassword('Password')
      // Before the server issues a token that cannot be kept.
      await prepareTokens()
      const answer = await (await game()).adminLogin(username, password).catch(refusedLogin)
      await keepToken(url, answer.token)
      const { token: _token, ...shown } = answer
      const note = process.env['ORRERY_TOKEN'] ? ' ORRERY_TOKEN goes before it; unset it.' : ''
      return { answer: shown, text: `Signed in at ${url} as ${plain(username)}.${note}` }
    },
  )
  works<{ everywhere?: boolean }>(
    program
      .command('logout')
      .description('forget the token of this server')
      .option('--everywhere', 'end all tokens of the account on the server, this one too'),
    'logout --everywhere',
    async ({ url, admin, options: { everywhere } }) => {
      if (everywhere) await (await admin()).signOutEverywhere()
      else if (process.env['ORRERY_TOKEN']) {
        const text = 'ORRERY_TOKEN goes on working: unset it to sign out. Nothing was changed.'
        throw new Failure(EXIT.usage, text)
      }
      await forgetToken(url)
      const where = everywhere ? `everywhere at ${url}` : `of ${url}`
      return { answer: { success: true }, text: `Signed out ${where}.` }
    },
  )
}

function refusedLogin(error: unknown): never {
  if (Object(error).code !== 'E005') throw error
  throw new Failure(EXIT.signedOut, 'Name or password is wrong, or the account is no admin.')
}
