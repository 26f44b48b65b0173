const REFERENCE = /\bartifact:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/gi

/** Ids of artifacts that a source may show, without reading it as Markdown. */
export function artifactIds(source: string): ReadonlySet<string> {
  return new Set([...source.matchAll(REFERENCE)].map(([, id]) => id.toLowerCase()))
}

/** A source whose references to artifacts lead to others; unknown ones stay as they are. */
export function redirectedReferences(source: string, ids: ReadonlyMap<string, string>): string {
  return source.replaceAll(REFERENCE, (reference, id: string) => {
    const other = ids.get(id.toLowerCase())
    return other === undefined ? reference : `artifact:${other}`
  })
}
