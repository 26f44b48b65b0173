import type { Project } from '../../src/records/projects.ts'
import { read, type Sent } from '../kit/api.ts'
import { element, failure } from '../kit/element.ts'
import { addressOf } from './place.ts'

/** A form that makes a project of an exported file. */
export function importForm(client: string): HTMLElement {
  const file = element('input', { type: 'file', accept: '.zip', required: true })
  const name = element('input', { autocomplete: 'off' })
  const state = element('div', { ariaLive: 'polite' })
  const send = async (): Promise<void> => {
    const [bytes] = file.files ?? []
    if (!bytes) return
    state.textContent = 'It is being read.'
    const query = new URLSearchParams({ name: name.value.trim() }).toString()
    const { id } = await read<Sent<Project>>(`/clients/${client}/projects/import?${query}`, {
      method: 'POST',
      body: bytes,
    })
    location.hash = addressOf({ client, project: id })
  }
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    send().catch((error: unknown) => state.replaceChildren(failure(error)))
  }
  const form = element(
    'form',
    { onsubmit },
    element('p', { className: 'field' }, element('label', {}, 'Exported file ', file)),
    element(
      'p',
      { className: 'field' },
      element('label', {}, 'New name, if the old one is taken ', name),
    ),
    element('button', {}, 'Import'),
    state,
  )
  return element('details', {}, element('summary', {}, 'Import a project'), form)
}
