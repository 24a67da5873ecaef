import { createHash, createHmac, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Actor, PluginEvent, RouteRequest, Stoa } from './stoa-api.ts'
import { createTestStore, refusal } from './test-store.ts'

export { refusal } from './test-store.ts'

/** `throw new Problem(…)` of the plugin under test. */
export class Problem extends Error {
  readonly status: number
  readonly details: unknown

  constructor(status: number, message: string, details: unknown = null) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.details = details
  }
}

export type TestStoaOptions = {
  /** Collections as in `plugin.json`. */
  collections?: readonly { name: string; indexes?: readonly string[] }[]
  /** What `clock.now()` says; the real time if absent. */
  now?: () => Date
  /** Members in place of those that refuse: `{ social: { getPost: async (id) => … } }`. */
  parts?: { [M in keyof Stoa]?: Partial<Stoa[M]> }
}

/** A `stoa` in memory: store, crypto and clock work, log is silent, everything else refuses unless it is given. */
export const createTestStoa = ({
  collections = [],
  now = () => new Date(),
  parts = {},
}: TestStoaOptions = {}): Stoa => {
  const refusing = <M extends keyof Stoa>(module: M): Stoa[M] =>
    new Proxy(parts[module] ?? {}, {
      get: (given, method) =>
        Reflect.get(given, method) ??
        (() => Promise.reject(refusal(403, 'FORBIDDEN', `${module}.${String(method)} isn't provided in this test`))),
    }) as Stoa[M]
  const silent = () => undefined
  return {
    content: refusing('content'),
    media: refusing('media'),
    taxonomies: refusing('taxonomies'),
    menus: refusing('menus'),
    settings: refusing('settings'),
    social: refusing('social'),
    http: refusing('http'),
    store: createTestStore(collections, now),
    crypto: {
      randomToken: async (bytes = 32) => randomBytes(bytes).toString('base64url'),
      sha256: async (text) => createHash('sha256').update(text).digest('hex'),
      hmac: async (key, text) => createHmac('sha256', key).update(text).digest('hex'),
      equal: async (a, b) => a === b,
    },
    log: { debug: silent, info: silent, warn: silent, error: silent, ...parts.log },
    clock: { now },
  }
}

export type TestRequest = {
  params?: Record<string, string>
  query?: Record<string, string | string[]>
  body?: unknown
  actor?: Actor | null
}

/** A plugin's handlers, called as the service calls them: what goes in and comes out is JSON. */
export type TestPlugin = {
  /** `call('GET /plans/:id', { params: { id } })` */
  call<T = unknown>(route: string, request?: TestRequest): Promise<T>
  tell(event: string, payload?: Partial<PluginEvent>): Promise<void>
  run(schedule: string): Promise<void>
}

/** Loads `src/server.ts` of a plugin's folder, or its `server.js`, with this `stoa`. */
export const loadPlugin = async (folder: string, stoa: Stoa): Promise<TestPlugin> => {
  const handlers = await evaluate(await bundle(folder), stoa)
  const invoke = async (kind: 'routes' | 'events' | 'schedules', name: string, input: unknown): Promise<unknown> => {
    const handler = handlers[kind]?.[name]
    if (!handler) throw new Error(`The plugin has no handler ${name} in ${kind}`)
    return copy(await handler(copy(input)))
  }
  return {
    call: <T>(route: string, { params = {}, query = {}, body = null, actor = null }: TestRequest = {}) => {
      const [method = '', pattern = ''] = route.split(' ')
      const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
      const request: RouteRequest = { method, path, params, query, body, actor }
      return invoke('routes', route, request) as Promise<T>
    },
    tell: async (event, payload) => {
      const at = stoa.clock.now().toISOString()
      await invoke('events', event, { event, id: '', type: null, slug: null, at, ...payload })
    },
    run: async (schedule) => void (await invoke('schedules', schedule, undefined)),
  }
}

const copy = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

const NAMES = [
  'content',
  'media',
  'taxonomies',
  'menus',
  'settings',
  'store',
  'social',
  'http',
  'crypto',
  'log',
  'clock',
  'Problem',
]

/** Where a bundled plugin finds the `stoa` that it is loaded with. */
const GIVEN = Symbol.for('stoa.testing')

const bundle = async (folder: string): Promise<string> => {
  const source = ['src/server.ts', 'src/server.js', 'server.js'].find((file) => fs.existsSync(join(folder, file)))
  if (!source) throw new Error(`${folder} has no src/server.ts and no server.js`)
  const build = await rolldown({
    input: join(folder, source),
    platform: 'neutral',
    plugins: [
      {
        name: 'stoa',
        resolveId: (id) => (id === 'stoa' ? '\0stoa' : null),
        load: (id) =>
          id === '\0stoa'
            ? `const stoa = globalThis[Symbol.for('stoa.testing')]\nexport const { ${NAMES.join(', ')} } = stoa\nexport { stoa, stoa as default }`
            : null,
      },
    ],
  })
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false })
    return output[0].code
  } finally {
    await build.close()
  }
}

type Handlers = Partial<Record<'routes' | 'events' | 'schedules', Record<string, (input: unknown) => unknown>>>

let loaded = 0

/** A module of its own at each call, also for the same code. */
const evaluate = async (code: string, stoa: Stoa): Promise<Handlers> => {
  const place = globalThis as { [GIVEN]?: unknown }
  loaded += 1
  const text = `${code}\n// ${loaded}`
  place[GIVEN] = { ...stoa, Problem }
  try {
    return await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)
  } finally {
    delete place[GIVEN]
  }
}
