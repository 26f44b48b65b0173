/** The same program with what it depends on inside. */
declare module 'mermaid/dist/mermaid.esm.min.mjs' {
  export { default } from 'mermaid'
}
