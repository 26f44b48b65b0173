/** The form of help and of sentences about wrong usage. */
import { type Command, Help } from 'commander'
import { wrapped, terminalWidth } from './text.ts'

/** Columns of help where no terminal is. */
const WIDTH = 80

/** Columns that a description needs beside its term. */
const BESIDE_MIN = 30

const INDENT = '      '

const ENVIRONMENT = [
  ['ORRERY_URL', 'address of the server, in place of --url'],
  ['ORRERY_TOKEN', "an admin's token, in place of the one that login keeps"],
  ['NO_COLOR', 'no colours'],
] as const

const EXIT_CODES = [
  ['0', 'done'],
  ['1', 'refused by the server'],
  ['2', 'wrong usage, or a file that cannot be used'],
  ['3', 'no answer, or the server starts or is overloaded: try again'],
  ['4', 'not signed in'],
  ['5', 'not confirmed'],
  ['6', 'the output cannot be written; what was asked for may be done'],
] as const

/** Gives a program, and the commands that are added to it later, help that fits the terminal. */
export function shapeHelp(program: Command): void {
  const width = (): number => terminalWidth() ?? WIDTH
  program
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, formatItem, subcommandTerm })
    .configureOutput({
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      outputError: (text, write) => write(withoutFarGuess(text)),
    })
    .addHelpText('after', () => afterHelp(width()))
}

/** Without the other number of its noun. */
function subcommandTerm(command: Command): string {
  return new Help().subcommandTerm(command).replace(/^([\w-]+)\|[\w-]+/, '$1')
}

/** A term and its description, beside each other where there is room. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? WIDTH
  const room = width - termWidth - 4
  if (description === '') return `  ${term}`
  if (room >= BESIDE_MIN) {
    const lines = wrapped(description, room).split('\n')
    return lines
      .map((line, i) => `  ${(i === 0 ? term : '').padEnd(termWidth)}  ${line}`)
      .join('\n')
  }
  const below = wrapped(description, width - INDENT.length).replaceAll(/^/gm, INDENT)
  return `${wrapped(term, width - 2).replaceAll(/^/gm, '  ')}\n${below}`
}

function afterHelp(width: number): string {
  const helper = Object.assign(new Help(), { helpWidth: width })
  const list = (title: string, items: readonly (readonly [string, string])[]): string => {
    const termWidth = Math.max(...items.map(([term]) => term.length))
    const lines = items.map(([term, text]) => formatItem(term, termWidth, text, helper))
    return `\n${title}:\n${lines.join('\n')}\n`
  }
  const example = '\nExample:\n  orrery login Chief_1\n  orrery status --watch'
  const nouns = '\n' + wrapped('Nouns of commands may be singular or plural.', width) + '\n'
  return nouns + list('Environment', ENVIRONMENT) + list('Exit codes', EXIT_CODES) + example
}

/** Commander also guesses words of three other letters: a guess begins as the word does. */
function withoutFarGuess(text: string): string {
  const [, word = '', guess = ''] = /'(-*\w)[^']*'\n\(Did you mean (-*\w)/.exec(text) ?? []
  return word === guess ? text : text.replace(/\n\(Did you mean .*\)/, '')
}
