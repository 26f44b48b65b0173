import type { AdminClient } from '@orrery/client'
import { type Named, oneNamed } from '@orrery/client/named'
import type { Command } from 'commander'
import { number } from '../arguments.ts'
import { askedPassword, askedPasswords, confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { accountNamed, called } from '../named.ts'
import { ownId } from '../own-account.ts'
import { facts, plain, sentence, table } from '../text.ts'

const PLAYER = ['<player>', 'name or id of a player'] as const
const ADMIN = ['<admin>', 'name or id of an admin'] as const

/** Accounts of players and admins. */
export function addAccounts(program: Command): void {
  const players = program.command('players').description('accounts')
  addPlayerList(players)
  addPlayerChanges(players)
  addAdmins(program)
}

function addPlayerList(players: Command): void {
  works<{ search?: string; limit: number; after?: string }>(
    players
      .command('list')
      .description('a page of the accounts, oldest first')
      .option('--search <text>', 'part of a name, or the id of a player or ship')
      .option('--limit <count>', 'accounts of a page, at most 500', number, 50)
      .option('--after <next>', 'the page after another'),
    'players list --search ripley',
    async ({ admin, options: { search, limit, after } }) => {
      const query = {
        limit,
        ...(search !== undefined && { search }),
        ...(after !== undefined && { after }),
      }
      const answer = await (await admin()).players.list(query)
      const rows = answer.players.map((one) => [
        one.username,
        one.player_id,
        [one.ship_id || '-', ...(one.coasting_ships ?? [])].join(' '),
        one.created_at,
        one.online ? 'online' : '-',
        one.is_admin ? 'admin' : 'player',
      ])
      const head = ['NAME', 'ID', 'SHIP', 'SINCE', 'ONLINE', 'ROLE']
      const more = answer.next && `\n${answer.total} in all. Next: --after ${plain(answer.next)}`
      return { answer, text: table(head, rows, 'No account is found.') + (more ?? '') }
    },
  )
  works(
    players
      .command('show')
      .description('one account')
      .argument(...PLAYER),
    'players show Ripley',
    async ({ admin }, name) => {
      const answer = await accountNamed(await admin(), name)
      const pairs = Object.entries(answer).map(([name, value]) => [name, plain(value)] as const)
      return { answer, text: facts(pairs) }
    },
  )
}

function addPlayerChanges(players: Command): void {
  works<{ yes?: boolean }>(
    players
      .command('delete')
      .description('delete an account and its ship')
      .argument(...PLAYER)
      .option('--yes', 'do not ask'),
    'players delete Ripley --yes',
    async ({ admin, options }, given) => {
      const routes = await admin()
      const { player_id: id, username, is_admin, online } = await accountNamed(routes, given)
      const kind = is_admin ? 'admin' : 'player'
      const end = online ? ', and end the present session' : ''
      const thing = called({ id, name: username })
      const question = `Delete the ${kind} ${thing} with ship and rules${end}?`
      await confirmed(`${question} Only a backup has them then.`, options.yes)
      await routes.players.remove(id)
      return { answer: { success: true }, text: `${plain(username)} is deleted.` }
    },
  )
  works(
    players
      .command('reset-password')
      .description('give a new password')
      .argument(...PLAYER),
    'players reset-password Ripley < password.txt',
    async ({ admin }, name) => {
      const password = await askedPassword('New password')
      const routes = await admin()
      const { player_id, username } = await accountNamed(routes, name)
      const answer = await routes.players.resetPassword(player_id, password)
      return { answer, text: sentence(`${plain(username)}: ${plain(answer.message)}`) }
    },
  )
  works(
    players
      .command('role')
      .description('make a player an admin, or an admin a player')
      .argument(...PLAYER)
      .argument('<admin|player>'),
    'players role Ripley admin',
    async ({ admin }, name, role) => {
      if (role !== 'admin' && role !== 'player') {
        throw new Failure(EXIT.usage, '`admin` or `player` is expected.')
      }
      const routes = await admin()
      const { player_id, username } = await accountNamed(routes, name)
      const answer = await routes.players.changeRole(player_id, role === 'admin')
      return { answer, text: `The role of ${plain(username)} is ${role}.` }
    },
  )
  works<{ class?: string }>(
    players
      .command('assign-ship')
      .description('give an account without a ship one')
      .option('--class <name>', "of the ship; by default that of new accounts' ships")
      .argument(...PLAYER),
    'players assign-ship Ripley',
    async ({ admin, options }, name) => {
      const routes = await admin()
      const { player_id } = await accountNamed(routes, name)
      const answer = await routes.players.assignShip(player_id, options.class)
      return { answer, text: `The ship is ${answer.ship_id}.` }
    },
  )
}

function addAdmins(program: Command): void {
  const group = program.command('admins').description('accounts of admins')
  works(group.command('list').description('all admins'), 'admins list', async ({ admin }) => {
    const answer = await (await admin()).admins.list()
    const rows = answer.admins.map((one) => [one.username, one.admin_id, one.created_at])
    return { answer, text: table(['NAME', 'ID', 'SINCE'], rows, 'No admins.') }
  })
  works(
    group.command('create').description('make an admin without a ship').argument('<username>'),
    'admins create Chief_2',
    async ({ admin }, username) => {
      const password = await askedPassword('Password')
      const answer = await (await admin()).admins.create(username, password)
      return { answer, text: `${plain(answer.username)} is an admin, id ${answer.admin_id}.` }
    },
  )
  works<{ yes?: boolean }>(
    group
      .command('delete')
      .description('delete an admin')
      .argument(...ADMIN)
      .option('--yes', 'do not ask'),
    'admins delete Chief_2 --yes',
    async ({ admin, options }, given) => {
      const routes = await admin()
      const found = await adminNamed(routes, given)
      const question = `Delete the admin ${called(found)}, with a ship if there is one?`
      await confirmed(`${question} Only a backup has the account then.`, options.yes)
      await routes.admins.remove(found.id)
      return { answer: { success: true }, text: `The admin ${plain(found.name)} is deleted.` }
    },
  )
  works(
    group
      .command('password')
      .description('change a password; for the own account the present one is asked for first')
      .argument(...ADMIN),
    'admins password Chief_2',
    async ({ url, admin }, given) => {
      const routes = await admin()
      const { id, name } = await adminNamed(routes, given)
      const isOwn = id === (await ownId(url))
      const asked = [...(isOwn ? ['Present password'] : []), 'New password']
      const [next = '', present] = (await askedPasswords(asked)).toReversed()
      const answer = await routes.admins.changePassword(id, next, present)
      const ended = isOwn ? 'All other sessions have ended' : 'All sessions have ended'
      return { answer, text: `${plain(name)}: ${plain(answer.message)}. ${ended}.` }
    },
  )
}

async function adminNamed({ admins }: AdminClient, text: string): Promise<Named> {
  const { admins: all } = await admins.list()
  const named = all.map(({ admin_id: id, username: name }) => ({ id, name }))
  return oneNamed('admin', named, text)
}
