/** An element of the page that its HTML has. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`)
  return found
}

/** A new element with a text; texts of the server are never read as HTML. */
export function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string = '',
  className: string = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.textContent = text
  if (className !== '') element.className = className
  return element
}

/** Changes a text only when it is another: the browser would compute the layout again. */
export function show(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
