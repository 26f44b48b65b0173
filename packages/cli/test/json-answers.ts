/** With `--json` each command prints what the schema of its route has, and nothing else. */
import {
  adaptiveTickRateResponse,
  adminStatusResponse,
  adminsResponse,
  api,
  assignedShipResponse,
  auditResponse,
  backupEntry,
  backupRestoredResponse,
  backupsResponse,
  clockStoppedResponse,
  historyResponse,
  jumpgateResponse,
  jumpgatesResponse,
  loadResponse,
  maneuverDebug,
  maneuverEventsResponse,
  maneuverLogging,
  maneuverLoggingChanged,
  messageResponse,
  newAdminResponse,
  openResponse,
  openedResponse,
  pauseResponse,
  playerResponse,
  playersResponse,
  restoreResponse,
  resumeResponse,
  roleResponse,
  serviceTokenResponse,
  serviceTokensResponse,
  shipClassesResponse,
  snapshotPreview,
  snapshotResponse,
  snapshotsResponse,
  stationResponse,
  stationsResponse,
  systemsResponse,
  tickRateResponse,
  talkResponse,
  timeScaleResponse,
  timeSyncResponse,
} from '@orrery/protocol'
import { type Schema, exactAnswer } from '@orrery/testkit/exact-answer'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'

const PASSWORD = 'json-pass-7b'

/** In an order in which each can be done; with what is typed. */
const COMMANDS: readonly (readonly [args: string, schema: Schema<unknown>, input?: string])[] = [
  ['pause', pauseResponse],
  ['resume', resumeResponse],
  ['tick-rate set 5', tickRateResponse],
  ['time-scale set 1', timeScaleResponse],
  ['time-sync on', timeSyncResponse],
  ['adaptive off', adaptiveTickRateResponse],
  ['registrations', openResponse],
  ['registrations open', openedResponse],
  ['talk off', talkResponse],
  ['pace-vote on 1 10', api.allowPaceVote.answer],
  ['pace-vote get', api.readPaceVote.answer],
  ['pace-vote off', api.endPaceVote.answer],
  ['clock stop', clockStoppedResponse],
  ['admins create Jason', newAdminResponse, PASSWORD],
  ['admins list', adminsResponse],
  ['admins password Jason', messageResponse, `${PASSWORD}-2`],
  ['players list', playersResponse],
  ['players show Jason', playerResponse],
  ['players assign-ship Jason', assignedShipResponse],
  ['players role Jason player', roleResponse],
  ['players reset-password Jason', messageResponse, PASSWORD],
  ['service-tokens create json accounts', serviceTokenResponse],
  ['service-tokens list', serviceTokensResponse],
  ['debug Jason', maneuverDebug],
  ['maneuvers', maneuverEventsResponse],
  ['log-level', maneuverLogging],
  ['log-level normal', maneuverLoggingChanged],
  ['audit', auditResponse],
  ['version', api.readVersion.answer],
  ['hosts', api.listHosts.answer],
  ['modules', api.listModuleCosts.answer],
  ['load', loadResponse],
  ['history hour', historyResponse],
  ['systems', systemsResponse],
  ['ship-classes', shipClassesResponse],
  ['stations create "JSON Dock" Moon --altitude 400000', stationResponse],
  ['stations list', stationsResponse],
  ['gates create "JSON Gate" Sun Mars --point 4', jumpgateResponse],
  ['gates list', jumpgatesResponse],
  ['snapshot create', snapshotResponse],
  ['snapshot list', snapshotsResponse],
  ['snapshot list --all', snapshotsResponse],
  ['backup create', backupEntry],
  ['backup list', backupsResponse],
]

/** Those whose routes answer nothing. */
const DELETIONS = [
  'gates delete "JSON Gate"',
  'stations delete "JSON Dock"',
  'players delete Jason',
  'service-tokens revoke json',
] as const

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any

/** @param json  the answer of a command, by its line and what is typed */
export function jsonAnswers(json: (args: string, input?: string) => Promise<Loose>): void {
  test('a star system goes to a host by its URL', async () => {
    const { hosts } = await json('hosts')
    const moved = await json(`hosts move "Alpha Centauri" ${hosts[0].url}`)
    expect(moved).toMatchObject({ host_id: hosts[0].host_id, system_id: 'alpha-centauri' })
  })

  test('a host is drained by its URL, and no more', async () => {
    const { hosts } = await json('hosts')
    const [{ host_id, url }] = hosts
    for (const [verb, drained] of [
      ['drain', true],
      ['undrain', false],
    ] as const) {
      const answer = await json(`hosts ${verb} ${url}`)
      await exactAnswer(api.drainHost.answer, answer)
      expect(answer).toMatchObject({ host_id, drained })
      expect((await json('hosts')).hosts[0]).toMatchObject({ host_id, drained })
    }
  })

  test('JSON of each command is what the schema of its route has', async () => {
    for (const [args, schema, input] of COMMANDS) {
      await exactAnswer(schema, await json(args, input)).catch((error: unknown) => {
        throw new Error(`${args}: ${String(error)}`, { cause: error })
      })
    }
    for (const args of DELETIONS) {
      expect([args, await json(`${args} --yes`)]).toEqual([args, { success: true }])
    }
  })

  test.runIf(IS_NIGHT)('JSON of stored worlds is what their schemas have', async () => {
    const { snapshots } = await json('snapshot list')
    const [{ id }] = snapshots
    await exactAnswer(snapshotPreview, await json(`snapshot show ${id}`))
    await exactAnswer(restoreResponse, await json(`snapshot restore ${id} --yes`))
    expect(await json(`snapshot delete ${id} --yes`)).toEqual({ success: true })
    const [{ backup_id: backup }] = (await json('backup list')).backups
    const restored = await json(`backup restore ${backup} --yes`)
    const { present_backup_id: present } = await exactAnswer(backupRestoredResponse, restored)
    for (const one of [backup, present]) {
      expect(await json(`backup delete ${one} --yes`)).toEqual({ success: true })
    }
  })

  test('JSON that is made of several answers has the names of each', async () => {
    const { server_name, players_online, faulted, overloaded, clock_goal, ...status } =
      await json('status')
    await exactAnswer(adminStatusResponse, status)
    expect([typeof server_name, typeof players_online]).toEqual(['string', 'number'])
    await exactAnswer(loadResponse, { ...(await json('load')), faulted, overloaded, clock_goal })
    for (const args of ['tick-rate get', 'time-scale get']) {
      const names = Object.keys(await json(args))
      expect(names.length).toBeGreaterThan(1)
      expect(Object.keys(status)).toEqual(expect.arrayContaining(names))
    }
  })
}
