// Goal: every job ends within its bounds, and a job that exceeds them fails alone. Method:
// renderers with small bounds; a hang, a variable bomb and large outputs beside good jobs; ids of
// processes.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterEach, expect, test, vi } from 'vitest'
import { forClient } from '../../src/client.ts'
import { PATIENT, type RenderResult, TestRenderer } from '../renderer.ts'
import { until } from '../until.ts'
import { hang, variableBomb } from './hostile-sources.ts'

/** A job that loads no engine, which takes a child longer than to start. */
const GOOD = {
  kind: 'png',
  input: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
} as const

/** Does the job; rejects where that fails. */
async function isDone(by: TestRenderer): Promise<boolean> {
  return (await by.run(GOOD.kind, GOOD.input)).length > 0
}

type Drawing = Parameters<TestRenderer['render']>[0]

let renderer: TestRenderer | undefined

/** A renderer whose time limit is never reached. */
function patient(options: ConstructorParameters<typeof TestRenderer>[0]): TestRenderer {
  return new TestRenderer({ ...PATIENT, ...options })
}

afterEach(async () => {
  vi.useRealTimers()
  await renderer?.close()
})

test('a hanging job is killed at its time limit; others are still rendered', async () => {
  // Only the timers of the time limits are simulated.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  renderer = new TestRenderer({ niceness: PATIENT.niceness })
  await isDone(renderer)
  const order: string[] = []
  const hanging = renderer.render({ engine: 'graphviz', source: hang() }).then((result) => {
    order.push('hang')
    return result
  })
  // What hangs need not take the processor as well.
  const isListed = existsSync('/proc/self/status')
  if (isListed) for (const pid of renderChildren()) process.kill(pid, 'SIGSTOP')
  for (const name of ['first', 'second', 'third']) {
    expect(await isDone(renderer)).toBe(true)
    order.push(name)
  }
  vi.advanceTimersByTime(29_999)
  await isDone(renderer)
  order.push('fourth')
  vi.advanceTimersByTime(1)
  expect(await hanging).toEqual({ ok: false, error: 'Render timed out after 30s' })
  expect(order).toEqual(['first', 'second', 'third', 'fourth', 'hang'])
  expect(await isDone(renderer)).toBe(true)
})

test('an aborted job ends its child, which takes no other job', async () => {
  const single = patient({ children: 1 })
  renderer = single
  const superseded = new AbortController()
  const source = hang()
  const hanging = single.run('diagram', { engine: 'graphviz', source }, superseded.signal)
  const next = isDone(single)
  superseded.abort()
  await expect(hanging).rejects.toMatchObject({ code: 'ERR_RENDER_CLOSED' })
  expect(await next).toBe(true)
})

// By day pictures-bound.test.ts notices a diagram that takes more memory than its process may.
test.runIf(IS_NIGHT)(
  'a variable bomb ends at the memory limit, together with its child',
  async () => {
    renderer = patient({ children: 1 })
    const exploded = await renderer.render({ engine: 'd2', source: variableBomb() })
    expect(exploded).toEqual({ ok: false, error: 'D2 gave up: the diagram needs too much memory' })
    expect(await isDone(renderer)).toBe(true)
  },
)

// By day pictures-bound.test.ts notices a child that is not, and a test below one that is not
// replaced.
test.runIf(IS_NIGHT && existsSync('/proc/self/status'))(
  'a child that holds too much memory is killed while it works, a used one and the next',
  async () => {
    await noChildren()
    renderer = patient({ children: 1, bytesMax: 150 * 1_048_576 })
    await isDone(renderer)
    const [used] = renderChildren()
    // D2 alone needs more than that.
    const drawing = renderer.render({ engine: 'd2', source: 'a -> b' })
    await until(renderChildren, (pids) => pids.length > 0 && !pids.includes(used))
    expect(await drawing).toEqual({
      ok: false,
      error: 'Render needed too much memory; at most 150 MiB are given',
    })
    expect(await isDone(renderer)).toBe(true)
  },
)

