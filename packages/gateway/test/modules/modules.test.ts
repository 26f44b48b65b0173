/**
 * Law: a server with modules plays them, and keeps what they did. Goal: a pilot's command acts at
 * each second, sends its event and is refused by name; a kill loses nothing acknowledged, and the
 * digests of the replay are the kept ones, also where a newer version takes over; a start without
 * the module, or with one that cannot take over, names it. Without modules nothing is loaded.
 */
import { createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type Loose, openSocket, register } from '../player-client.ts'
import { errorLines, refusedStart, startRefusal } from '../server-process.ts'
import { usedServer } from '../used-server.ts'
import { accountFollowsItsShips } from './account-columns.ts'
import { documentsHaveCommands } from './documents.ts'
import { shipFliesToRow } from './row-targets.ts'
import { modulesRefuseWithData } from './refused-commands.ts'
import { shipFollowsItsRules } from './ruled-ship.ts'
import { TAKES_OVER, stoneBesideASnapshot } from './taken-over.ts'

const QUARRY = new URL('quarry.ts', import.meta.url).pathname
const BANK = new URL('bank.ts', import.meta.url).pathname
const server = usedServer({
  MODULES: `${QUARRY},${BANK}`,
  METRICS_TOKEN: 'metrics-token-of-modules',
  SHIPS_PER_PLAYER: '3',
})

/** What holds after the next kill, which comes with a newer version of a module. */
const later: (() => Promise<void>)[] = []

/** The file of a later version. */
function quarryOf(version: number, from: string): string {
  const file = join(server.variables['DATA_DIR'] ?? '', `quarry-${version}.ts`)
  const source = readFileSync(QUARRY, 'utf8')
    .replace('version: 1,', `version: ${version}, from: { ${version - 1}: { ${from} } },`)
    .replace('ship: {', "ship: { last: row('pit'),")
  writeFileSync(file, source)
  return file
}

