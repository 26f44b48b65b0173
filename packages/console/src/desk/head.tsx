import type { JSX } from 'preact'
import type { Operator } from '../operator/operator.ts'
import { serverState } from '../operator/server-state.ts'
import { SECTION_TITLES } from '../operator/sections.ts'
import type { Session } from '../operator/session.ts'

export interface HeadProps {
  readonly operator: Operator
  readonly session: Session
}

/** Which server it is, how it is, and the ways to all else. */
export function Head({ operator, session }: HeadProps): JSX.Element {
  const { live, section, sessions } = operator
  const reading = live.reading.value
  return (
    <header class="head">
      <h1>{reading?.open.server_name ?? 'Orrery'}</h1>
      <State operator={operator} />
      <nav aria-label="Sections">
        {SECTION_TITLES.map(([name, title]) => (
          <a
            key={name}
            href={`#${name}`}
            aria-current={section.value === name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <button
        type="button"
        class="opens-palette"
        onClick={() => (operator.isPaletteOpen.value = true)}
      >
        Commands <kbd>/</kbd>
      </button>
      <button type="button" title={session.username} onClick={() => sessions.signOut()}>
        Sign out
      </button>
    </header>
  )
}

function State({ operator: { live } }: { readonly operator: Operator }): JSX.Element {
  const reading = live.reading.value
  const away = live.away.value
  if (away !== undefined) {
    return (
      <p class="state bad" role="status">
        {away} {reading && 'What is shown is old.'}
      </p>
    )
  }
  if (!reading) return <p class="state">connecting</p>
  const { text, grade } = serverState(reading)
  return <p class={`state ${grade}`}>{text}</p>
}
