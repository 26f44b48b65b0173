import type rehypeHighlight from 'rehype-highlight'

type Languages = NonNullable<NonNullable<Parameters<typeof rehypeHighlight>[0]>['languages']>

/** The language of Terraform, which highlight.js lacks. */
export const hcl: Languages[string] = (highlighter) => {
  const variable = { className: 'variable', begin: /\b(?:var|local|data|module|each|self)\./ }
  const inside = { className: 'subst', begin: /\$\{/, end: /\}/, contains: [variable] }
  const text = { className: 'string', begin: '"', end: '"', contains: [{ begin: /\\./ }, inside] }
  const heredoc = { className: 'string', begin: /<<-?\s*(\w+)\n/, end: /^\s*\w+$/m }
  return {
    name: 'HCL',
    aliases: ['terraform', 'tf', 'tofu'],
    keywords: {
      keyword:
        'resource data variable output module provider terraform locals import moved for in if',
      literal: 'true false null',
      type: 'string number bool list map set object tuple any',
    },
    contains: [
      highlighter.HASH_COMMENT_MODE,
      highlighter.C_LINE_COMMENT_MODE,
      highlighter.C_BLOCK_COMMENT_MODE,
      highlighter.NUMBER_MODE,
      text,
      heredoc,
      { className: 'attr', begin: /^\s*[\w-]+(?=\s*=[^=])/m },
      variable,
    ],
  }
}