it('plays modules', async () => {
  const { token, ship_id: shipId } = await register(server, 'Digger')
  const modules = () => createModulesClient({ url: server.url, token })
  const listed = await modules().list()
  expect(listed.modules).toMatchObject([
    { module: 'quarry', version: 1, stopped: {} },
    { module: 'bank', version: 1, stopped: {} },
  ])
  expect(listed.modules[0].commands.map(({ command }) => command)).toEqual([
    'dig',
    'drop',
    'survey',
    'grant',
    'spoil',
  ])
  expect(listed.modules[0].commands[0]).toMatchObject({
    may: 'pilot',
    values: { type: 'object', required: ['pit'] },
  })
  expect(listed.modules[0].commands[2].per_minute).toBe(2)
  expect(listed.modules[0].panel).toMatchObject({
    title: 'Quarry',
    fields: [{ column: 'stone', unit: 'kg' }, { of: 'pit' }],
    buttons: [{ command: 'dig', inputs: [{ kind: 'row', table: 'pit' }] }],
    lists: [],
  })
  await modulesRefuseWithData(server, { token, ship_id: shipId })
  await expect(modules().command('quarry', 'dig', { pit: 'x' })).rejects.toMatchObject({
    code: 'E001',
  })
  await expect(modules().command('quarry', 'spoil')).rejects.toMatchObject({ code: 'E003' })
  await expect(modules().command('mining', 'dig')).rejects.toMatchObject({ code: 'E002' })
  const socket = await openSocket(server, token)
  const survey = { type: 'module_command', module: 'quarry', command: 'survey' }
  expect(await socket.answer(survey)).toMatchObject({ type: 'accepted' })
  expect(await socket.next('event')).toMatchObject({ module_event: 'found', data: { stone: 0 } })
  for (const [more, code] of [
    [{ values: { deep: 7 } }, 'E001'],
    [{ command: 'spoil' }, 'E003'],
    [{ module: 'mining' }, 'E002'],
    [{ module: 7 }, 'E001'],
  ] as const) {
    expect(await socket.answer({ ...survey, ...more })).toMatchObject({ type: 'error', code })
  }
  // Twice a minute, on whatever way.
  await expect(modules().command('quarry', 'survey')).rejects.toMatchObject({ code: 'E004' })
  expect(await socket.answer(survey)).toMatchObject({ type: 'error', code: 'E004' })
  const begun = await modules().command('quarry', 'dig', { pit: 1 })
  expect(await socket.next('event', ({ event }) => event === 'module')).toMatchObject({
    module: 'quarry',
    module_event: 'found',
    data: { stone: 1e6 },
    status_text: 'A pit of 1000000 kg.',
  })
  expect(begun.ship_values).toMatchObject({ quarry: { pit: 1 } })
  expect(begun.ship_values['quarry']).not.toHaveProperty('note')
  const switched = (system_id: string, running: boolean, module = 'quarry'): Promise<unknown> =>
    server.order('POST', `/api/admin/modules/${module}`, { system_id, running })
  await expect(switched('sol', true)).rejects.toThrow('Module quarry runs in Sol already.')
  await expect(switched('sol', false, 'mining')).rejects.toThrow('There is no module mining.')
  await expect(switched('nowhere', false)).rejects.toThrow('E002')
  expect(await switched('sol', false)).toMatchObject({ system_id: 'sol', running: false })
  await expect(switched('sol', false)).rejects.toThrow('Module quarry has stopped in Sol already.')
  await expect(modules().command('quarry', 'dig', { pit: 1 })).rejects.toMatchObject({
    message: 'Module quarry has stopped: An operator has stopped it.',
  })
  await switched('sol', true)
  expect((await modules().list()).modules[0].stopped).toEqual({})
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  const stone = async (): Promise<number> => {
    return Number((await modules().read()).ship_values['quarry']['stone'])
  }
  await expect.poll(stone).toBeGreaterThan(300)
  const kept = await modules().command('quarry', 'drop', { kg: 100 })
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: 'Bearer metrics-token-of-modules' },
  })
  const sample = /^orrery_module_(\w+)\{module="quarry"\} (\S+)$/gm
  const costs = Array.from((await metrics.text()).matchAll(sample), ([, name, value]) => {
    return [name, Number(value) > 0]
  })
  expect(Object.fromEntries(costs)).toEqual({
    bytes: true,
    calls_total: true,
    seconds_total: true,
    breaks_total: false,
  })
  const { ship_id: id } = await createGameClient({ url: server.url }).player(token).ship()
  const all = await server.order('GET', `/api/admin/modules/ships/${id}`)
  expect(all.ship_values.quarry).toMatchObject({ pit: 1, note: 0 })
  const { modules: measured } = await server.order('GET', '/api/admin/modules')
  expect(measured).toHaveLength(2 * 3)
  const here = measured.find((one: Loose) => one.system_id === 'sol' && one.module === 'quarry')
  const pits = [{ table: 'pit', rows: 1, rows_max: 4 }]
  expect(here).toMatchObject({
    module: 'quarry',
    version: 1,
    breaks: 0,
    stopped: null,
    tables: pits,
  })
  expect(here.bytes).toBeGreaterThan(0)
  expect(here.mean_seconds).toBeGreaterThan(0)
  expect(here.worst_seconds).toBeGreaterThanOrEqual(here.mean_seconds)
  later.push(async () => {
    const { modules: newer } = await modules().list()
    expect(newer).toMatchObject([
      { module: 'quarry', version: 2 },
      { module: 'bank', version: 1 },
    ])
    expect((await modules().read()).ship_values['quarry']).toMatchObject({ pit: 1, last: 1 })
    expect(await stone()).toBeGreaterThanOrEqual(Number(kept.ship_values['quarry']['stone']))
    const { index, tables } = await modules().read()
    expect(index).toBeGreaterThan(begun.index)
    const left = Number(tables['quarry']['pit'][0]['stone'])
    expect(left % 2).toBe(0)
    const { around, x, y, z } = tables['quarry']['pit'][0]
    expect(around).toBe('Earth')
    expect(Math.hypot(Number(x), Number(y), Number(z))).toBeCloseTo(7e6, 3)
    expect(left).toBeLessThan(1e6)
  })
})

it('has what modules keep of an account on the ship that it flies', async () => {
  later.push(await accountFollowsItsShips(server))
  expect(errorLines(server.output())).toEqual([])
})

it('describes each command in its documents', async () => {
  await documentsHaveCommands(server)
  expect(errorLines(server.output())).toEqual([])
})

it('flies to rows on rails, and docks at none', async () => {
  later.push(await shipFliesToRow(server))
  expect(errorLines(server.output())).toEqual([])
})

it('lets rules fire on its columns, and order its commands', async () => {
  later.push(await shipFollowsItsRules(server))
  expect(errorLines(server.output())).toEqual([])
})

