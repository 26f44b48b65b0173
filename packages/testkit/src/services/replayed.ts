/** The replay of a stored world, as its command prints it. */
import { type ServiceEnvironment, startService } from './service-process.ts'

const REPLAY = new URL('../../../../scripts/replay.ts', import.meta.url).href

/** What a replay of the stored journal, in a process of its own, comes to. */
export async function replayed(variables: ServiceEnvironment): Promise<{
  readonly digests_compared: number
  readonly differences: number
  readonly ships: number
}> {
  const replay = startService({ main: REPLAY, variables, args: ['--json'] })
  replay.ready.catch(() => undefined)
  const code = await replay.ended
  const { stdout, stderr } = replay.output()
  if (code !== 0) throw new Error(`The replay ended with ${code}: ${stderr} ${stdout}`)
  return JSON.parse(stdout)
}
