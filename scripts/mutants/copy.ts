/** A copy of the checkout, in which files may be changed and tests run. */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Copy {
  readonly root: string
  remove(): Promise<void>
}

/**
 * Copies the files that git tracks or would add, changes included. Installed packages are linked;
 * links among the workspace's own packages lead to the copy.
 */
export async function copyCheckout(root: string): Promise<Copy> {
  const copy = await mkdtemp(join(tmpdir(), 'orrery-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(root, file), join(copy, file))
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const packages = (await readdir(join(root, 'packages'))).map((name) => `packages/${name}`)
  for (const directory of [...packages, 'scripts', 'bench']) {
    const modules = join(directory, 'node_modules')
    if (!existsSync(join(root, modules))) continue
    await cp(join(root, modules), join(copy, modules), { recursive: true, verbatimSymlinks: true })
  }
  return { root: copy, remove: () => rm(copy, { recursive: true, force: true }) }
}
