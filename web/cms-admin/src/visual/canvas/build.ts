import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { TARGET } from '@stoa/ui/build/vite-app.ts'
import { build, type Plugin } from 'vite'

/** The name that the service finds it under, to allow it by its hash. */
const CONTROLLER_FILE = 'canvas-controller.js'

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
  if (chunk?.type !== 'chunk' || more.length > 0) throw new Error('The canvas controller must be a single script')
  const code = chunk.code.trim()
  // Either would end the script element early, or change how its end is found (HTML §4.12.1.3)
  if (/<\/script|<script|<!--/i.test(code)) throw new Error("The canvas controller can't be embedded in a page")
  return code
}

/** The document of the editor names the hash: a page without TLS cannot compute one. */
const DOCUMENT = 'edit.html'
const HASH_NAME = 'canvas-controller'

/** Puts the controller beside the app, under a fixed name. */
export const canvasController = (): Plugin => {
  let built: Promise<string> | undefined
  const controller = (): Promise<string> => {
    built ??= buildController()
    return built
  }
  return {
    name: 'canvas-controller',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: CONTROLLER_FILE, source: await controller() })
    },
    transformIndexHtml: async (_, { filename }) =>
      filename.endsWith(DOCUMENT)
        ? [{ tag: 'meta', attrs: { name: HASH_NAME, content: hashOf(await controller()) }, injectTo: 'head' }]
        : [],
    configureServer: (server) => {
      server.middlewares.use((req, res, next) => {
        if (!req.url?.split('?')[0]?.endsWith(`/${CONTROLLER_FILE}`)) return next()
        controller().then((code) => {
          res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
          res.end(code)
        }, next)
      })
    },
  }
}

const hashOf = (code: string): string => `sha256-${createHash('sha256').update(code).digest('base64')}`
