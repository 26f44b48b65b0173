import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The commit that a clone or a linked worktree has checked out, from the files of git.
 *
 * @param root  with `.git` in it
 * @returns null without one, and where another layout of git keeps its references
 * @source https://git-scm.com/docs/gitrepository-layout
 */
export function checkedOutCommit(root: string): string | null {
  const git = gitDirectory(join(root, '.git'))
  const head = textOf(join(git, 'HEAD'))
  if (!head?.startsWith('ref: ')) return head ?? null
  const reference = head.slice('ref: '.length)
  // A worktree shares its references with the clone.
  const shared = resolve(git, textOf(join(git, 'commondir')) ?? '.')
  const packed = textOf(join(shared, 'packed-refs'))?.split('\n') ?? []
  const isOf = (line: string): boolean => line.endsWith(` ${reference}`)
  return textOf(join(shared, reference)) ?? packed.find(isOf)?.split(' ')[0] ?? null
}

/** In a worktree `.git` is a file that names it. */
function gitDirectory(path: string): string {
  const named = textOf(path)?.match(/^gitdir: (.*)/)?.[1]
  return named === undefined ? path : resolve(path, '..', named)
}

/** Undefined for what cannot be read. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