test('a source that is too large is refused, and the queue is bounded', async () => {
  const small = patient({ children: 1, waitingMax: 2 })
  renderer = small
  const comment = `digraph { a } /* ${'x'.repeat(262_144)} */`
  const large = await small.render({ engine: 'graphviz', source: comment })
  expect(large).toEqual({ ok: false, error: 'The source has more than 262144 bytes' })
  const many = 'a -> b\n'.repeat(2501)
  expect(await small.render({ engine: 'd2', source: many })).toEqual({
    ok: false,
    error: 'The source has 5002 lines and arrows, at most 5000',
  })
  const asked = Array.from({ length: 4 }, () => isDone(small))
  const settled = await Promise.allSettled(asked)
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  await expect(asked[3]).rejects.toMatchObject({ code: 'ERR_RENDER_BUSY' })
})

test.runIf(existsSync('/proc/self/status'))(
  'children are reused for a limited number of jobs',
  async () => {
    await noChildren()
    renderer = patient({ children: 1, jobsMax: 2 })
    const seen: number[] = []
    for (let i = 0; i < 4; i++) {
      const job = isDone(renderer)
      seen.push(...renderChildren())
      await job
    }
    expect(new Set(seen).size).toBe(2)
    await renderer.close()
    await expect(isDone(renderer)).rejects.toMatchObject({ code: 'ERR_RENDER_CLOSED' })
    await noChildren()
  },
)

// By day a test below notices a child that is not replaced.
test.runIf(IS_NIGHT && existsSync('/proc/self/status'))(
  'a child that cannot be replaced takes no place from later jobs',
  async () => {
    await noChildren()
    const single = patient({ children: 1 })
    renderer = single
    await isDone(single)
    const [used] = renderChildren()
    const interrupted = single.render({ engine: 'graphviz', source: hang() })
    const { execPath } = process
    process.execPath = '\0'
    process.kill(used, 'SIGKILL')
    await expect(interrupted).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
    process.execPath = execPath
    expect(await isDone(single)).toBe(true)
  },
)

// By day the test of a limited number of jobs notices a child that is kept for good.
test.runIf(IS_NIGHT && existsSync('/proc/self/status'))(
  'a child with much memory takes no other job',
  async () => {
    await noChildren()
    renderer = patient({ children: 1, keptBytesMax: 1 })
    await isDone(renderer)
    // It is ended after its job.
    await noChildren()
    expect(await isDone(renderer)).toBe(true)
  },
)

// By day the test below waits for a warm child, too.
test.runIf(IS_NIGHT && existsSync('/proc/self/status'))(
  'one child is always warm: before the first job, and after the end of another',
  async () => {
    await noChildren()
    renderer = patient({ children: 1, jobsMax: 2, isWarm: true })
    const [first] = await until(renderChildren, ({ length }) => length > 0)
    expect(await isDone(renderer)).toBe(true)
    // Warming was its first job: this one was its last.
    await until(renderChildren, (pids) => pids.length > 0 && !pids.includes(first))
  },
)

test.runIf(existsSync('/proc/self/status'))(
  'beside the renders of one client a warm child, ahead of the further ones, is left to others',
  async () => {
    await noChildren()
    const shared = patient({ children: 3, isWarm: true, ...(!IS_NIGHT && { warming: GOOD }) })
    // To load D2 takes seconds; by day engines.test.ts does what warms a child.
    const done = async (): Promise<boolean> =>
      IS_NIGHT ? (await shared.render({ engine: 'd2', source: 'a -> b' })).ok : isDone(shared)
    renderer = shared
    await done()
    const [first] = renderChildren()
    const source = hang()
    const hanging = [0, 1].map(() =>
      forClient('a', () => shared.render({ engine: 'graphviz', source })),
    )
    const all = await until(renderChildren, ({ length }) => length === 3)
    expect(all).toContain(first)
    // What hangs need not take the processor as well.
    for (const pid of all) if (pid === first || getPriority(pid) === 5) process.kill(pid, 'SIGSTOP')
    expect(await forClient('b', done)).toBe(true)
    expect(renderChildren()).toEqual(all)
    expect(all.map((pid) => getPriority(pid)).toSorted((a, b) => a - b)).toEqual([0, 0, 5])
    await shared.close()
    expect(await Promise.allSettled(hanging)).toMatchObject([
      { reason: { code: 'ERR_RENDER_CLOSED' } },
      { reason: { code: 'ERR_RENDER_CLOSED' } },
    ])
  },
)

