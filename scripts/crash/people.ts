/** What happens to accounts: each deed is one request, and what must have come of it. */
import { ask } from './asking.ts'
import { ANY } from './ledger.ts'
import { type Desk, PASSWORD, type Person, freshName, standing } from './office.ts'

/** One thing that somebody does to a game. */
export type Deed = (desk: Desk) => Promise<unknown>

/** Accounts beside those of pilots. */
const GUESTS_MAX = 40
const ADMINS_MAX = 5

/** Registers somebody new; undefined when that was refused, or nobody knows. */
export async function register(desk: Desk, word: string): Promise<Person | undefined> {
  const { office, game } = desk
  const username = freshName(office, word)
  const made = await ask(office, [['house', `account:${username}`, true]], () =>
    game.register(username, PASSWORD),
  )
  if (!made) return undefined
  office.ids.set(`account:${username}`, made.player_id)
  office.ledger.settle('house', `role:${username}`, false)
  enterShip(desk, username, made.ship_id)
  const { player_id: playerId, ship_id: shipId, token } = made
  return { username, playerId, shipId, token }
}

/** A ship as it is when somebody gets it. */
function enterShip({ office: { ledger }, systems }: Desk, username: string, shipId: string): void {
  ledger.settle('house', `ship:${username}`, shipId)
  ledger.settle('world', `name:${shipId}`, username)
  ledger.settle('world', `system:${shipId}`, systems[0])
}

/** Accounts that nobody but these deeds touches. */
const guests = ({ office }: Desk): ReturnType<typeof standing> => standing(office, 'account:guest_')
const admins = ({ office }: Desk): ReturnType<typeof standing> => standing(office, 'account:admin_')

async function remove(desk: Desk): Promise<void> {
  const all = [...guests(desk), ...admins(desk)]
  if (all.length === 0) return
  const { name, id } = desk.random.pick(all)
  await ask(desk.office, [['house', `account:${name}`, null]], () => desk.admin.players.remove(id))
}

async function changeRole(desk: Desk): Promise<void> {
  const all = guests(desk)
  if (all.length === 0) return
  const { name, id } = desk.random.pick(all)
  const isAdmin = desk.random.share() < 0.5
  await ask(desk.office, [['house', `role:${name}`, isAdmin]], () =>
    desk.admin.players.changeRole(id, isAdmin),
  )
}

async function resetPassword(desk: Desk): Promise<void> {
  const all = guests(desk)
  if (all.length === 0) return
  const { name, id } = desk.random.pick(all)
  const { office } = desk
  const key = `password:${name}`
  // Known as long as nobody has changed it.
  if (office.ledger.possible(key).size === 0) office.ledger.settle('house', key, PASSWORD)
  const password = freshName(office, 'password')
  office.passwords.add(name)
  await ask(office, [['house', key, password]], () =>
    desk.admin.players.resetPassword(id, password),
  )
}

async function createAdmin(desk: Desk): Promise<void> {
  const { office, admin } = desk
  if (admins(desk).length >= ADMINS_MAX) return
  const name = freshName(office, 'admin')
  const made = await ask(
    office,
    [
      ['house', `account:${name}`, true],
      ['house', `role:${name}`, true],
      ['house', `ship:${name}`, ''],
    ],
    () => admin.admins.create(name, PASSWORD),
  )
  if (made) office.ids.set(`account:${name}`, made.admin_id)
}

async function assignShip(desk: Desk): Promise<void> {
  const { office, admin } = desk
  const shipless = admins(desk).filter(({ name }) => office.ledger.isCertain(`ship:${name}`, ''))
  if (shipless.length === 0) return
  const { name, id } = desk.random.pick(shipless)
  const made = await ask(office, [['house', `ship:${name}`, ANY]], () =>
    admin.players.assignShip(id),
  )
  if (made) enterShip(desk, name, made.ship_id)
}

async function switchRegistrations(desk: Desk): Promise<void> {
  const { office, admin } = desk
  await ask(office, [['house', 'open', false]], () => admin.registrations.close())
  await ask(office, [['house', 'open', true]], () => admin.registrations.open())
}

/** Every deed and how often it is done, beside each other. */
export const PEOPLE_DEEDS: ReadonlyMap<Deed, number> = new Map<Deed, number>([
  [async (desk) => guests(desk).length < GUESTS_MAX && register(desk, 'guest'), 6],
  [remove, 3],
  [changeRole, 2],
  [resetPassword, 1],
  [createAdmin, 1],
  [assignShip, 2],
  [switchRegistrations, 1],
])

/** Tries passwords that were changed; returns those that do not open what they must. */
export async function tryPasswords({ office, game }: Desk, count: number): Promise<string[]> {
  const found: string[] = []
  for (const name of [...office.passwords].slice(0, count)) {
    office.passwords.delete(name)
    const key = `password:${name}`
    if (!office.ledger.isCertain(`account:${name}`, true)) continue
    const possible = [...office.ledger.possible(key)]
    const fits = await firstThat(possible, async (password) => {
      return game.login(name, String(password)).then(
        () => true,
        () => false,
      )
    })
    if (fits === undefined) found.push(`${key} is none of ${possible.join(', ')}`)
    else office.ledger.settle('house', key, fits)
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
