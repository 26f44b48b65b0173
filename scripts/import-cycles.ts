/** Finds files that import each other, directly or through others; imports of types count. */
import { dirname, join } from 'node:path/posix'

const IMPORT = /^(?:import|export)\b[^'"]*?'(\.{1,2}\/[^']+)'|\bimport\('(\.{1,2}\/[^']+)'\)/gm

/**
 * The groups of files in which each can be reached from each other, by Tarjan's algorithm.
 *
 * @param texts  of the files, by path
 */
export function importCycles(texts: ReadonlyMap<string, string>): string[][] {
  const found = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    found.set(file, found.size)
    lowest.set(file, found.size - 1)
    open.push(file)
    for (const target of importsOf(file, texts)) {
      if (!found.has(target)) visit(target)
      if (open.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0))
      }
    }
    if (lowest.get(file) !== found.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1) cycles.push(group.toSorted())
  }
  for (const file of texts.keys()) if (!found.has(file)) visit(file)
  return cycles
}

function importsOf(file: string, texts: ReadonlyMap<string, string>): string[] {
  const targets = [...(texts.get(file) ?? '').matchAll(IMPORT)]
  return targets
    .map(([, from, dynamic]) => join(dirname(file), from ?? dynamic ?? ''))
    .filter((target) => texts.has(target))
}
