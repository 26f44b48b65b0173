/** Finds paths that READMEs name and that do not exist. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import type { Finding } from './finding.ts'

/** Links to files, and paths from the root in code. */
const PATH = /\]\((?!https?:|#)([^)\s#]+)|`((?:packages|bench|scripts)\/[\w./-]+)`/g

/** @param file  path of the text from the root */
export function pathFindings(
  file: string,
  text: string,
  exists: (path: string) => boolean = existsSync,
): Finding[] {
  return text.split('\n').flatMap((line, i) =>
    [...line.matchAll(PATH)].flatMap(([, linked, named]) => {
      const path = linked === undefined ? (named ?? '') : join(dirname(file), linked)
      return exists(path) ? [] : [{ file, line: i + 1, message: `${path} does not exist` }]
    }),
  )
}
