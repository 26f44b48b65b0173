// Sources that ask too much of an engine.

/** A ring whose layout by springs Graphviz is told never to be content with. */
export function hang(): string {
  const edges = Array.from({ length: 400 }, (_, i) => `a${i}--a${(i * 7 + 1) % 400};`)
  return `graph { layout=neato; maxiter=2000000000; epsilon=0; ${edges.join('')} }`
}

/** In D2: eight variables, each ten times the one before; 2 GB of text in a kilobyte. */
export function variableBomb(): string {
  const variables = Array.from({ length: 8 }, (_, i) => `v${i + 1}: "${`\${v${i}}`.repeat(10)}"`)
  return `vars: {\n v0: "${'x'.repeat(20)}"\n ${variables.join('\n ')}\n}\nbox: "\${v8}"\n`
}
