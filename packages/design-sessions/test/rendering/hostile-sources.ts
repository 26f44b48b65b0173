// Sources that exceed the limits of an engine.

/** A ring whose spring layout never converges in Graphviz. */
export function hang(): string {
  const edges = Array.from({ length: 400 }, (_, i) => `a${i}--a${(i * 7 + 1) % 400};`)
  return `graph { layout=neato; maxiter=2000000000; epsilon=0; ${edges.join('')} }`
}

/** D2 variables, each ten times as long as the one before: a kilobyte expands to 2 GB. */
export function variableBomb(): string {
  const variables = Array.from({ length: 8 }, (_, i) => `v${i + 1}: "${`\${v${i}}`.repeat(10)}"`)
  return `vars: {\n v0: "${'x'.repeat(20)}"\n ${variables.join('\n ')}\n}\nbox: "\${v8}"\n`
}
