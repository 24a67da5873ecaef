import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { TestCertificate } from './certificate.ts'

/** The website's response to a request. `hang` keeps it and never answers; `cut` ends the connection half-way. */
export type PageAction = {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  hang?: true
  cut?: true
}

export type PageRequest = { path: string; headers: IncomingHttpHeaders }

export type FakeSite = {
  /** Without a trailing slash. */
  readonly url: string
  /** Every request that was let in, oldest first. */
  readonly requests: readonly PageRequest[]
  /** Why requests were turned away: a method, a credential or a type of answer that no page is asked for with. */
  readonly problems: readonly string[]
  /** How many requests are held by `hang`. */
  pending(): number
  /** Ends those requests without an answer. */
  cutPending(): void
  /** Pages by their path without the query; any other is a page that names its address. */
  pages: Record<string, PageAction | ((request: PageRequest) => PageAction)>
  close(): Promise<void>
}

/** A website on loopback that insists on being asked as a browser without a visitor would ask it. */
export const startFakeSite = async (
  options: { certificate?: TestCertificate; host?: string } = {},
): Promise<FakeSite> => {
  const requests: PageRequest[] = []
  const problems: string[] = []
  const pages: FakeSite['pages'] = {}
  const pending = new Set<ServerResponse>()

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const problem = problemOf(request, authority())
    if (problem) {
      problems.push(problem)
      return void response.writeHead(400).end(problem)
    }
    const asked = { path: request.url ?? '', headers: request.headers }
    requests.push(asked)
    const page = pages[asked.path.split('?')[0] ?? '']
    const { status = 200, headers, body, hang, cut } = (typeof page === 'function' ? page(asked) : page) ?? {}
    if (hang) {
      pending.add(response)
      return void response.on('close', () => pending.delete(response))
    }
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    if (cut) return void response.write('<!doctype html>', () => response.destroy())
    response.end(body ?? `<!doctype html><title>${asked.path}</title>`)
  }
  const server = options.certificate ? https.createServer(options.certificate, listener) : http.createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the website has no port')
  const authority = () => `${options.host ?? '127.0.0.1'}:${address.port}`

  return {
    url: `${options.certificate ? 'https' : 'http'}://${authority()}`,
    requests,
    problems,
    pending: () => pending.size,
    cutPending() {
      for (const response of pending) response.destroy()
    },
    pages,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Why the service must never send such a request; null for a valid one. */
const problemOf = ({ method, headers }: IncomingMessage, authority: string): string | null => {
  if (method !== 'GET') return `method ${method}`
  if (headers.host !== authority) return `host ${headers.host}`
  const secret = ['cookie', 'authorization', 'x-api-key', 'referer', 'x-forwarded-for'].find((name) => headers[name])
  if (secret) return `the header ${secret}`
  return headers.accept?.includes('text/html') ? null : `accept ${headers.accept}`
}
