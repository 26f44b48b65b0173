/** What people type for a thing: its id, or a name that nothing else of its kind has. */
import type { AdminClient } from './admin-client.ts'

export interface Named {
  readonly id: string
  readonly name: string
}

/** Nothing has a name, or several things have it, whose `ids` these are; a sentence for people. */
export class NameFault extends Error {
  override readonly name: string = 'NameFault'
  readonly ids: readonly string[]

  constructor(message: string, ids: readonly string[] = []) {
    super(message)
    this.ids = ids
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What a user name can be, so that nothing else is searched for. */
const USERNAME = /^\w{3,20}$/

/** Accounts that are looked through at once. */
const PAGE = 500

type Account = Awaited<ReturnType<AdminClient['players']['list']>>['players'][number]

/** The id of an account by its id or name. @throws {NameFault | ClientError} */
export async function accountId(admin: AdminClient, text: string): Promise<string> {
  return UUID.test(text) ? text : (await account(admin, text)).player_id
}

/** A ship's id by itself, or by the name of its pilot. @throws {NameFault | ClientError} */
export async function shipId(admin: AdminClient, text: string): Promise<string> {
  if (UUID.test(text)) return text
  const { ship_id: id, username } = await account(admin, text)
  if (id === '') throw new NameFault(`${username} has no ship.`)
  return id
}

async function account({ players }: AdminClient, username: string): Promise<Account> {
  const wanted = username.toLowerCase()
  let after: string | undefined
  do {
    if (!USERNAME.test(username)) break
    const query = { search: username, limit: PAGE, ...(after !== undefined && { after }) }
    const page = await players.list(query)
    const found = page.players.find((one) => one.username.toLowerCase() === wanted)
    if (found) return found
    after = page.next
  } while (after !== undefined)
  throw new NameFault(`No account has the name or id "${username}".`)
}

/**
 * The one thing of a kind that is named.
 *
 * @param kind  such as `station`
 * @throws {NameFault} when nothing has the name, or several things
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
  if (!found) throw new NameFault(`No ${kind} has the name or id "${text}".`)
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id)
  throw new NameFault(
    `More than one ${kind} is named "${text}": give an id, ${ids.join(', ')}.`,
    ids,
  )
}
