// Goal: clients take turns, small sources come first, none is passed over for good, and equal
// requests join. Method: a line filled by hand.
import { expect, test } from 'vitest'
import { type QueuedRender, RenderLine } from '../../src/rendering/render-line.ts'

let line: RenderLine

function add(client: string, artifactId: string, { bytes = 1, subject = '' } = {}): void {
  line.add({ artifactId, client, bytes, subject })
}

function taken(): QueuedRender {
  const render = line.take()
  if (!render) throw new Error('nothing waits')
  return render
}

test('a repeated request keeps its place', () => {
  line = new RenderLine()
  add('a', 'first')
  add('a', 'second')
  add('a', 'first', { subject: 'another' })
  expect([taken(), line.take()]).toMatchObject([{ artifactId: 'first' }, { artifactId: 'second' }])
})

test('a request joins the render that runs, or replaces one of another subject', () => {
  line = new RenderLine()
  add('a', 'it', { subject: 'old' })
  const older = taken()
  add('a', 'it', { subject: 'old' })
  expect([line.take(), line.isWanted(older), older.unwanted.signal.aborted]).toEqual([
    undefined,
    true,
    false,
  ])
  add('a', 'it', { subject: 'new' })
  expect([line.isWanted(older), older.unwanted.signal.aborted]).toEqual([false, true])
  const newer = taken()
  line.end(older)
  expect(line.wanted('it')).toBe(newer)
  line.end(newer)
  expect(line.wanted('it')).toBeUndefined()
})

test('a request joins no render that is being stored, unless that fails', () => {
  line = new RenderLine()
  add('a', 'it')
  const older = taken()
  expect(line.store(older)).toBe(true)
  line.pause(older)
  line.release(older)
  expect(line.take()).toBe(older)
  add('a', 'it')
  expect(line.wanted('it')).toBe(older)
  line.store(older)
  add('a', 'it')
  const newer = taken()
  expect([newer === older, line.store(older)]).toEqual([false, false])
  line.end(older)
  expect(line.wanted('it')).toBe(newer)
})

test('a render that is to be tried again waits for that', () => {
  line = new RenderLine()
  add('a', 'it')
  const render = taken()
  line.pause(render)
  expect(line.take()).toBeUndefined()
  line.release(render)
  expect(line.take()).toBe(render)
})

test('clients take turns, small sources first, and large ones are not passed over', () => {
  line = new RenderLine()
  const next = (): string => {
    const render = taken()
    return `${render.client} ${render.artifactId}`
  }
  for (const id of ['a0', 'a1', 'a2', 'a3']) add('heavy', id)
  const [first, second] = [taken(), taken()]
  expect([first.artifactId, second.artifactId]).toEqual(['a0', 'a1'])
  // One client has two of the three places.
  expect(line.take()).toBeUndefined()
  add('late', 'b0', { bytes: 2048 })
  add('later', 'c0')
  add('later', 'c1')
  const order: string[] = []
  const running = [first, second]
  for (let i = 0; i < 5; i++) {
    const render = taken()
    order.push(render.artifactId)
    running.push(render)
    const ended = running.shift()
    if (ended) line.end(ended)
  }
  expect(order).toEqual(['c0', 'a2', 'a3', 'c1', 'b0'])
  for (const render of running) line.end(render)

  add('large', 'd0', { bytes: 10_240 })
  const served: string[] = []
  for (let i = 0; i < 20 && !served.includes('large d0'); i++) {
    add(`new ${i}`, `e${i}`)
    served.push(next())
    for (const render of line.running) line.end(render)
  }
  expect(served[0]).toBe('new 0 e0')
  expect(served.at(-1)).toBe('large d0')
})

test('the line refuses a client 500 of whose artifacts wait, and no other', () => {
  line = new RenderLine()
  for (let i = 0; i < 500; i++) add('heavy', `a${i}`)
  const refused = expect.objectContaining({ status: 503 })
  expect(() => add('heavy', 'one more')).toThrow(refused)
  add('other', 'b')
  line.end(taken())
  add('heavy', 'one more')
  for (let i = 0; i < 1999; i++) add(`c${i}`, `c${i}`)
  expect(() => add('last', 'd')).toThrow(refused)
})
