import type { Artifact } from '../../src/records/artifacts.ts'
import { readRecord, type Sent } from '../kit/api.ts'
import { button, element, failure } from '../kit/element.ts'

/** Between two looks at an artifact that is being rendered. */
const LOOK_MS = 1000

export interface Shown {
  /** of the artifact */
  readonly path: string
  readonly row: Sent<Artifact>
  readonly article: HTMLElement
  /** of the button */
  readonly name: string
  /** shows it as it is now */
  readonly show: (now: Sent<Artifact>) => void
}

/** A button that renders an artifact. One that is being rendered is shown again at its end. */
export function renderButton({ path, row, article, name, show }: Shown): Node {
  if (row.render_status === 'rendering') lookAgain(path, article, show)
  const render = button(name, () => {
    render.disabled = true
    readRecord<Artifact>(`${path}/render`, { method: 'POST' }).then(
      ({ row: now }) => show(now),
      (error: unknown) => {
        render.disabled = false
        article.append(failure(error))
      },
    )
  })
  render.ariaLabel = `${name}: ${row.name}`
  return render
}

/** Renders an artifact to its end. */
export async function rendered(path: string): Promise<Sent<Artifact>> {
  let { row } = await readRecord<Artifact>(`${path}/render`, { method: 'POST' })
  while (row.render_status === 'rendering') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    ;({ row } = await readRecord<Artifact>(path))
  }
  return row
}

/** Why a rendering failed; beside a success it is a note. */
export function said({
  render_status: status,
  render_error: error,
}: Sent<Artifact>): readonly Node[] {
  if (error === null) return []
  return [element('p', { className: status === 'error' ? 'bad text' : 'pale text' }, error)]
}

function lookAgain(path: string, article: HTMLElement, show: Shown['show']): void {
  const look = async (): Promise<void> => {
    if (!article.isConnected) return
    const { row } = await readRecord<Artifact>(path)
    if (row.render_status === 'rendering') lookAgain(path, article, show)
    else if (article.isConnected && !article.querySelector('form')) show(row)
  }
  // Where it fails, the artifact stays as it is shown.
  setTimeout(() => void look().catch(() => undefined), LOOK_MS)
}
