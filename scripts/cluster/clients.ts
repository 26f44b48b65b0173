/** The clients of a cluster: admins, and players that look on. */
import { createGameClient } from '@orrery/client'
import { HOME_ID, SYSTEM_IDS } from '@orrery/game'
import { register } from '../crash/account-operations.ts'
import { send } from '../crash/requests.ts'
import { ADMIN, type Run } from '../crash/run.ts'
import type { Session } from '../crash/scenario.ts'
import type { Member } from './members.ts'
import { until } from './ownership.ts'
import { type Watcher, startWatcher } from './watchers.ts'

/** So that digests are made; one is of 64 s of game time. */
const TIME_SCALE = 20
const RATE_HZ = 10

/** Longest wait for the first answer [ms]. */
const READY_MS_MAX = 60_000

/** A client of each gateway. */
export async function openSessions(
  run: Run,
  gateways: readonly Member[],
): Promise<readonly Session[]> {
  const { scenario, random } = run
  const clients = gateways.map(({ url }) => createGameClient({ url }))
  await until(
    async () => {
      run.token = (await clients[0].adminLogin(ADMIN.username, ADMIN.password)).token
      return true
    },
    { what: 'an admin logs in', msMax: READY_MS_MAX },
  )
  const sessions: Session[] = []
  for (const game of clients) {
    const admin = game.admin(run.token)
    const systems: string[] = []
    const isReady = async (): Promise<boolean> =>
      systems.push(...(await admin.systems()).systems.map(({ id }) => id)) > 0
    await until(isReady, { what: 'a gateway is ready', msMax: READY_MS_MAX })
    sessions.push({ scenario, random, game, admin, systems })
  }
  return sessions
}

/** Time goes so fast that digests are made. */
export async function prepare({ scenario, admin }: Session): Promise<void> {
  await send(scenario, [['server', 'rate', RATE_HZ]], () => admin.game.changeTickRate(RATE_HZ))
  await send(scenario, [['server', 'scale', TIME_SCALE]], () =>
    admin.game.changeTimeScale(TIME_SCALE),
  )
}

/** One for each system at each gateway. */
export async function startWatchers(
  session: Session,
  gateways: readonly Member[],
  opened: AsyncDisposableStack,
): Promise<Watcher[]> {
  const { scenario, admin } = session
  const watchers: Watcher[] = []
  for (const [gateway, { url }] of gateways.entries()) {
    for (const systemId of SYSTEM_IDS) {
      const account = await register(session, 'watcher')
      if (!account) throw new Error('A player is not registered')
      if (systemId !== HOME_ID) {
        await send(scenario, [['world', `system:${account.shipId}`, systemId]], () =>
          admin.ships.transfer(account.shipId, systemId),
        )
      }
      const watcher = startWatcher(account, { url, gateway, systemId })
      opened.defer(() => watcher.close())
      watchers.push(watcher)
    }
  }
  return watchers
}
