/** Accounts of players and admins. */
import type { Actions, Field } from './action.ts'
import { accountId } from './named.ts'

const player: Field = { name: 'player', label: 'Account', hint: 'name or id', find: accountId }
const admin: Field = { name: 'admin', label: 'Admin', hint: 'name or id', find: accountId }
const username: Field = { name: 'username', label: 'Name', hint: '3 to 20 letters, digits, _' }
const password: Field = {
  name: 'password',
  label: 'New password',
  kind: 'password',
  hint: 'At least 8 characters',
}

const present: Field = {
  name: 'present',
  label: 'Present password',
  kind: 'password',
  isOptional: true,
  hint: 'For your own account only',
}

const shipClass: Field = {
  name: 'class',
  label: 'Class',
  isOptional: true,
  hint: 'name; that of new accounts when empty',
}

export const accountActions: Actions<
  | 'resetPassword'
  | 'changeRole'
  | 'assignShip'
  | 'deletePlayer'
  | 'createAdmin'
  | 'changeAdminPassword'
  | 'signOutEverywhere'
  | 'deleteAdmin'
> = {
  resetPassword: {
    key: 'w',
    title: () => "Reset a player's password",
    operations: ['resetPlayerPassword'],
    fields: [player, password],
    run: async (routes, values) => {
      await routes.players.resetPassword(values['player'] ?? '', values['password'] ?? '')
      return 'The password is changed; earlier sessions have ended.'
    },
  },
  changeRole: {
    key: 'u',
    title: () => 'Change the role of an account',
    operations: ['changeRole', 'readPlayer'],
    fields: [
      player,
      { name: 'role', label: 'Role', kind: 'choice', choices: ['', 'player', 'admin'] },
    ],
    isGrave: true,
    consequences: async (routes, values) => {
      const { username: name, is_admin } = await routes.players.show(values['player'] ?? '')
      const isAdmin = values['role'] === 'admin'
      if (isAdmin === is_admin) return [`${name} is ${isAdmin ? 'an admin' : 'a player'} already.`]
      return isAdmin
        ? [`${name} becomes an admin, who may do all that this console does.`]
        : [`${name} becomes a player, who may not use this console.`]
    },
    run: async (routes, values) => {
      await routes.players.changeRole(values['player'] ?? '', values['role'] === 'admin')
      return `The account's role is ${values['role']}.`
    },
  },
  assignShip: {
    key: 'g',
    title: () => 'Give an account a ship',
    operations: ['assignShip'],
    fields: [player, shipClass],
    run: async (routes, { player: id = '', class: named }) => {
      const { ship_id } = await routes.players.assignShip(id, named || undefined)
      return `The ship is ${ship_id}.`
    },
  },
  deletePlayer: {
    key: 'd',
    title: () => 'Delete a player',
    operations: ['deletePlayer', 'readPlayer'],
    fields: [player],
    isGrave: true,
    consequences: async (routes, values) => {
      const { username: name, online } = await routes.players.show(values['player'] ?? '')
      const connected = online ? ' The player is connected, and is sent away.' : ''
      return [`${name} and the ship are deleted. The name can be taken again.${connected}`]
    },
    run: async (routes, values) => {
      await routes.players.remove(values['player'] ?? '')
      return 'The account is deleted.'
    },
  },
  createAdmin: {
    key: 'c',
    title: () => 'Make an admin',
    operations: ['createAdmin'],
    fields: [username, password],
    run: async (routes, values) => {
      const made = await routes.admins.create(values['username'] ?? '', values['password'] ?? '')
      return `${made.username} is an admin.`
    },
  },
  changeAdminPassword: {
    key: 'h',
    title: () => "Change an admin's password",
    operations: ['changeAdminPassword'],
    fields: [admin, present, password],
    run: async (routes, { admin: id = '', present: current, password: next = '' }) => {
      await routes.admins.changePassword(id, next, current || undefined)
      return 'The password is changed. Other sessions have ended.'
    },
  },
  signOutEverywhere: {
    key: '!',
    title: () => 'Sign out everywhere',
    operations: ['endAdminTokens'],
    isGrave: true,
    consequences: async () => [
      'All sessions of your account end, this one too: whoever uses a stolen one is out.',
    ],
    run: async (routes) => {
      await routes.signOutEverywhere()
      return 'All sessions of your account have ended.'
    },
  },
  deleteAdmin: {
    key: 'x',
    title: () => 'Delete an admin',
    operations: ['deleteAdmin', 'listAdmins'],
    fields: [admin],
    isGrave: true,
    consequences: async (routes, values) => {
      const { admins } = await routes.admins.list()
      const { username: name = 'The admin' } =
        admins.find(({ admin_id: id }) => id === values['admin']) ?? {}
      return [`${name} is deleted with the ship, and is signed out everywhere.`]
    },
    run: async (routes, values) => {
      await routes.admins.remove(values['admin'] ?? '')
      return 'The admin is deleted.'
    },
  },
}
