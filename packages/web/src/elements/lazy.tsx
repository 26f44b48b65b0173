/** Parts of the page that are loaded when they are first shown: the page is there sooner. */
import { useSignal } from '@preact/signals'
import type { FunctionComponent, JSX } from 'preact'
import { say } from '../languages/say.ts'
import { useEffect } from 'preact/hooks'

/**
 * @param name     at the beginning of a sentence
 * @param isQuiet  nothing is shown while it loads: it may come to nothing
 */
export function lazy<Props extends object>(
  name: string,
  load: () => Promise<FunctionComponent<Props>>,
  isQuiet = false,
): FunctionComponent<Props> {
  return function Lazy(props: Props): JSX.Element {
    const loaded = useSignal<FunctionComponent<Props> | undefined>(undefined)
    const fault = useSignal('')
    useEffect(() => {
      load().then(
        (component) => (loaded.value = component),
        () => (fault.value = say('{name} does not load. Reload the page.', { name })),
      )
    }, [])
    const Loaded = loaded.value
    if (Loaded) return <Loaded {...props} />
    if (isQuiet && !fault.value) return <></>
    return <p class="faint loading">{fault.value || say('{name} is loading.', { name })}</p>
  }
}
