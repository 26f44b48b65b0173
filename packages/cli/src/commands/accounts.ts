import type { Command } from 'commander'
import { number } from '../arguments.ts'
import { askedPassword, confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { facts, plain, table } from '../text.ts'

const PLAYER = ['<player>', 'id of a player'] as const
const ADMIN = ['<admin>', 'id of an admin'] as const

/** Accounts of players and admins. */
export function addAccounts(program: Command): void {
  const players = program.command('players').description('accounts')
  addPlayerList(players)
  addPlayerChanges(players)
  addAdmins(program)
}

function addPlayerList(players: Command): void {
  works<{ search?: string; limit?: number; after?: string }>(
    players
      .command('list')
      .description('a page of the accounts, oldest first')
      .option('--search <text>', 'part of a name, or the id of a player or ship')
      .option('--limit <count>', 'accounts of a page, at most 500', number, 50)
      .option('--after <next>', 'the page after another'),
    'players list --search ripley',
    async ({ admin, options: { search, limit, after } }) => {
      const query = { ...(search && { search }), ...(limit && { limit }), ...(after && { after }) }
      const answer = await (await admin()).players.list(query)
      const rows = answer.players.map((one) => [
        one.username,
        one.player_id,
        one.ship_id || '-',
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
    'players show 0b0e…',
    async ({ admin }, id) => {
      const answer = await (await admin()).players.show(id)
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
    'players delete 0b0e… --yes',
    async ({ admin, options }, id) => {
      const routes = await admin()
      const { username } = await routes.players.show(id)
      await confirmed(`Delete ${plain(username)} and the ship?`, options.yes)
      await routes.players.remove(id)
      return { answer: { success: true }, text: `${plain(username)} is deleted.` }
    },
  )
  works(
    players
      .command('reset-password')
      .description('give a new password')
      .argument(...PLAYER),
    'players reset-password 0b0e… < password.txt',
    async ({ admin }, id) => {
      const password = await askedPassword('New password')
      const answer = await (await admin()).players.resetPassword(id, password)
      return { answer, text: `${plain(answer.message)}.` }
    },
  )
  works(
    players
      .command('role')
      .description('make a player an admin, or an admin a player')
      .argument(...PLAYER)
      .argument('<admin|player>'),
    'players role 0b0e… admin',
    async ({ admin }, id, role) => {
      if (role !== 'admin' && role !== 'player') {
        throw new Failure(EXIT.usage, '`admin` or `player` is expected.')
      }
      const answer = await (await admin()).players.changeRole(id, role === 'admin')
      return { answer, text: `The account's role is ${role}.` }
    },
  )
  works(
    players
      .command('assign-ship')
      .description('give an account without a ship one')
      .argument(...PLAYER),
    'players assign-ship 0b0e…',
    async ({ admin }, id) => {
      const answer = await (await admin()).players.assignShip(id)
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
    'admins delete 0b0e… --yes',
    async ({ admin, options }, id) => {
      await confirmed(`Delete the admin ${plain(id)}?`, options.yes)
      await (await admin()).admins.remove(id)
      return { answer: { success: true }, text: 'The admin is deleted.' }
    },
  )
  works(
    group
      .command('password')
      .description('change a password')
      .argument(...ADMIN),
    'admins password 0b0e…',
    async ({ admin }, id) => {
      const password = await askedPassword('New password')
      const answer = await (await admin()).admins.changePassword(id, password)
      return { answer, text: `${plain(answer.message)}.` }
    },
  )
}
