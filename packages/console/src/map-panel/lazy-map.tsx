import { useSignal } from '@preact/signals'
import type { FunctionComponent, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MapSectionProps } from './map-section.tsx'

/** The map, which is larger than all the rest: loaded when it is first shown. */
export function LazyMap(props: MapSectionProps): JSX.Element {
  const section = useSignal<FunctionComponent<MapSectionProps> | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    import('./map-section.tsx').then(
      ({ MapSection }) => (section.value = MapSection),
      () => (fault.value = 'The map does not load. Reload the page.'),
    )
  }, [])
  const Section = section.value
  if (Section) return <Section {...props} />
  return <p class="hint">{fault.value || 'The map is loading.'}</p>
}
