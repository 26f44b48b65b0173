/** Space, case, tags and emphasis do not distinguish items. */
export function itemKey(file: string, text: string): string {
  return `${libraryPath(file)}\n${itemWords(text)}`
}

/** A file as the library names it. */
export function libraryPath(file: string): string {
  return file.replace(/^(?:\.\/|knowledge\/)/, '')
}

export function itemWords(text: string): string {
  return text
    .replace(/^\W*\[(?:critical|recommended|optional)\]\W*/i, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
