/** Operations on accounts: one request each, and the values that the model expects from it. */
import { send } from './requests.ts'
import { ANY } from './model.ts'
import { type Session, PASSWORD, type Account, freshName, certainNames } from './scenario.ts'

/** One request, or a few in a row, of a client. */
export type Operation = (session: Session) => Promise<unknown>

/** Accounts that are not pilots. */
const GUESTS_MAX = 40
const ADMINS_MAX = 5

/** Registers a new account; undefined when the request was refused or had no answer. */
export async function register(session: Session, word: string): Promise<Account | undefined> {
  const { scenario, game } = session
  const username = freshName(scenario, word)
  const made = await send(scenario, [['server', `account:${username}`, true]], () =>
    game.register(username, PASSWORD),
  )
  if (!made) return undefined
  scenario.ids.set(`account:${username}`, made.player_id)
  scenario.model.settle('server', `role:${username}`, false)
  settleShip(session, username, made.ship_id)
  const { player_id: playerId, ship_id: shipId, token } = made
  return { username, playerId, shipId, token }
}

/** Enters a new ship into the model. */
function settleShip(
  { scenario: { model }, systems }: Session,
  username: string,
  shipId: string,
): void {
  model.settle('server', `ship:${username}`, shipId)
  model.settle('world', `name:${shipId}`, username)
  model.settle('world', `system:${shipId}`, systems[0])
}

/** Accounts that only these operations change. */
const guests = ({ scenario }: Session): ReturnType<typeof certainNames> =>
  certainNames(scenario, 'account:guest_')
const admins = ({ scenario }: Session): ReturnType<typeof certainNames> =>
  certainNames(scenario, 'account:admin_')

async function remove(session: Session): Promise<void> {
  const all = [...guests(session), ...admins(session)]
  if (all.length === 0) return
  const { name, id } = session.random.pick(all)
  await send(session.scenario, [['server', `account:${name}`, null]], () =>
    session.admin.players.remove(id),
  )
}

async function changeRole(session: Session): Promise<void> {
  const all = guests(session)
  if (all.length === 0) return
  const { name, id } = session.random.pick(all)
  const isAdmin = session.random.share() < 0.5
  await send(session.scenario, [['server', `role:${name}`, isAdmin]], () =>
    session.admin.players.changeRole(id, isAdmin),
  )
}

async function resetPassword(session: Session): Promise<void> {
  const all = guests(session)
  if (all.length === 0) return
  const { name, id } = session.random.pick(all)
  const { scenario } = session
  const key = `password:${name}`
  // Certain until the first change.
  if (scenario.model.possible(key).size === 0) scenario.model.settle('server', key, PASSWORD)
  const password = freshName(scenario, 'password')
  scenario.passwords.add(name)
  await send(scenario, [['server', key, password]], () =>
    session.admin.players.resetPassword(id, password),
  )
}

async function createAdmin(session: Session): Promise<void> {
  const { scenario, admin } = session
  if (admins(session).length >= ADMINS_MAX) return
  const name = freshName(scenario, 'admin')
  const made = await send(
    scenario,
    [
      ['server', `account:${name}`, true],
      ['server', `role:${name}`, true],
      ['server', `ship:${name}`, ''],
    ],
    () => admin.admins.create(name, PASSWORD),
  )
  if (made) scenario.ids.set(`account:${name}`, made.admin_id)
}

async function assignShip(session: Session): Promise<void> {
  const { scenario, admin } = session
  const shipless = admins(session).filter(({ name }) =>
    scenario.model.isCertain(`ship:${name}`, ''),
  )
  if (shipless.length === 0) return
  const { name, id } = session.random.pick(shipless)
  const made = await send(scenario, [['server', `ship:${name}`, ANY]], () =>
    admin.players.assignShip(id, session.random.pick(['courier', 'tug'])),
  )
  if (made) settleShip(session, name, made.ship_id)
}

async function switchRegistrations(session: Session): Promise<void> {
  const { scenario, admin } = session
  await send(scenario, [['server', 'open', false]], () => admin.registrations.close())
  await send(scenario, [['server', 'open', true]], () => admin.registrations.open())
}

/** Every operation and its weight. */
export const ACCOUNT_OPERATIONS: ReadonlyMap<Operation, number> = new Map<Operation, number>([
  [async (session) => guests(session).length < GUESTS_MAX && register(session, 'guest'), 6],
  [remove, 3],
  [changeRole, 2],
  [resetPassword, 1],
  [createAdmin, 1],
  [assignShip, 2],
  [switchRegistrations, 1],
])

/** Tries to log in with passwords that were changed; returns the accounts that refuse them. */
export async function tryPasswords({ scenario, game }: Session, count: number): Promise<string[]> {
  const found: string[] = []
  for (const name of [...scenario.passwords].slice(0, count)) {
    scenario.passwords.delete(name)
    const key = `password:${name}`
    if (!scenario.model.isCertain(`account:${name}`, true)) continue
    const possible = [...scenario.model.possible(key)]
    const fits = await firstThat(possible, async (password) => {
      return game.login(name, String(password)).then(
        () => true,
        () => false,
      )
    })
    if (fits === undefined) found.push(`${key} is none of ${possible.join(', ')}`)
    else scenario.model.settle('server', key, fits)
  }
  return found
}

async function firstThat<Item>(
  items: readonly Item[],
  test: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await test(item)) return item
  return undefined
}
