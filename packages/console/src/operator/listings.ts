/** Every table of the console, by the section that shows it. */
import { api } from '@orrery/client/routes'
import type { Field, Values } from './action.ts'
import { detailText } from './detail-text.ts'
import type { Listing } from './listing.ts'
import { shipId } from './named.ts'

/** Rows of a page at first, and that the server gives at most. */
const PAGE_ROWS = 50
const PAGE_ROWS_MAX = 500

const limit: Field = { name: 'limit', label: 'Rows', kind: 'number', isOptional: true }

function limitOf({ limit: text }: Values): { readonly limit?: number } {
  return text ? { limit: Number(text) } : {}
}

/** What is done to an account and to a ship. */
export const PILOT_ACTIONS: Listing['rowActions'] = [
  ['resetPassword', 'Password'],
  ['changeRole', 'Role'],
]
export const SHIP_ACTIONS: Listing['rowActions'] = [
  ['transferShip', 'Move'],
  ['alterShip', 'Change'],
  ['debugShip', 'Debug'],
]

const players: Listing = {
  title: 'Players',
  operations: ['listPlayers'],
  heads: ['Name', 'Role', 'Online', 'Created (UTC)', 'Id', 'Ship'],
  filters: [
    { name: 'search', label: 'Search', hint: 'part of a name, or an id', isOptional: true },
  ],
  actions: ['createAdmin'],
  rowActions: [
    ...PILOT_ACTIONS,
    ...SHIP_ACTIONS,
    ['assignShip', 'Ship'],
    ['deletePlayer', 'Delete'],
  ],
  empty: 'No account is found.',
  load: async (admin, { search }, after, count = 0) => {
    const limit = Math.min(Math.max(count, PAGE_ROWS), PAGE_ROWS_MAX)
    const query = { limit, ...(search && { search }), ...(after && { after }) }
    const { players: found, total, next } = await admin.players.list(query)
    const rows = found.map((one) => ({
      id: one.player_id,
      cells: [
        one.username,
        one.is_admin ? 'admin' : 'player',
        one.online ? 'online' : '',
        one.created_at,
        one.player_id,
        [one.ship_id, ...(one.coasting_ships ?? [])].join(' '),
      ],
      values: {
        player: one.player_id,
        ship: one.ship_id,
        role: one.is_admin ? 'admin' : 'player',
      },
    }))
    return { rows, total, next }
  },
}

const admins: Listing = {
  title: 'Admins',
  operations: ['listAdmins'],
  heads: ['Name', 'Created (UTC)', 'Id'],
  actions: ['createAdmin'],
  rowActions: [
    ['changeAdminPassword', 'Password'],
    ['deleteAdmin', 'Delete'],
  ],
  empty: 'There are no admins.',
  load: async (admin) => ({
    rows: (await admin.admins.list()).admins.map((one) => ({
      id: one.admin_id,
      cells: [one.username, one.created_at, one.admin_id],
      values: { admin: one.admin_id },
    })),
  }),
}

const snapshots: Listing = {
  title: 'Snapshots',
  operations: ['listSnapshots'],
  heads: ['Number', 'Tick', 'Game time (UTC)', 'Created (UTC)', 'Kind', 'Replay'],
  actions: ['makeSnapshot'],
  rowActions: [
    ['restoreSnapshot', 'Restore'],
    ['lookBack', 'Look back'],
    ['deleteSnapshot', 'Delete'],
  ],
  empty: 'There are no snapshots.',
  load: async (admin, _, after = 'Infinity', count = 0) => {
    const { snapshots: all } = await admin.snapshots.list({ include: 'automatic' })
    const older = all.filter(({ id }) => id < Number(after))
    const shown = older.slice(0, Math.max(count, PAGE_ROWS))
    const rows = shown.map((one) => ({
      id: String(one.id),
      cells: [
        String(one.id),
        String(one.tick_number),
        one.game_time,
        one.created_at,
        one.kind ?? '',
        one.replayable ? 'yes' : 'no',
      ],
      values: { snapshot: String(one.id), time: one.game_time },
    }))
    const next = shown.length < older.length ? rows.at(-1)?.id : undefined
    return { rows, total: all.length, next }
  },
}

