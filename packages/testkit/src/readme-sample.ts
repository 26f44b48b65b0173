// Samples of commands in READMEs, to compare with what the commands print.
import { readFileSync } from 'node:fs'

/**
 * The lines that a README shows below a command, up to the next command or an ellipsis.
 *
 * @param command  such as `scripts/orrery admin status`, without the prompt
 * @throws {Error} when the README does not show it
 */
export function readmeSample(readme: URL, command: string): readonly string[] {
  const [, after] = readFileSync(readme, 'utf8').split(`\n$ ${command}\n`)
  if (after === undefined) throw new Error(`${readme.pathname} has no sample of ${command}`)
  return after
    .split(/^(?:\$ .*|…|```)$/m)[0]
    .trimEnd()
    .split('\n')
}

const VALUES =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|-?\d+(?:[.,]\d+)*/g

/** A line with `#` for ids, times and numbers, its columns parted by one space. */
export function lineShape(line: string): string {
  return line.replaceAll(VALUES, '#').replaceAll(/ +/g, ' ')
}

/** The TypeScript samples of a README. */
export function codeSamples(readme: URL): readonly string[] {
  const text = readFileSync(readme, 'utf8')
  return Array.from(text.matchAll(/```ts\n(.*?)```/gs), ([, sample = '']) => sample)
}
