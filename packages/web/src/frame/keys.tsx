/** All keys, by what they are for. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Action, actions } from '../input/actions.ts'
import { keyNames } from '../input/key-names.ts'
import { Dialog } from '../elements/dialog.tsx'
import './keys.css'

const POINTER: readonly (readonly [how: string, words: string])[] = [
  ['Drag', 'turns the view'],
  ['Wheel, pinch', 'goes nearer or farther'],
  ['Click, tap', 'looks at something'],
]

export function Keys({ isOpen }: { readonly isOpen: Signal<boolean> }): JSX.Element {
  const groups = Map.groupBy(actions.all.value, ({ group }) => group)
  return (
    <Dialog title="Keys" name="keys" isOpen={isOpen}>
      <h3>Mouse and touch</h3>
      <dl>
        {POINTER.map(([how, words]) => (
          <Line key={how} words={words}>
            {how}
          </Line>
        ))}
      </dl>
      {[...groups].map(([group, listed]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {listed.map((action) => (
              <Line key={action.name} words={action.words}>
                <Key action={action} />
              </Line>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

function Line({
  words,
  children,
}: {
  readonly words: string
  readonly children: JSX.Element | string
}): JSX.Element {
  return (
    <div>
      <dt>{children}</dt>
      <dd>{words}</dd>
    </div>
  )
}

function Key({ action }: { readonly action: Action }): JSX.Element {
  return (
    <>
      {keyNames(action, actions.all.value).map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </>
  )
}
