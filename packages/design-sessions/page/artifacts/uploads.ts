import type { Upload } from '../../src/records/uploads.ts'
import { ask, read, type Sent } from '../kit/api.ts'
import { announce, button, element, failure, save } from '../kit/element.ts'
import { listing } from '../kit/listing.ts'
import { fill } from '../kit/loading.ts'
import { removal } from '../kit/record-list.ts'

/** Files of a version: to add, to save and to delete. */
export async function uploads(path: string): Promise<HTMLElement> {
  const list = `${path}/uploads`
  const place = element('div', {})
  const show = (): Promise<void> =>
    fill(place, () => listing<Upload>(list, (one) => file(list, one, show), 'No files yet.'))
  await show()
  return element('div', {}, uploadForm(list, show), place)
}

function file(list: string, row: Sent<Upload>, show: () => Promise<void>): Node {
  const { id, original_filename: name, content_type: type, file_size: bytes } = row
  const state = element('div', {})
  const load = async (): Promise<void> => {
    save(await (await ask(`${list}/${id}/download`)).blob(), name)
    state.replaceChildren()
    announce(`Saved: ${name}`)
  }
  const keep = button('Save', () => {
    load().catch((error: unknown) => state.replaceChildren(failure(error)))
  })
  keep.ariaLabel = `Save ${name}`
  const remove = removal(`${list}/${id}`, name, row.updated_at, () => void show())
  const buttons = element('div', { className: 'row' }, keep, remove)
  return element(
    'article',
    { id, ariaLabel: name },
    element('div', { className: 'head' }, element('h3', {}, name), buttons),
    element('p', { className: 'pale' }, `${type}, ${bytes.toLocaleString('en')} bytes`),
    state,
  )
}

function uploadForm(list: string, show: () => Promise<void>): Node {
  const chosen = element('input', { type: 'file', required: true, multiple: true })
  const state = element('div', { ariaLive: 'polite' })
  const send = element('button', {}, 'Upload')
  const store = async (): Promise<void> => {
    for (const one of chosen.files ?? []) {
      state.textContent = `${one.name} is being sent.`
      const form = new FormData()
      form.append('file', one)
      // Also after a reload: a lost answer does not double a file.
      const key = `${one.name} ${one.size} ${one.lastModified}`
      await read(list, { method: 'POST', body: form, key })
    }
    chosen.value = ''
    state.textContent = 'Uploaded.'
  }
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (send.disabled) return
    send.disabled = true
    store()
      .catch((error: unknown) => state.replaceChildren(failure(error)))
      .finally(() => {
        send.disabled = false
        void show()
      })
  }
  const label = element('label', {}, 'Files, up to 100 MiB each ', chosen)
  return element('form', { onsubmit, className: 'row' }, label, send, state)
}
