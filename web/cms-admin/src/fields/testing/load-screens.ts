import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

type Screens = typeof import('../index.ts') &
  typeof import('../../types/draft.ts') &
  typeof import('../../types/draft-input.ts') &
  typeof import('../../types/starting-points.ts') &
  typeof import('../../entries/editor/page-parts.ts')

const MODULES = [
  'fields/index.ts',
  'types/draft.ts',
  'types/draft-input.ts',
  'types/starting-points.ts',
  'entries/editor/page-parts.ts',
]
const ENTRY = '\0entry'
const STYLES = '\0styles'

let loaded: Promise<Screens> | undefined

/** Modules that know the views of the fields. Node reads neither JSX nor styles, so they come in one bundle. */
export const loadScreens = (): Promise<Screens> => {
  loaded ??= loadScreensOf(join(import.meta.dirname, '../..'))
  return loaded
}

/** Loads the screens of another copy of the sources. */
export const loadScreensOf = async (source: string): Promise<Screens> => {
  const build = await rolldown({ input: ENTRY, platform: 'node', logLevel: 'silent', plugins: [screens(source)] })
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false })
    return await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`)
  } finally {
    await build.close()
  }
}

const screens = (source: string): Plugin => ({
  name: 'screens',
  resolveId: (id, _importer, { kind }) => {
    if (id === ENTRY) return id
    if (id.endsWith('.css')) return STYLES
    // Modules that are loaded on demand
    return kind === 'dynamic-import' ? { id, external: true } : null
  },
  load: (id) => {
    if (id === ENTRY) return MODULES.map((file) => `export * from ${JSON.stringify(join(source, file))}`).join('\n')
    return id === STYLES ? '' : null
  },
})
