import type { AdminClient } from '@orrery/client'
import type { Command } from 'commander'
import { oneNamed } from '@orrery/client/named'
import { works } from '../command.ts'
import { plain, table } from '../text.ts'

/** The servers on a database, and which of them owns what. */
export function addHosts(program: Command): void {
  const hosts = program.command('hosts')
  works(
    hosts.description('the servers on this database: who owns, who stands by, who is drained'),
    'hosts',
    async ({ admin }) => {
      const { api } = await import('@orrery/client/routes')
      const answer = await (await admin()).call(api.listHosts)
      const rows = answer.hosts.map((one) => [
        one.url,
        one.drained ? `${one.state}, drained` : one.state,
        secondsText(one.beat_age_seconds),
        secondsText(one.lag_seconds),
        clockText(one.clock_offset_seconds, one.clock_state),
        `${(100 * one.utilisation).toFixed(0)} %`,
        one.release,
        String(one.physics),
        one.system_ids.join(', ') || '-',
      ])
      return { answer, text: table(HEAD, rows, 'None.') }
    },
  )
  works(
    hosts
      .command('move')
      .description('give a star system to a server that stands by, or back')
      .argument('<system>', 'name or id of a star system')
      .argument('<host>', HOST),
    'hosts move "Alpha Centauri" http://host-2:3000',
    async ({ admin }, system, host) => {
      const { api } = await import('@orrery/client/routes')
      const routes = await admin()
      const { id } = oneNamed('star system', (await routes.systems()).systems, system)
      const target = { host_id: await hostId(routes, host), system_id: id }
      const answer = await routes.call(api.moveSystem, target)
      return { answer, text: `${plain(id)} goes to ${plain(host)}.` }
    },
  )
  works(
    hosts
      .command('drain')
      .description('let a server give away what it owns, and get nothing until undrain')
      .argument('<host>', HOST),
    'hosts drain http://host-1:3000',
    async ({ admin }, host) => {
      const { api } = await import('@orrery/client/routes')
      const routes = await admin()
      const answer = await routes.call(api.drainHost, { host_id: await hostId(routes, host) })
      return { answer, text: `${plain(host)} gives its star systems away.` }
    },
  )
  works(
    hosts
      .command('undrain')
      .description('let a server own star systems again')
      .argument('<host>', HOST),
    'hosts undrain http://host-1:3000',
    async ({ admin }, host) => {
      const { api } = await import('@orrery/client/routes')
      const routes = await admin()
      const answer = await routes.call(api.undrainHost, { host_id: await hostId(routes, host) })
      return { answer, text: `${plain(host)} may own star systems again.` }
    },
  )
}

const HEAD = ['URL', 'STATE', 'BEAT AGE', 'LAG', 'CLOCK', 'LOAD', 'RELEASE', 'PHYSICS', 'SYSTEMS']

const HOST = 'id or URL of a server'

/** Of a server by its URL; anything else is an id. */
async function hostId(routes: AdminClient, host: string): Promise<string> {
  const { api } = await import('@orrery/client/routes')
  const known = (await routes.call(api.listHosts)).hosts.filter(({ url }) => url === host)
  // One that started again is listed beside what is left of itself.
  const [first] = known.toSorted((a, b) => b.started_at.localeCompare(a.started_at))
  return first?.host_id ?? host
}

/** How much the clock of a server is ahead of the database's. */
function clockText(offset: number | null, state: string): string {
  if (offset === null) return '-'
  const text = `${offset < 0 ? '' : '+'}${offset.toFixed(3)} s`
  return state === 'right' ? text : `${text}, ${state}`
}

function secondsText(seconds: number | null): string {
  return seconds === null ? '-' : `${seconds.toFixed(2)} s`
}
