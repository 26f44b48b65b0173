import type { AuditEntry } from '../../src/records/audit.ts'
import type { Version } from '../../src/records/versions.ts'
import type { Gate } from '../../src/workflow/gate.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { ask, read, readPage, readRecord, type Sent } from '../kit/api.ts'
import { authorName } from '../kit/author.ts'
import { announce, button, element, failure, prose } from '../kit/element.ts'

const WORDS: Readonly<Record<Version['status'], string>> = {
  draft: 'taken back to draft',
  review: 'sent for review',
  approved: 'approved',
  superseded: 'declared superseded',
}

const BUTTONS: Readonly<Record<Version['status'], string>> = {
  draft: 'Take it back to draft',
  review: 'Send it for review',
  approved: 'Approve it',
  superseded: 'Declare it superseded',
}

/** The state of a version, who set it, and the next one. */
export async function signOff({ path, place, version }: VersionPage): Promise<Node> {
  const address = `/projects/${place.project}/versions/${version.id}`
  const [gate, { rows }] = await Promise.all([
    read<Gate>(`${path}/coverage/gate`),
    readPage<AuditEntry>(`/audit?kind=version&record_id=${version.id}`),
  ])
  const result = element('div', {})
  const set = async (status: Version['status']): Promise<void> => {
    const { row, etag } = await readRecord<Version>(address)
    if (row.status !== version.status) throw new Error(`Meanwhile it is ${row.status}.`)
    await ask(address, { method: 'PATCH', body: { status }, etag })
    announce(`The version is ${WORDS[status]}.`)
    // The version is named with its state above.
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  const states = Object.keys(BUTTONS) as Version['status'][]
  const buttons = states
    .filter((status) => status !== version.status)
    .map((status) => {
      const name = `${BUTTONS[status]} as ${authorName()}`
      return button(name, () => {
        set(status).catch((error: unknown) => result.replaceChildren(failure(error)))
      })
    })
  const { length: count } = gate.blockers
  const items = count === 1 ? 'critical item' : 'critical items'
  const closed = `The coverage gate is closed by ${count} ${items}.`
  return element(
    'div',
    {},
    prose(`Version ${version.version_number} is ${version.status}.`),
    ...(gate.open ? [] : [element('p', { className: 'bad' }, closed)]),
    element('div', { className: 'row' }, ...buttons),
    result,
    element('ul', {}, ...rows.flatMap(signature)),
  )
}

function signature({ at, author, changes }: Sent<AuditEntry>): Node[] {
  const status = changes['status'] as Version['status'] | undefined
  if (status === undefined) return []
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`
  return [element('li', {}, `${WORDS[status]} by ${author ?? 'somebody'}, ${when}`)]
}
