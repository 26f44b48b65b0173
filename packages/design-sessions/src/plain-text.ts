/** Characters of an engine's message that are kept. */
const TEXT_MAX = 2000

/** Absolute paths of files on any system, and addresses of modules. */
const PATHS =
  /(?:file:\/\/\/?|\bwasm:\/\/|(?<![\w./:<])(?:[A-Za-z]:\\+|\/))(?:[\w.@+~-]+[\\/]+)+[\w.@+~-]*/g

/** An engine's message for users: without paths of this machine, stacks and long tails. */
export function plainText(message: string): string {
  const lines = message.split('\n').filter((line) => !/^\s+at\s/.test(line))
  const text = lines.join('\n').replaceAll(PATHS, '').trim()
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text || 'No reason was given'
}

/** The message of whatever was thrown; here because a rendering process reads no other package. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
