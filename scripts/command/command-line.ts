import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { endWhenUnwritable, endWith } from './output.ts'

type CommandLine<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: boolean }>
>

/**
 * The parsed arguments of a script. `--help` prints the text and exits with 0, an unknown option
 * prints one line and exits with 2.
 *
 * @param name  of the script, for that line
 */
export function commandLine<const Options extends ParseArgsOptionsConfig>(
  name: string,
  help: string,
  options: Options,
  allowPositionals: boolean = false,
): CommandLine<Options> {
  endWhenUnwritable(name)
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    endWith(name, help)
  }
  try {
    return parseArgs<{ options: Options; allowPositionals: boolean }>({ options, allowPositionals })
  } catch (error) {
    // Node's first sentence names the option; the rest explains a rare syntax.
    const [what] = (error as Error).message.split('. ')
    process.stderr.write(`${name}: ${what}; --help names the options\n`)
    return process.exit(2)
  }
}
