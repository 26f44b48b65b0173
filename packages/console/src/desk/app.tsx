import { api } from '@orrery/client/routes'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type ListedSection, SECTIONS } from '../operator/listings.ts'
import type { Operator } from '../operator/operator.ts'
import { ActionDialog } from '../controls/action-dialog.tsx'
import { Head, type HeadProps } from './head.tsx'
import { LazyMap } from '../map-panel/lazy-map.tsx'
import { ListingTable } from '../controls/listing-table.tsx'
import { Overview } from './overview.tsx'
import { Palette } from './palette.tsx'
import { SignIn } from './sign-in.tsx'

/** The whole console, or the way into it. */
export function App({ operator }: { readonly operator: Operator }): JSX.Element {
  const session = operator.sessions.current.value
  if (!session) return <SignIn sessions={operator.sessions} />
  const section = operator.section.value
  return (
    <>
      <Head operator={operator} session={session} />
      <main id="section" tabIndex={-1} class={section === 'map' ? 'wide' : undefined}>
        {section === 'overview' && <Overview operator={operator} admin={session.admin} />}
        {section === 'map' && <LazyMap operator={operator} session={session} />}
        {section in SECTIONS &&
          SECTIONS[section as ListedSection].listings.map((listing) => (
            <ListingTable
              key={listing.title}
              listing={listing}
              operator={operator}
              admin={session.admin}
            />
          ))}
        <Footer operator={operator} session={session} />
      </main>
      <Outcome operator={operator} />
      <ActionDialog operator={operator} admin={session.admin} />
      <Palette operator={operator} />
    </>
  )
}

/** What runs, read again when the server was away. */
function Footer({ operator, session: { admin } }: HeadProps): JSX.Element {
  const text = useSignal('')
  const isAway = operator.live.away.value !== undefined
  useEffect(() => {
    if (isAway) return
    admin.call(api.readVersion).then(
      ({ release, commit, physics, node, database }) => {
        text.value = [
          `Orrery ${release}`,
          `commit ${commit?.slice(0, 12) ?? 'unknown'}`,
          `physics ${physics}`,
          `Node ${node}`,
          `PostgreSQL ${database}`,
        ].join(', ')
      },
      // The head says why.
      () => undefined,
    )
  }, [admin, isAway])
  return <footer class="hint">{text.value}</footer>
}

function Outcome({ operator: { outcome } }: { readonly operator: Operator }): JSX.Element {
  const shown = outcome.value
  return (
    <div class="outcome" role="status">
      {shown && (
        <p class={shown.isGood ? 'good' : 'bad'}>
          {shown.text}
          <button type="button" aria-label="Dismiss" onClick={() => (outcome.value = undefined)}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
