/** By their bytes: code that is compiled again begins slow again. */
const modules = new WeakMap<Uint8Array, WebAssembly.Module>()

/** A kernel in WebAssembly, compiled once in a thread for all worlds that are given its bytes. */
export function compiledKernel(bytes: Uint8Array): WebAssembly.Module {
  const known = modules.get(bytes)
  if (known) return known
  const compiled = new WebAssembly.Module(bytes)
  modules.set(bytes, compiled)
  return compiled
}
