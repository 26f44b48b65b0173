// The commit of a clone is read from its files as git itself answers.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedOutCommit } from '../src/config/commit.ts'

const place = mkdtempSync(join(tmpdir(), 'orrery-commit-'))
const clone = join(place, 'clone')

/** Neither settings of the user nor a hook's variables count. */
const env = {
  PATH: process.env['PATH'],
  HOME: place,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_DEFAULT_REF_FORMAT: 'files',
}

function git(directory: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
  const all = ['-C', directory, ...identity, ...args]
  return execFileSync('git', all, { encoding: 'utf8', env }).trim()
}

beforeAll(() => {
  git(place, 'init', '--quiet', '--initial-branch', 'main', clone)
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'first')
})

afterAll(() => rmSync(place, { recursive: true }))

test('on a branch, whose reference is a file or packed', () => {
  const commit = git(clone, 'rev-parse', 'HEAD')
  expect(checkedOutCommit(clone)).toBe(commit)
  git(clone, 'branch', 'not-main')
  git(clone, 'pack-refs', '--all')
  git(clone, 'checkout', '--quiet', '-b', 'later')
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'second')
  expect(checkedOutCommit(clone)).toBe(git(clone, 'rev-parse', 'HEAD'))
  git(clone, 'checkout', '--quiet', 'main')
  expect(checkedOutCommit(clone)).toBe(commit)
})

test('on no branch, and in a linked worktree', () => {
  const commit = git(clone, 'rev-parse', 'later')
  git(clone, 'checkout', '--quiet', '--detach', 'later')
  expect(checkedOutCommit(clone)).toBe(commit)
  const linked = join(place, 'linked')
  git(clone, 'worktree', 'add', '--quiet', linked, 'main')
  expect(checkedOutCommit(linked)).toBe(git(linked, 'rev-parse', 'HEAD'))
  expect(checkedOutCommit(linked)).not.toBe(commit)
})

test('where there is no clone it is null', () => {
  expect(checkedOutCommit(place)).toBeNull()
})
