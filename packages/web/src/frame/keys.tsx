/** All keys, by what they are for. */
import type { JSX } from 'preact'
import type { Action, Actions } from '../input/actions.ts'
import { keyNames } from '../input/key-names.ts'
import './keys.css'

const POINTER: readonly (readonly [how: string, words: string])[] = [
  ['Drag', 'turns the view'],
  ['Wheel, pinch', 'goes nearer or farther'],
  ['Click, tap', 'looks at something'],
]

interface KeysProps {
  readonly actions: Actions
}

export function Keys({ actions }: KeysProps): JSX.Element {
  const all = actions.all.value
  const groups = Map.groupBy(all, ({ group }) => group)
  return (
    <>
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
                <Key action={action} all={all} />
              </Line>
            ))}
          </dl>
        </section>
      ))}
    </>
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

interface KeyProps {
  readonly action: Action
  /** that share the keyboard with it */
  readonly all: readonly Action[]
}

function Key({ action, all }: KeyProps): JSX.Element {
  return (
    <>
      {keyNames(action, all).map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </>
  )
}
