/** What is named on the command line: by its id, or by a name that nothing else of its kind has. */
import type { AdminClient } from '@orrery/client'
import { EXIT, Failure } from './failure.ts'
import { plain } from './text.ts'

export interface Named {
  readonly id: string
  readonly name: string
}

type Account = Awaited<ReturnType<AdminClient['players']['show']>>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Accounts that are looked through at once for a name. */
const PAGE = 500

/** What a user name can be, so that nothing else is searched for. */
const USERNAME = /^\w{3,20}$/

/** A name in quotation marks beside the id, as questions have it. */
export function called({ id, name }: Named): string {
  return `"${plain(name)}" (${plain(id)})`
}

/** An account by its id or name. @throws {Failure | ClientError} when there is none */
export async function accountNamed({ players }: AdminClient, text: string): Promise<Account> {
  if (UUID.test(text)) return players.show(text)
  const wanted = text.toLowerCase()
  let after: string | undefined
  do {
    if (!USERNAME.test(text)) break
    const query = { search: text, limit: PAGE, ...(after !== undefined && { after }) }
    const page = await players.list(query)
    const found = page.players.find(({ username }) => username.toLowerCase() === wanted)
    if (found) return players.show(found.player_id)
    after = page.next
  } while (after !== undefined)
  throw none('account', text)
}

/** A ship's id by itself, or by the name or id of its pilot's account. @throws {Failure} */
export async function shipNamed(admin: AdminClient, text: string): Promise<string> {
  if (UUID.test(text)) return text
  const { ship_id, username } = await accountNamed(admin, text)
  if (ship_id === '') throw new Failure(EXIT.refused, `${plain(username)} has no ship.`)
  return ship_id
}

/**
 * The one thing of a kind that is named.
 *
 * @param kind  such as `station`
 * @throws {Failure} when there is none, or several have the name: then with their ids
 */
export function oneNamed<Thing extends Named>(
  kind: string,
  things: readonly Thing[],
  text: string,
): Thing {
  const wanted = text.normalize('NFC').toLowerCase()
  const byId = things.find(({ id }) => id.toLowerCase() === wanted)
  if (byId) return byId
  const [found, ...others] = things.filter(({ name }) => name.toLowerCase() === wanted)
  if (!found) throw none(kind, text)
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => plain(id)).join(', ')
  throw new Failure(
    EXIT.usage,
    `More than one ${kind} is named "${plain(text)}": give an id, ${ids}.`,
  )
}

function none(kind: string, text: string): Failure {
  return new Failure(EXIT.refused, `No ${kind} has the name or id "${plain(text)}".`)
}
