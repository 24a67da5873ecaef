import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FakeCall,
  type FakeNetwork,
  FakeRefusal,
  type FakeReply,
  type FakeRoute,
  type LivePost,
} from './fake-network.ts'

export type Behaviour = {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delayMs?: number
  /** Closes the line before anything is done. */
  dropBefore?: true
  /** Does what was asked, then closes the line instead of answering. */
  dropAfter?: true
}

export type Script = {
  network: string
  call: string
  /** Which of the coming calls, 1 for the next; every one when 'all'. */
  nth?: number | 'all'
  behave: Behaviour
}

export type JournalEntry = {
  network: string
  call: string
  method: string
  path: string
  status: number | 'dropped'
  at: number
}

export type FakeNetworks = {
  url: string
  /** The endpoint overrides to store so that the service talks to the fake. */
  overrides(network: string): FakeNetwork['overrides']
  /** An app that the network knows. */
  app(network: string): { clientId: string; clientSecret: string }
  script(script: Script): void
  clearScripts(): void
  journal(network?: string): JournalEntry[]
  posts(network?: string): LivePost[]
  /** Opens a consent address as a person's browser would and says yes (or no): the address of the way back. */
  consent(url: string, answer?: 'allow' | 'deny'): Promise<string>
  close(): Promise<void>
}

/** All fake networks on one port of this machine, each below `/fake/<network>`. */
export const startFakeNetworks = async (networks: Readonly<Record<string, FakeNetwork>>): Promise<FakeNetworks> => {
  const scripts: (Script & { seen: number })[] = []
  const journal: JournalEntry[] = []
  let url = ''

  const behaviourOf = (network: string, call: string): Behaviour | undefined => {
    let found: Behaviour | undefined
    for (const script of scripts.filter((known) => known.network === network && known.call === call)) {
      script.seen += 1
      if (script.nth === 'all' || script.seen === (script.nth ?? 1)) found ??= script.behave
    }
    return found
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = new URL(request.url ?? '/', url)
    const body = await readBody(request)
    const method = request.method ?? 'GET'
    const found = findCall(networks, method, at)
    if (!found) return send(response, { status: 404, body: { error: `the fake knows no ${method} ${at.pathname}` } })
    const { network, path, route, params } = found
    const call: FakeCall = {
      method,
      path,
      params,
      query: at.searchParams,
      headers: request.headers,
      body,
      base: `${url}/fake/${network}`,
    }
    const name = typeof route.call === 'string' ? route.call : route.call(call)
    const entry: JournalEntry = { network, call: name, method, path, status: 'dropped', at: Date.now() }
    journal.push(entry)
    const behave = behaviourOf(network, name)
    if (behave?.delayMs) await sleep(behave.delayMs)
    if (behave?.dropBefore) return void request.socket.destroy()
    const isScripted = behave?.status !== undefined
    const reply: FakeReply = isScripted ? behave : await answerOf(route, call)
    if (behave?.dropAfter) return void request.socket.destroy()
    entry.status = reply.status ?? 200
    send(response, reply)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, { status: 500, body: { error: `the fake failed: ${String(error)}` } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    overrides(network) {
      const fake = networks[network]
      if (!fake) throw new Error(`There is no fake of ${network}`)
      const below = Object.entries(fake.overrides).map(([key, path]) => [key, `${url}/fake/${network}${path}`])
      return Object.fromEntries(below)
    },
    app: (network) => networks[network]?.app ?? { clientId: 'the-app', clientSecret: 'the secret of the app' },
    script: (script) => void scripts.push({ ...script, seen: 0 }),
    clearScripts: () => void scripts.splice(0),
    journal: (network) => journal.filter((entry) => network === undefined || entry.network === network),
    posts: (network) =>
      Object.entries(networks).flatMap(([id, fake]) => (network === undefined || id === network ? fake.posts() : [])),
    async consent(consentUrl, person = 'allow') {
      const asked = new URL(consentUrl)
      if (person === 'deny') asked.searchParams.set('deny', '1')
      const response = await fetch(asked, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status !== 302 || location === null)
        throw new Error(`The consent page answered ${response.status}: ${await response.text()}`)
      return location
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const answerOf = async (route: FakeRoute, call: FakeCall): Promise<FakeReply> => {
  try {
    return await route.answer(call)
  } catch (error) {
    if (error instanceof FakeRefusal) return error.reply
    throw error
  }
}

const findCall = (networks: Readonly<Record<string, FakeNetwork>>, method: string, { pathname, searchParams }: URL) => {
  const [, below, path = '/'] = /^\/fake\/([a-z]+)(\/.*)?$/.exec(pathname) ?? []
  for (const [network, { routes }] of Object.entries(networks)) {
    if (below !== undefined && below !== network) continue
    const known = routes.filter(({ atOrigin }) =>
      below === undefined
        ? atOrigin && Object.entries(atOrigin).every(([name, value]) => searchParams.get(name) === value)
        : !atOrigin,
    )
    const found = findRoute(known, method, below === undefined ? pathname : path)
    if (found) return { network, path: below === undefined ? pathname : path, ...found }
  }
  return undefined
}

const findRoute = (
  routes: readonly FakeRoute[],
  method: string,
  path: string,
): { route: FakeRoute; params: Record<string, string> } | undefined => {
  const segments = path.split('/')
  for (const route of routes) {
    const pattern = route.path.split('/')
    if (route.method !== method || pattern.length !== segments.length) continue
    const params: Record<string, string> = {}
    const isSame = pattern.every((part, index) => {
      const segment = segments[index] ?? ''
      if (!part.startsWith(':')) return part === segment
      params[part.slice(1)] = decodeURIComponent(segment)
      return segment !== ''
    })
    if (isSame) return { route, params }
  }
  return undefined
}

const MAX_BODY_BYTES = 64 * 2 ** 20

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const send = (response: ServerResponse, { status = 200, headers = {}, body }: FakeReply): void => {
  if (response.destroyed || response.headersSent) return
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body))
}
