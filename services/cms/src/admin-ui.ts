import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { baseHeaders, pagePolicy } from '@stoa/kit/http/headers.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import type { FastifyInstance } from 'fastify'

/** The service itself, and the two hosts whose videos rich text may hold. */
const FRAME_SOURCES = "'self' https://www.youtube-nocookie.com https://player.vimeo.com"
/** The script that makes a page editable; the editor puts it into the page, where only its hash lets it run. */
const CONTROLLER = 'canvas-controller.js'

type AdminUi = { base: string; folder: string; publicUrl: string }

/** The admin, and the page editor as a document of its own: it shows pages of the website, and needs what these need. */
export const serveAdmin = (app: FastifyInstance, ui: AdminUi): void => {
  const editor = editorPolicy(hashOf(join(ui.folder, CONTROLLER)))
  serveUi(app, {
    ...ui,
    policy: (nonce) => pagePolicy(nonce, { frameSrc: FRAME_SOURCES }),
    documents: { 'edit.html': { segment: 'edit', policy: () => editor } },
  })
  app.get('/', (_request, response) => response.headers(baseHeaders(ui.publicUrl)).redirect(`${ui.base}/`, 302))
}

/**
 * A page in the editor inherits this policy, and adds a stricter one of its own. A nonce among the style sources would
 * void 'unsafe-inline', and without base-uri the page's own pictures are not found.
 */
export const editorPolicy = (controllerHash: string | null): string =>
  [
    "default-src 'self'",
    `script-src 'self'${controllerHash === null ? '' : ` '${controllerHash}'`}`,
    "style-src * 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data:',
    'media-src * data: blob:',
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    'base-uri http: https:',
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const hashOf = (file: string): string | null =>
  existsSync(file) ? `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}` : null