const backups: Listing = {
  title: 'Backups',
  operations: ['listBackups'],
  heads: ['Created (UTC)', 'Id', 'Reason', 'Game time (UTC)', 'Tick', 'Accounts'],
  actions: ['makeBackup', 'reset'],
  rowActions: [
    ['downloadBackup', 'Download'],
    ['restoreBackup', 'Restore'],
    ['deleteBackup', 'Delete'],
  ],
  empty: 'There are no backups.',
  load: async (admin) => ({
    rows: (await admin.backups.list()).backups.map((one) => ({
      id: one.backup_id,
      cells: [
        one.created_at,
        one.backup_id,
        one.reason,
        one.game_time,
        String(one.tick_number),
        String(one.accounts),
      ],
      values: { backup: one.backup_id },
    })),
  }),
}

const hosts: Listing = {
  title: 'Hosts',
  operations: ['listHosts'],
  heads: [
    'URL',
    'State',
    'Beat age [s]',
    'Lag [s]',
    'Clock [s]',
    'Load',
    'Release',
    'Physics',
    'Owns',
  ],
  actions: [],
  rowActions: [
    ['moveSystem', 'Give'],
    ['drainHost', 'Drain'],
    ['undrainHost', 'Undrain'],
  ],
  empty: 'There are no hosts.',
  load: async (admin) => ({
    rows: (await admin.call(api.listHosts)).hosts.map((one) => ({
      id: one.host_id,
      cells: [
        one.url,
        one.drained ? `${one.state}, drained` : one.state,
        one.beat_age_seconds?.toFixed(2) ?? '',
        one.lag_seconds?.toFixed(2) ?? '',
        clockText(one.clock_offset_seconds, one.clock_state),
        `${(100 * one.utilisation).toFixed(0)} %`,
        one.release,
        String(one.physics),
        one.system_ids.join(', '),
      ],
      values: { host: one.host_id },
    })),
  }),
}

/** How much the clock of a host is ahead of the database's. */
function clockText(offset: number | null, state: string): string {
  return `${offset?.toFixed(3) ?? ''}${state === 'right' ? '' : `, ${state}`}`
}

const shipClasses: Listing = {
  title: 'Ship classes',
  operations: ['listShipClasses'],
  heads: ['Name', 'Title', 'Δv [km/s]', 'Thrust [m/s²]', 'Price', 'Taken by'],
  actions: [],
  rowActions: [],
  empty: 'There are no ship classes.',
  load: async (admin) => {
    const { new_ships: ofNewShips, ship_classes: all } = await admin.call(api.listShipClasses)
    const rows = all.map((one) => ({
      id: one.name,
      cells: [
        one.name,
        one.title,
        (1e-3 * one.exhaust_velocity * Math.log1p(one.fuel_capacity / one.dry_mass)).toFixed(1),
        (one.thrust_max / (one.dry_mass + one.fuel_capacity)).toFixed(2),
        String(one.price),
        typeof one.takers === 'string' ? one.takers : one.takers.join(', '),
      ],
      values: {},
    }))
    return { rows, note: `of new accounts: ${ofNewShips}` }
  },
}

const modules: Listing = {
  title: 'Modules',
  operations: ['listModuleCosts'],
  heads: ['Name', 'Version', 'System', 'Memory', 'Mean', 'Worst', 'Breaks', 'Rows', 'Stopped'],
  actions: ['readShipModules', 'commandShipModule'],
  rowActions: [
    ['stopModule', 'Stop'],
    ['startModule', 'Start'],
  ],
  empty: 'There are no modules.',
  load: async (admin) => ({
    rows: (await admin.call(api.listModuleCosts)).modules.map((one) => ({
      id: `${one.module} ${one.system_id}`,
      cells: [
        one.module,
        String(one.version),
        one.system_id,
        `${(one.bytes / 1024).toFixed(1)} KiB`,
        `${(1e3 * one.mean_seconds).toFixed(3)} ms`,
        `${(1e3 * one.worst_seconds).toFixed(3)} ms`,
        String(one.breaks),
        one.tables.map((each) => `${each.table} ${each.rows}/${each.rows_max}`).join(', '),
        one.stopped ? `${one.stopped.game_time}: ${one.stopped.reason}` : '',
      ],
      values: { module: one.module, system: one.system_id },
    })),
  }),
}

