import type { IncomingMessage } from 'node:http'

/** A call as a fake network sees it. */
export type FakeCall = {
  method: string
  /** Below the network's prefix. */
  path: string
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
  /** Base URL of this network, for addresses that it hands out. */
  base: string
}

export type FakeReply = {
  status?: number
  headers?: Record<string, string>
  /** Text is sent as it is, everything else as JSON. */
  body?: unknown
}

/** Something that others can see on the network. */
export type LivePost = { id: string; account: string; text: string; media: string[]; [more: string]: unknown }

export type FakeRoute = {
  /** The name of the call in scripts and in the journal: 'authorize', 'token', 'upload', 'commit' ... */
  call: string | ((call: FakeCall) => string)
  method: string
  /** With `:name` for one segment. */
  path: string
  /** At the root of the origin instead, for queries with these members: where a network leaves its versions. */
  atOrigin?: Readonly<Record<string, string>>
  answer(call: FakeCall): FakeReply | Promise<FakeReply>
}

/** A strict stand-in for one network: it refuses what the real one refuses. */
export type FakeNetwork = {
  routes: readonly FakeRoute[]
  /** Endpoint overrides that an admin sets in place of the network's own addresses, below the prefix. */
  overrides: { authorizeUrl: string; tokenUrl: string; apiBase: string; uploadBase?: string }
  /** The app that it knows, where it does not take any. */
  app?: { clientId: string; clientSecret: string }
  posts(): readonly LivePost[]
}

/** The network in another API version; addresses of the old version do not exist. */
export const inVersion = (fake: FakeNetwork, own: string, version: string): FakeNetwork => ({
  ...fake,
  routes: fake.routes.map((route) => ({
    ...route,
    path: route.path
      .split('/')
      .map((part) => (part === own ? version : part))
      .join('/'),
  })),
})

/** A refusal in the network's own shape is its own business; this one is for calls that no client should make. */
export class FakeRefusal extends Error {
  readonly reply: FakeReply
  constructor(status: number, body: unknown) {
    super(JSON.stringify(body))
    this.reply = { status, body }
  }
}

export const formOf = (call: FakeCall): URLSearchParams => {
  const type = call.headers['content-type'] ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new FakeRefusal(400, { error: `expected a form, got ${type || 'nothing'}` })
  return new URLSearchParams(call.body.toString())
}

export const jsonOf = (call: FakeCall): Record<string, unknown> => {
  const type = call.headers['content-type'] ?? ''
  if (!type.startsWith('application/json')) throw new FakeRefusal(400, { error: `expected JSON, got ${type}` })
  return JSON.parse(call.body.toString())
}

export type FakeFile = { filename: string; type: string; bytes: Buffer }

/** Members of a multipart form; a file has bytes. */
export const multipartOf = async (call: FakeCall): Promise<Map<string, string | FakeFile>> => {
  const type = call.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) throw new FakeRefusal(400, { error: `expected multipart, got ${type}` })
  const form = await new Response(new Uint8Array(call.body), { headers: { 'content-type': type } }).formData()
  const members = new Map<string, string | FakeFile>()
  for (const [name, value] of form)
    members.set(
      name,
      typeof value === 'string'
        ? value
        : { filename: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) },
    )
  return members
}