it('a program grants each thing once, at night through twenty kills', async () => {
  const { token, ship_id } = await register(server, 'Winner')
  const wanted = { name: 'shop', scopes: ['commands'] }
  const shop = await server.order('POST', '/api/admin/service-tokens', wanted)
  const grant = (key: string): Promise<unknown> => {
    const call = createGameClient({ url: server.url }).service(shop.token).once(key)
    const order = { module: 'quarry', command: 'grant', values: { kg: 1 } }
    return call(api.commandModuleForShip, { ship_id, ...order })
  }
  const stone = async (): Promise<unknown> =>
    (await createModulesClient({ url: server.url, token }).read()).ship_values['quarry']['stone']
  for (let i = 0; i < 2; i++) expect(await grant('first prize')).toEqual({ ship_id })
  expect(await stone()).toBe(1)
  const pilot = createGameClient({ url: server.url }).player(token)
  expect(await pilot.ship()).toMatchObject({ mass: 30_001 })
  const kills = byTier({ gate: 0, night: 20 })
  for (let kill = 0; kill < kills; kill++) {
    const lost = grant(`prize ${kill}`).catch(() => undefined)
    // Before it is there, while it acts, and once it has.
    await wait(kill)
    await server.kill()
    await lost
    await server.restart()
    expect(await grant(`prize ${kill}`)).toEqual({ ship_id })
    expect(await stone()).toBe(2 + kill)
  }
})

it('goes on after a kill, and with a newer version', async () => {
  later.push(await stoneBesideASnapshot(server))
  await server.kill()
  // What was played before is flown by the older version.
  Object.assign(server.variables, { MODULES: `${quarryOf(2, TAKES_OVER)},${QUARRY},${BANK}` })
  await server.restart()
  for (const holds of later) await holds()
  expect(server.output()).not.toContain('did not come out as it was kept')
})

it.runIf(IS_NIGHT)('is replayed to the digests that it kept, and backed up', async () => {
  await server.stop()
  const scripts = new URL('../../../../scripts/', import.meta.url).pathname
  const env = { ...process.env, ...server.variables }
  const run = async (name: string, word: string): Promise<string> => {
    const program = promisify(execFile)(process.execPath, [`${scripts}${name}.ts`, word], { env })
    return (await program).stdout
  }
  expect(await run('replay', '--verify')).toContain('all equal')
  expect(await run('backup', 'create')).toContain('is made')
})

it('names a module that is missing', async () => {
  if (server.running()) await server.stop()
  const { MODULES: _, ...without } = server.variables
  expect(await startRefusal(without)).toContain('quarry 2')
})

it.runIf(IS_NIGHT)('names a version that cannot take over, and goes on without it', async () => {
  await server.restart()
  // A ship for which modules keep nothing is not taken over.
  const { token } = await register(server, 'Latecomer')
  await createModulesClient({ url: server.url, token }).command('quarry', 'dig', { pit: 1 })
  await server.stop()
  // What loads modules freezes the built-in objects of its process.
  const start = (modules: string) =>
    refusedStart({ ...server.variables, MODULES: `${modules},${BANK}` })
  const broken = quarryOf(3, 'ship: () => ({ stone: NaN })')
  expect((await start(broken)).stderr).toContain('quarry 3 cannot take over from quarry 2: ship')
  const other = await start(quarryOf(4, ''))
  expect(other.stderr).toContain('The world has quarry 2, and 4 is given.')
  const twice = await start(`${QUARRY},${QUARRY}`)
  expect(twice.stderr).toContain('Two modules are named quarry 1.')
  await server.restart({ MODULES: `${quarryOf(3, '')},${BANK}` })
  await server.kill()
  const both = [3, 2].map((version) => quarryOf(version, ''))
  await server.restart({ MODULES: [...both, BANK].join() })
  expect(server.output()).not.toContain('did not come out as it was kept')
  await server.stop()
})

it('loads nothing of modules without any', () => {
  const code = new URL('../../src/', import.meta.url).href
  const program = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    const isOfModules = (url) => url.includes('packages/module') || url.includes('/ses/')
    await import('${code}game-server.ts')
    const { given } = await import('${code}given.ts')
    for (const moduleFiles of [[], ['${QUARRY}']]) {
      await given({ moduleFiles })
      console.log(urls.filter(isOfModules).length)
    }`
  const args = ['--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })
  const [without, sealed] = printed.trim().split('\n').map(Number)
  expect(without).toBe(0)
  expect(sealed).toBeGreaterThan(10)
})
