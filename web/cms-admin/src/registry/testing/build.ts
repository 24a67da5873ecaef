import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const ADMIN = join(import.meta.dirname, '..', '..', '..')
const inTests: Readonly<Record<string, string>> = {
  '/registry/index.tsx': join(import.meta.dirname, 'test-registry.tsx'),
  '/registry/editor.tsx': join(import.meta.dirname, 'test-editor.tsx'),
}

/** Builds the admin with more in its registry, for the browser tests. */
export const buildTestAdmin = async (outDir: string): Promise<void> => {
  await build({
    root: ADMIN,
    configFile: join(ADMIN, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [withTestRegistry],
    build: { outDir },
  })
}

/** Imports of the registry get the test's, which adds to the real one. */
const withTestRegistry: Plugin = {
  name: 'test-registry',
  enforce: 'pre',
  resolveId: (source, importer) => {
    const [, test = null] = Object.entries(inTests).find(([name]) => source.endsWith(name)) ?? []
    return importer === test ? null : test
  },
}
