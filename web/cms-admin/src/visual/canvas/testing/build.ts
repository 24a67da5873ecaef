import { join } from 'node:path'
import { build } from 'vite'
import { buildController } from '../build.ts'

/** The canvas by itself, and its controller, for the browser tests. */
export const buildHarness = async (): Promise<{ script: string; controller: string }> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, 'harness.tsx'), output: { format: 'iife' } },
    },
  })
  const [result] = Array.isArray(built) ? built : [built]
  const [chunk] = result && 'output' in result ? result.output : []
  if (chunk?.type !== 'chunk') throw new Error('The harness was not built')
  return { script: chunk.code, controller: await buildController() }
}
