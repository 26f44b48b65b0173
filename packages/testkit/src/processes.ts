import { readdirSync, readlinkSync } from 'node:fs'

/** Ids of the processes whose working directory is a directory or lies in it; Linux only. */
export function processesIn(directory: string): number[] {
  const isWithin = (path: string): boolean => path === directory || path.startsWith(`${directory}/`)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isWithin(workplace(name)))
    .map(Number)
}

/** Empty once the process has ended, and for another user's. */
function workplace(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
