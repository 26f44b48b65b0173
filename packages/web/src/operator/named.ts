/** Names that people type in place of ids. */
import type { AdminClient } from '@orrery/client'

/** The id of what is named. @throws {NameFault | ClientError} */
export type FindId = (admin: AdminClient, text: string) => Promise<string>

/** Nothing has a name, or several things have it; its message is for people. */
export class NameFault extends Error {}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Accounts of a page at most. */
const PAGE_ROWS = 500

type Account = Awaited<ReturnType<AdminClient['players']['list']>>['players'][number]

async function accountNamed({ players }: AdminClient, text: string): Promise<Account> {
  const wanted = text.toLowerCase()
  let after: string | undefined
  do {
    const query = { search: text, limit: PAGE_ROWS, ...(after !== undefined && { after }) }
    const page = await players.list(query)
    const found = page.players.find(({ username }) => username.toLowerCase() === wanted)
    if (found) return found
    after = page.next
  } while (after !== undefined)
  throw new NameFault(`No account has the name “${text}”.`)
}

export const accountId: FindId = async (admin, text) =>
  UUID.test(text) ? text : (await accountNamed(admin, text)).player_id

export const shipId: FindId = async (admin, text) => {
  if (UUID.test(text)) return text
  const { ship_id: id, username } = await accountNamed(admin, text)
  if (id === '') throw new NameFault(`${username} has no ship.`)
  return id
}

export const systemId: FindId = async (admin, text) => {
  const { systems } = await admin.systems()
  return oneNamed('star system', systems, text)
}

export const stationId: FindId = async ({ stations }, text) => {
  const all = (await stations.list()).stations
  return oneNamed(
    'station',
    all.map(({ station_id: id, name }) => ({ id, name })),
    text,
  )
}

export const jumpgateId: FindId = async ({ jumpgates }, text) => {
  const all = (await jumpgates.list()).jumpgates
  return oneNamed(
    'jump gate',
    all.map(({ jumpgate_id: id, name }) => ({ id, name })),
    text,
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

function oneNamed(kind: string, all: readonly Named[], text: string): string {
  const wanted = text.normalize('NFC').toLowerCase()
  if (all.some(({ id }) => id === wanted)) return wanted
  const ids = all.filter(({ name }) => name.toLowerCase() === wanted).map(({ id }) => id)
  if (ids.length === 1) return ids[0]
  throw new NameFault(
    ids.length === 0
      ? `No ${kind} has the name or id “${text}”.`
      : `Several have the name “${text}”: give an id, ${ids.join(', ')}.`,
  )
}
