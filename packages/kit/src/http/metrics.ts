import { once } from 'node:events'
import { createServer } from 'node:http'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

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

/** Serves the figures to the machine itself only: they are not for the public port. */
export const serveMetrics = async (
  metrics: Metrics,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.registry.metrics().then(
      (figures) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(figures),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, '127.0.0.1')
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