const systems: Listing = {
  title: 'Star systems',
  operations: ['listSystemsForAdmins'],
  heads: ['Name', 'Id', 'Star', 'Bodies', 'Ships'],
  actions: ['transferShip', 'alterShip'],
  rowActions: [],
  empty: 'There are no star systems.',
  load: async (admin) => ({
    rows: (await admin.systems()).systems.map((one) => ({
      id: one.id,
      cells: [one.name, one.id, one.star_body, String(one.body_count), String(one.player_count)],
      values: { system: one.id },
    })),
  }),
}

const stations: Listing = {
  title: 'Stations',
  operations: ['listStations'],
  heads: ['Name', 'Body', 'Id'],
  actions: ['placeStation'],
  rowActions: [['removeStation', 'Remove']],
  empty: 'There are no stations.',
  load: async (admin) => ({
    rows: (await admin.stations.list()).stations.map((one) => ({
      id: one.station_id,
      cells: [one.name, one.parent_body, one.station_id],
      values: { station: one.station_id },
    })),
  }),
}

const jumpgates: Listing = {
  title: 'Jump gates',
  operations: ['listJumpgates'],
  heads: ['Name', 'Body', 'Id', 'Leads to'],
  actions: ['placeJumpgate'],
  rowActions: [['removeJumpgate', 'Remove']],
  empty: 'There are no jump gates.',
  load: async (admin) => {
    const { jumpgates: all } = await admin.jumpgates.list()
    const names = new Map(all.map(({ jumpgate_id: id, name }) => [id, name]))
    const rows = all.map(({ jumpgate_id: id, name, parent_body, paired_jumpgate_id: pair }) => ({
      id,
      cells: [name, parent_body, id, pair === null ? '' : (names.get(pair) ?? pair)],
      values: { jumpgate: id },
    }))
    return { rows }
  },
}

const maneuvers: Listing = {
  title: 'Maneuvers',
  operations: ['listManeuverEvents', 'readManeuverLogging'],
  heads: ['Game time (UTC)', 'Ship', 'Maneuver', 'Event', 'Phase', 'Text'],
  filters: [
    { name: 'ship', label: 'Ship', hint: 'name of its pilot, or its id', isOptional: true },
    { name: 'type', label: 'Event', hint: 'its kind', isOptional: true },
    limit,
  ],
  actions: ['logLevel', 'debugShip'],
  rowActions: [['debugShip', 'Debug']],
  empty: 'No maneuver is logged.',
  load: async (admin, filters) => {
    const { ship, type } = filters
    const { maneuverLog } = admin
    const query = {
      ...(ship && { ship_id: await shipId(admin, ship) }),
      ...(type && { event_type: type }),
    }
    const [{ events }, { level }] = await Promise.all([
      maneuverLog.events({ ...query, ...limitOf(filters) }),
      maneuverLog.level(),
    ])
    const rows = events.map((one) => ({
      id: String(one.id),
      cells: [
        one.game_time,
        one.ship_id,
        one.maneuver_type,
        one.event_type,
        one.phase,
        one.status_text ?? '',
      ],
      values: { ship: one.ship_id },
    }))
    return { rows, note: `logged: ${level}` }
  },
}

const audit: Listing = {
  title: 'Audit',
  operations: ['listAudit'],
  heads: ['Time (UTC)', 'By', 'Id', 'Address', 'Action', 'Subject', 'Details'],
  filters: [limit],
  actions: [],
  rowActions: [],
  empty: 'The audit trail is empty.',
  load: async (admin, filters) => ({
    rows: (await admin.audit(limitOf(filters))).entries.map((one, i) => ({
      id: `${one.at} ${i}`,
      cells: [
        one.at,
        one.actor === null ? 'server' : (one.actor_name ?? ''),
        one.actor ?? '',
        one.address ?? '',
        one.action.replaceAll('_', ' '),
        one.subject ?? '',
        detailText(one.detail),
      ],
      values: {},
    })),
  }),
}

export type ListedSection = 'accounts' | 'worlds' | 'places' | 'log'

/** A section that shows tables. */
export interface SectionTables {
  readonly title: string
  readonly listings: readonly Listing[]
}

/** Sections beside the overview, each with its tables. */
export const SECTIONS: Readonly<Record<ListedSection, SectionTables>> = {
  accounts: { title: 'Accounts', listings: [players, admins] },
  worlds: { title: 'Worlds', listings: [snapshots, backups, hosts, shipClasses, modules] },
  places: { title: 'Places', listings: [systems, stations, jumpgates] },
  log: { title: 'Log', listings: [maneuvers, audit] },
}
