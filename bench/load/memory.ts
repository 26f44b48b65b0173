/** What a server's memory is when no garbage is in it, asked over the inspector of its process. */
import { WebSocket } from 'ws'

/** In bytes; `held` is the heap and what it keeps outside, buffers above all. */
export interface Memory {
  readonly rss: number
  readonly held: number
}

/** Measures a process after a garbage collection, during which it is blocked. */
export async function memory(inspectorUrl: string): Promise<Memory> {
  const socket = new WebSocket(inspectorUrl)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let calls = 0
  const send = (method: string, params: object): Promise<{ result: { result: object } }> => {
    const id = ++calls
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => {
      socket.on('message', (data: Buffer) => {
        const answer = JSON.parse(data.toString())
        if (answer.id === id) resolve(answer)
      })
    })
  }
  await send('HeapProfiler.collectGarbage', {})
  const { result } = await send('Runtime.evaluate', {
    expression: 'process.memoryUsage()',
    returnByValue: true,
  })
  socket.close()
  const { rss, heapUsed, external } = (result.result as { value: NodeJS.MemoryUsage }).value
  return { rss, held: heapUsed + external }
}
