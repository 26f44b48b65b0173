// Goal: no render is lost by `kill -9` or by a stop, and no render process survives its service.
// Method: real processes on one directory, one after the other.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Json, type Session, ask, created, newSession, settled } from '../ask.ts'
import { useOwnService } from '../service.ts'
import { until } from '../until.ts'
import { hang } from './hostile-sources.ts'

const service = useOwnService()
let session: Session

beforeAll(async () => {
  session = await newSession(service)
})

function diagram(values: object): Promise<Json> {
  const plain = { name: 'Diagram', artifact_type: 'diagram', engine: 'graphviz' }
  return created(service, `${session.path}/artifacts`, { ...plain, ...values })
}

function place({ id }: Json): string {
  return `${session.path}/artifacts/${id}`
}

/** Does not wait for the end. */
function render(artifact: Json): Promise<Answer> {
  return ask(service, 'POST', `${place(artifact)}/render`, { headers: { prefer: 'respond-async' } })
}

async function shown(artifact: Json): Promise<Json> {
  const { body } = await ask(service, 'GET', place(artifact))
  return body
}

test.runIf(existsSync('/proc/self/status'))(
  'renders are continued after a kill and after a stop, and no render process survives',
  async () => {
    const hanging = await diagram({ name: 'hanging', source_code: hang() })
    const waiting = await diagram(
      byTier({
        gate: { source_code: 'digraph { a -> b }' },
        // It takes longer to load.
        night: { engine: 'mermaid', source_code: 'flowchart LR\n a --> b' },
      }),
    )
    await render(hanging)
    expect((await render(waiting)).body.render_status).toBe('rendering')
    const children = childrenOf(service.pid)
    await service.kill()
    await allEnded(children)

    await service.start()
    const done = await settled(service, place(waiting))
    expect(done.render_error ?? done.render_status).toBe('success')
    // A render that hangs delays no other request.
    const beside = [
      await ask(service, 'GET', '/clients'),
      await ask(service, 'GET', 'health/ready'),
    ]
    expect(beside.map(({ status }) => status)).toEqual([200, 200])
    expect((await shown(hanging)).render_status).toBe('rendering')
    const others = childrenOf(service.pid)
    expect(await service.stop()).toBe(0)
    await allEnded(others)

    // By day render-requests.test.ts notices a start that loses what a stop has broken off.
    if (!IS_NIGHT) return
    await service.start({ RENDER_SECONDS_MAX: '1' })
    expect(await settled(service, place(hanging))).toMatchObject({
      render_status: 'error',
      render_error: 'Render timed out after 1s',
    })
  },
)

async function allEnded(pids: readonly number[]): Promise<void> {
  expect(pids).not.toEqual([])
  await until(
    () => pids.filter(isAlive),
    ({ length }) => length === 0,
  )
}

function childrenOf(pid: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statusOf(child).includes(`\nPPid:\t${pid}\n`))
}

function isAlive(pid: number): boolean {
  // A zombie has ended.
  return /^State:\s+[^ZX]/m.test(statusOf(pid))
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
