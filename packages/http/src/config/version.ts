import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkedOutCommit } from './commit.ts'

const ROOT = new URL('../../../../', import.meta.url)

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', ROOT), 'utf8'),
)

/** The version of this release, of all its services. */
export const VERSION: string = version

/** The commit that was checked out when this program began; null outside a clone. */
export const COMMIT: string | null = checkedOutCommit(fileURLToPath(ROOT))
