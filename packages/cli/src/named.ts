import type { AdminClient } from '@orrery/client'
import { type Named, accountId } from '@orrery/client/named'
import { plain } from './text.ts'

type Account = Awaited<ReturnType<AdminClient['players']['show']>>

/** A name in quotation marks beside the id, as questions have it. */
export function called({ id, name }: Named): string {
  return `"${plain(name)}" (${plain(id)})`
}

/** An account by its id or name. @throws {NameFault | ClientError} when there is no such account */
export async function accountNamed(admin: AdminClient, text: string): Promise<Account> {
  return admin.players.show(await accountId(admin, text))
}
