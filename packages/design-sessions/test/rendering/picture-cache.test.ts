// Goal: the cache draws each picture once, within its size limit. Method: the cache itself, with
// drawings that are counted.
import { expect, test } from 'vitest'
import { PictureCache } from '../../src/pictures/picture-cache.ts'

const drawn: string[] = []
const cache = new PictureCache(100)

async function png(key: string, bytes: number): Promise<number> {
  const found = await cache.picture(key, async () => {
    drawn.push(key)
    return new Uint8Array(bytes)
  })
  return found.length
}

test('concurrent and later requests share one drawing', async () => {
  expect(await Promise.all([png('a', 40), png('a', 40), png('b', 40)])).toEqual([40, 40, 40])
  expect(await png('a', 40)).toBe(40)
  expect(drawn.splice(0)).toEqual(['a', 'b'])
})

test('the least recently used picture is dropped; one too large is not kept', async () => {
  await png('c', 30)
  await png('a', 40)
  expect(drawn.splice(0)).toEqual(['c'])
  await png('b', 40)
  expect(drawn.splice(0)).toEqual(['b'])
  expect([await png('huge', 101), await png('huge', 101)]).toEqual([101, 101])
  expect(drawn.splice(0)).toEqual(['huge', 'huge'])
})

test('a failure rejects all waiting requests, and the next one draws again', async () => {
  const failing = (): Promise<Uint8Array> =>
    cache.picture('d', () => Promise.reject(new Error('no')))
  const both = await Promise.allSettled([failing(), failing()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await png('d', 10)).toBe(10)
})

test('a request that leaves takes its drawing from no other; the last one cancels it', async () => {
  const leaving = [new AbortController(), new AbortController()]
  const begun: AbortSignal[] = []
  const drawing = Promise.withResolvers<Uint8Array>()
  const draw = (wanted: AbortSignal): Promise<Uint8Array> => {
    begun.push(wanted)
    return drawing.promise
  }
  const closed = { code: 'ERR_RENDER_CLOSED' }
  const [first, second] = leaving.map(({ signal }) => cache.picture('e', draw, signal))
  leaving[0].abort()
  await expect(first).rejects.toMatchObject(closed)
  expect(begun.map(({ aborted }) => aborted)).toEqual([false])
  drawing.resolve(new Uint8Array(7))
  expect(await second).toHaveLength(7)

  const never = (wanted: AbortSignal): Promise<Uint8Array> => {
    begun.push(wanted)
    return new Promise(() => undefined)
  }
  const alone = new AbortController()
  const last = cache.picture('f', never, alone.signal)
  alone.abort()
  await expect(last).rejects.toMatchObject(closed)
  expect(begun[1].aborted).toBe(true)
  expect(await png('f', 8)).toBe(8)
  await expect(cache.picture('g', draw, alone.signal)).rejects.toMatchObject(closed)
  expect(begun).toHaveLength(2)
})