// By day the test above notices a client that takes what is left to others.
test.runIf(IS_NIGHT && existsSync('/proc/self/status'))(
  'further renders of a client leave the children that are ahead',
  async () => {
    await noChildren()
    const shared = patient({ children: 3, isWarm: true })
    renderer = shared
    const drawing = { engine: 'd2', source: 'a -> b' } as const
    const own = (source: Drawing): Promise<RenderResult> =>
      forClient('a', () => shared.render(source))
    const first = own(drawing)
    const hanging = own({ engine: 'graphviz', source: hang() })
    expect([await first, await own(drawing)]).toMatchObject([{ ok: true }, { ok: true }])
    await until(
      () => renderChildren().map((pid) => getPriority(pid)),
      (all) => all.toSorted((a, b) => a - b).join() === '0,5,5',
    )
    await shared.close()
    await expect(hanging).rejects.toMatchObject({ code: 'ERR_RENDER_CLOSED' })
  },
)

test.runIf(existsSync('/proc/self/status'))(
  'a job that fails in a used child runs once more in a new one',
  async () => {
    await noChildren()
    const single = patient({ children: 1 })
    renderer = single
    await isDone(single)
    const [used] = renderChildren()
    // A child that is stopped begins no job, so that this one fails in it.
    process.kill(used, 'SIGSTOP')
    const next = isDone(single)
    process.kill(used, 'SIGKILL')
    expect(await next).toBe(true)
    const hanging = single.render({ engine: 'graphviz', source: hang() })
    const second = renderChildren().find((pid) => pid !== used) ?? NaN
    process.kill(second, 'SIGKILL')
    const [third] = await until(
      () => renderChildren().filter((pid) => pid !== second),
      ({ length }) => length > 0,
    )
    process.kill(third, 'SIGKILL')
    expect(await hanging).toEqual({ ok: false, error: 'Render ended without a result' })
  },
)

test.runIf(existsSync('/proc/self/status'))('a child stands back behind other work', async () => {
  await noChildren()
  renderer = new TestRenderer()
  const job = isDone(renderer)
  const [child] = await until(renderChildren, ({ length }) => length > 0)
  expect(getPriority(child)).toBe(10)
  await renderer.close()
  await expect(job).rejects.toMatchObject({ code: 'ERR_RENDER_CLOSED' })
})

const unshared = spawnSync('unshare', ['--user', '--net', process.execPath, '--version'])

test.runIf(unshared.status === 0)(
  'a child has a network of its own, without interfaces',
  async () => {
    await noChildren()
    renderer = patient({ children: 1 })
    expect(await isDone(renderer)).toBe(true)
    const [child] = renderChildren()
    const network = (pid: number): string => readlinkSync(`/proc/${pid}/ns/net`)
    expect(network(child)).not.toBe(network(process.pid))
    const interfaces = readFileSync(`/proc/${child}/net/dev`, 'utf8').match(/^ *\w+(?=:)/gm) ?? []
    expect(interfaces.map((name) => name.trim())).toEqual(['lo'])
    // Not even routes to this machine.
    expect(readFileSync(`/proc/${child}/net/route`, 'utf8').trim().split('\n')).toHaveLength(1)
  },
)

test('a child whose parent ended before its start ends itself', async () => {
  const code = fileURLToPath(new URL('../../src/rendering/child-main.ts', import.meta.url))
  // Its parent, by the argument, is a process that has ended.
  const gone = spawn(process.execPath, ['--version'])
  await once(gone, 'exit')
  const child = fork(code, [String(gone.pid)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})

/** Waits for the end of those of earlier tests. */
async function noChildren(): Promise<void> {
  await until(renderChildren, ({ length }) => length === 0)
}

/** Ids of the render processes of this process. */
function renderChildren(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return /child-main\.(?:mjs|ts)\0(\d+)\0$/.exec(command)?.[1] === String(process.pid)
      } catch {
        return false
      }
    })
    .map(Number)
}
