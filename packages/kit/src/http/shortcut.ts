import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Ready, SendReady } from './answer.ts'
import type { Surface } from './headers.ts'
import type { Incoming } from './incoming.ts'
import type { Metrics } from './metrics.ts'
import type { MaybePromise, Route } from './route.ts'

/**
 * An answer that is in memory. Nothing may be counted or changed by looking for it: what is refused, or asks for something
 * that is still being made, goes through the routes.
 */
export type Shortcut<R extends Route> = (request: IncomingMessage) => InMemory<R> | null

export type InMemory<R extends Route> = {
  /** The route that made it: who may have it is asked again each time. */
  route: R
  answer(request: Incoming): MaybePromise<Ready>
}

type Parts<R extends Route> = {
  shortcut: Shortcut<R>
  incomingOf(request: IncomingMessage): Incoming
  surfaceOf(route: R): Surface
  /** Lets the request in as the route would, or throws; false when that cannot be said at once. */
  admit(request: Incoming, route: R): boolean
  send: SendReady
  metrics: Metrics | undefined
}

/** Answers what is in memory before the framework sees the request: the way through it costs more than the answer. */
export const takeShortcuts = <R extends Route>(app: FastifyInstance, parts: Parts<R>): void => {
  const [route] = app.server.listeners('request') as [RequestListener]
  app.server.off('request', route)
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isPlainRead(request) || !isAnswered(request, response, parts)) route(request, response)
  })
}

/** A read without a body and with one host; whatever is else is for the routes to judge. */
const isPlainRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.host?.includes(',') === false

const isAnswered = <R extends Route>(
  raw: IncomingMessage,
  response: ServerResponse,
  { shortcut, incomingOf, surfaceOf, admit, send, metrics }: Parts<R>,
): boolean => {
  const found = shortcut(raw)
  if (found === null) return false
  const { route } = found
  const startedAt = performance.now()
  const incoming = incomingOf(raw)
  const answer = found.answer(incoming)
  if (answer instanceof Promise || !isAdmitted(() => admit(incoming, route))) return false
  if (metrics) {
    const observe = () =>
      metrics.observe(incoming.method, route.path, response.statusCode, performance.now() - startedAt)
    response.once('finish', observe)
  }
  send({ incoming, surface: surfaceOf(route), headers: {} }, response, route, answer)
  return true
}

/** A request rejected here is rejected again on the usual path, with the reason. */
const isAdmitted = (admit: () => boolean): boolean => {
  try {
    return admit()
  } catch {
    return false
  }
}
