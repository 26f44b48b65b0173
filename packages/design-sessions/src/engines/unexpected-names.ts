// Sources that an engine draws in another way than most readers expect.

/** Texts of a flowchart, in which any sign is only a sign. */
const TEXTS = /%%[^\n]*|"[^"\n]*"|\[[^[\]\n]*\]|\([^()\n]*\)|\{[^{}\n]*\}|\|[^|\n]*\|/g

const FLOWCHART = /^[ \t]*(?:flowchart|graph)\b/m
const END_AFTER = /(?:--+|==+|-\.+-)[ox](?=\w)/g
const END_BEFORE = /^[ \t]*[ox](?:--+|==+|-\.+-)/gm

/** Of one kind in a picture. */
const NOTES_MAX = 5

/** Notes where Mermaid takes the first letter of a name for the end of an edge. */
export function takenForEnds(source: string): readonly string[] {
  if (!FLOWCHART.test(source)) return []
  const bare = source.replaceAll(TEXTS, '')
  const found = [...bare.matchAll(END_AFTER), ...bare.matchAll(END_BEFORE)]
  const edges = new Set(found.map(([edge]) => edge.trim()))
  return [...edges].slice(0, NOTES_MAX).map((edge) => {
    const end = edge.includes('o') ? 'circle' : 'cross'
    return `\`${edge}\` is an edge with a ${end}, no letter of a name: write a blank between them`
  })
}

/** Comments, strings, attribute lists and HTML of DOT, and its signs. */
const DOT = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|[\w.\u0080-\uffff]+|\s+|[^]/g
const COMPASS = /^(?:n|ne|e|se|s|sw|w|nw|c|_)$/
const DEFINED_PORTS = /<([\w. ]+)>|\bport\s*=\s*["']?([\w.]+)/gi

/** Notes where Graphviz takes what follows a colon for a port that no node has. */
export function takenForPorts(source: string): readonly string[] {
  const ports = new Set(
    [...source.matchAll(DEFINED_PORTS)].map(([, record, html]) => (record ?? html).trim()),
  )
  const notes = new Set<string>()
  let depth = 0
  const last: string[] = []
  for (const [token] of source.matchAll(DOT)) {
    if (/^(?:\s|\/[/*])/.test(token)) continue
    if (token === '[') depth++
    if (token === ']') depth--
    last.push(token)
    if (last.length > 3) last.shift()
    const [node, colon, quoted = ''] = last
    const port = quoted.replaceAll('"', '')
    if (depth > 0 || colon !== ':' || !/^["\w.\u0080-\uffff]/.test(node)) continue
    if (/^[\w.\u0080-\uffff]+$/.test(port) && !COMPASS.test(port) && !ports.has(port)) {
      const place = `\`${node}:${quoted}\``
      notes.add(`${place} is the node ${node}, without a port ${port}: quote a name with a colon`)
    }
    if (notes.size === NOTES_MAX) break
  }
  return [...notes]
}
