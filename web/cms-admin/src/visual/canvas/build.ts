import { join } from 'node:path'
import { TARGET } from '@stoa/ui/vite-app.ts'
import { build, type Plugin } from 'vite'

/** The name that the service finds it under, to allow it by its hash. */
export const CONTROLLER_FILE = 'canvas-controller.js'

const ENTRY = join(import.meta.dirname, 'controller', 'controller.ts')

/** The script of the canvas, whole and in one piece: it stands in the page itself. */
export const buildController = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: TARGET,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife' } },
    },
  })
  const [result] = Array.isArray(built) ? built : [built]
  const [chunk, ...more] = result && 'output' in result ? result.output : []
  if (chunk?.type !== 'chunk' || more.length > 0) throw new Error('The canvas controller is not one script')
  const code = chunk.code.trim()
  // Either would end the script element early, or change how its end is found (HTML §4.12.1.3)
  if (/<\/script|<script|<!--/i.test(code)) throw new Error('The canvas controller cannot stand inside of a page')
  return code
}

/** Puts the controller beside the app, under a fixed name. */
export const canvasController = (): Plugin => ({
  name: 'canvas-controller',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: CONTROLLER_FILE, source: await buildController() })
  },
  configureServer: (server) => {
    server.middlewares.use((req, res, next) => {
      if (!req.url?.split('?')[0]?.endsWith(`/${CONTROLLER_FILE}`)) return next()
      buildController().then((code) => {
        res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
        res.end(code)
      }, next)
    })
  },
})
