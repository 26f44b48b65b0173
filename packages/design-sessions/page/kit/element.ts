/** Creates an element; strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  Object.assign(made, properties)
  made.append(...children)
  return made
}

export function button(name: string, onclick: () => void): HTMLButtonElement {
  return element('button', { type: 'button', onclick }, name)
}

/** A text of several lines. */
export function prose(text: string): HTMLElement {
  return element('p', { className: 'text' }, text)
}

/** Why something failed, also for screen readers. */
export function failure(error: unknown): HTMLElement {
  const text = error instanceof Error ? error.message : String(error)
  return element('p', { className: 'bad', role: 'alert' }, text)
}

/** A short message for everybody, also for screen readers. */
export function announce(text: string): void {
  document.querySelector('[role=status]')?.replaceChildren(text)
}

/** Offers bytes as a file. */
export function save(bytes: Blob, name: string): void {
  const href = URL.createObjectURL(bytes)
  element('a', { href, download: name }).click()
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
