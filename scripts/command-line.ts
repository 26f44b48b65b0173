import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type CommandLine<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: boolean }>
>

/**
 * What a script was called with. `--help` prints the text and ends it with 0, an option that it
 * does not know prints one line and ends it with 2.
 *
 * @param name  of the script, for that line
 */
export function commandLine<const Options extends ParseArgsOptionsConfig>(
  name: string,
  help: string,
  options: Options,
  allowPositionals: boolean = false,
): CommandLine<Options> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(help)
    process.exit()
  }
  try {
    return parseArgs<{ options: Options; allowPositionals: boolean }>({ options, allowPositionals })
  } catch (error) {
    // Node's first sentence says what; the second how to write what nobody means.
    const [what] = (error as Error).message.split('. ')
    process.stderr.write(`${name}: ${what}; --help names the options\n`)
    return process.exit(2)
  }
}
