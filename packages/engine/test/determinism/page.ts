/** What runs inside a browser: the same flight, on the page's own thread. */
import { checkpointsUrl, parseCheckpoints } from '@orrery/catalog'
import { callingThread } from './calling-thread.ts'
import { type Course, type Flown, flown } from './flight.ts'
import { type Kernels, scriptedSystem } from './script.ts'

export async function flownInPage(
  course: Omit<Course, 'kernels'>,
  kernelUrls: Readonly<Record<keyof Kernels, string>> | undefined,
): Promise<Flown> {
  const kernels = kernelUrls && {
    kernel: await bytes(kernelUrls.kernel),
    massiveKernel: await bytes(kernelUrls.massiveKernel),
  }
  const system = scriptedSystem(parseCheckpoints(await bytes(checkpointsUrl)))
  return flown({ ...course, kernels }, system, callingThread)
}

async function bytes(url: string | URL): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url.toString()} answers ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}
