const KEY = 'design-sessions-author'

/** The name that changes are recorded under; kept by the browser. */
export function authorName(): string {
  return localStorage.getItem(KEY) ?? ''
}

export function keepAuthor(name: string): void {
  localStorage.setItem(KEY, name)
}
