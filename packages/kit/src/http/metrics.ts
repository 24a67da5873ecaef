import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { link } from '../workers/link.ts'
import { HEALTH_PATHS } from './health.ts'

export type Metrics = {
  readonly registry: Registry
  observe(method: string, route: string, status: number, milliseconds: number): void
}

/** Request durations by matched route (never by URL, which anyone can vary) and the process's own figures. */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    registry,
    observe: (method, route, status, milliseconds) => durations.observe({ method, route, status }, milliseconds / 1000),
  }
}

/** Where figures and health are shown; nowhere without a port. */
export type MetricsListen = { metricsPort: number | null; metricsHost: string }

type Address = { port: number; host: string }
export type FigureServer = { port: number; close(): Promise<void> }

/** What is shown to the machine itself: figures, and the health of a process that need not have a public port. */
export type FigureSource = {
  figures(): Promise<{ type: string; text: string }>
  health?(path: string): Promise<{ status: number; body: string }>
}

/** Shows a process's figures and the health of its `app`: on this port, or for a worker through its primary. */
export const showMetrics = async (
  metrics: Metrics,
  listen: MetricsListen,
  app: FastifyInstance,
): Promise<FigureServer | undefined> => {
  const { metricsPort: port, metricsHost: host } = listen
  if (!link) return port === null ? undefined : serveMetrics(metrics, { port, host }, app)
  link.answer('figures', () => metrics.registry.getMetricsAsJSON())
  link.answer('health', ({ path }) => healthOf(app, path))
  return undefined
}

export const serveMetrics = ({ registry }: Metrics, at: Address, app?: FastifyInstance): Promise<FigureServer> => {
  const figures = async () => ({ type: registry.contentType, text: await registry.metrics() })
  return serveFigures({ figures, ...(app && { health: (path: string) => healthOf(app, path) }) }, at)
}

const healthOf = async (app: FastifyInstance, url: string): Promise<{ status: number; body: string }> => {
  const { statusCode: status, body } = await app.inject({ method: 'GET', url })
  return { status, body }
}

/** To the machine itself unless its owner says otherwise: they are not for the public port. */
export const serveFigures = async (
  { figures, health }: FigureSource,
  { port, host }: Address,
): Promise<FigureServer> => {
  const server = createServer((request, response) => {
    const show = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type }).end(text)
    const fail = () => response.writeHead(500).end()
    const path = HEALTH_PATHS.find((known) => known === request.url)
    if (request.url === '/metrics') figures().then(({ type, text }) => show(200, type, text), fail)
    else if (path && health) health(path).then(({ status, body }) => show(status, 'application/json', body), fail)
    else response.writeHead(404).end()
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
