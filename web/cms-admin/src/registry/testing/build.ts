import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const ADMIN = join(import.meta.dirname, '..', '..', '..')
const TEST_REGISTRY = join(import.meta.dirname, 'test-registry.tsx')

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

/** Whoever asks for the registry gets the test's, which adds to the real one. */
const withTestRegistry: Plugin = {
  name: 'test-registry',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/registry/index.tsx') && importer !== TEST_REGISTRY ? TEST_REGISTRY : null,
}
