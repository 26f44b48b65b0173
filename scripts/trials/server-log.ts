import type { ServiceProcess } from '@orrery/testkit'

/** Log entries of some levels, which are JSON, and exceptions, which Node writes. */
export function badLines(game: ServiceProcess, levels: readonly string[]): string[] {
  const lines = game.output().stderr.split('\n')
  return lines.filter((line) => {
    try {
      return levels.includes(JSON.parse(line).level)
    } catch {
      return /^\w*Error\b|^Cannot start/.test(line)
    }
  })
}
