import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startApp } from '@stoa/cms/app.ts'
import { openMemoryHttp } from './memory-http.ts'
import { checkOptions } from './options.ts'
import { pathOf, pathOwner } from './paths.ts'
import type { CmsInstance, CmsOptions } from './types.ts'

export type {
  DesignManifest,
  DesignProperty,
  DesignSurface,
  EntrySource,
  MenuSource,
  Records,
  SettingsKey,
  SettingsSource,
  VisualDefinition,
  VisualLayout,
  VisualSection,
  WebsiteManifest,
  WebsitePart,
} from './definitions.ts'
export { CmsOptionsError, type OptionProblem } from './options-error.ts'
export type { CmsInstance, CmsOptions, Design } from './types.ts'
export { renderParts, renderVisual } from './visual.ts'

/** The published package brings the built admin UI; in the repository the service knows where it is. */
const PACKAGED_ADMIN = fileURLToPath(new URL('../admin/', import.meta.url))
/** The time that running requests have when the instance is closed. */
const CLOSE_PATIENCE_MS = 5_000

/**
 * Starts the CMS in this process: checks the options, migrates the database and begins background work. It listens on no
 * port: give its `handler` and `upgrade` to your server.
 */
export const createCms = async (options: CmsOptions = {}): Promise<CmsInstance> => {
  const { adminBase, host, env, workers, warnings } = checkOptions(options)
  const cms = await startApp({
    adminBase,
    host,
    workers,
    ...(env && { env }),
    ...(existsSync(PACKAGED_ADMIN) && { adminFolder: PACKAGED_ADMIN }),
  })
  for (const { path, problem } of warnings) cms.services.log.warn({ option: path }, `${path} ${problem}`)
  const owns = pathOwner(adminBase)
  const running = watchRunning()
  const memory = openMemoryHttp(cms.app.server, running.add)
  let closing: Promise<void> | undefined

  return {
    handler(request, response, next) {
      const isOurs = owns(pathOf(request.url ?? ''))
      if (!isOurs && next) next()
      else if (!isOurs) answer(response, 404, NOT_OURS)
      else if (closing) answer(response, 503, CLOSED)
      else if (request.readableDidRead && hasBody(request)) refuseReadBody(response, next)
      else {
        running.add(response)
        cms.app.routing(request, response)
      }
    },
    upgrade: (request, socket, head) => cms.upgrade(request, socket, head),
    async fetch(request) {
      if (!owns(new URL(request.url).pathname)) return Response.json(NOT_OURS, { status: 404 })
      return closing ? Response.json(CLOSED, { status: 503 }) : memory.fetch(request)
    },
    contentVersion: () => cms.services.delivery.versions.content(),
    design: () => cms.services.design.current(),
    close() {
      closing ??= running.ended(CLOSE_PATIENCE_MS).then(async () => {
        memory.close()
        await cms.close()
      })
      return closing
    },
  }
}

const NOT_OURS = { error: "This endpoint doesn't exist", code: 'ROUTE_NOT_FOUND' }
const CLOSED = { error: 'The CMS is shutting down', code: 'UNAVAILABLE' }

const answer = (response: ServerResponse, status: number, body: { error: string; code: string }): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Waiting for a body that someone else has read would end in a time-out that explains nothing. */
const refuseReadBody = (response: ServerResponse, next: ((error?: unknown) => void) | undefined): void => {
  const error = new Error('The request body was already read. Put cms.handler before body parsers.')
  if (next) next(error)
  else answer(response, 500, { error: error.message, code: 'INTERNAL' })
}

/** Requests and answers under way. */
const watchRunning = () => {
  const exchanges = new Set<Writable>()
  return {
    add(exchange: Writable) {
      exchanges.add(exchange)
      exchange.once('close', () => exchanges.delete(exchange))
    },
    /** Resolves when all have ended; those that do not in time are cut. */
    async ended(patienceMs: number): Promise<void> {
      const cut = setTimeout(() => {
        for (const exchange of exchanges) exchange.destroy()
      }, patienceMs)
      await Promise.all([...exchanges].map((exchange) => new Promise((ended) => exchange.once('close', ended))))
      clearTimeout(cut)
    },
  }
}
