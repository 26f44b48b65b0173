/** Lets the browser keep bytes as a file, as if they were downloaded. */
export function saveFile(name: string, bytes: ArrayBuffer): void {
  const href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
