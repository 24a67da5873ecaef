import type { LogLine } from './types.ts'

/** What the bridge can ask of the thread. Only text and numbers pass. */
export type GuestHost = {
  call(id: number, module: string, method: string, args: string): void
  log(level: LogLine['level'], text: string): void
  value(text: string | undefined): void
  problem(status: number, message: string, details: string): void
  failed(reason: string): void
}

/** Texts that define more globals, by the name of what they hold. */
export type GuestSources = { text: string; url: string }

export type GuestLimits = { valueLength: number; logLength: number; reasonLength: number }

/**
 * Runs inside of QuickJS before the plugin's code does, as text: it may use nothing from outside of itself, and whatever
 * it needs later it takes hold of now, because the code can change every built-in afterwards. For the same reason it
 * spreads and iterates over nothing, and keeps what it holds in objects without a prototype.
 */
export const guestBridge = (host: GuestHost, limits: GuestLimits, late: string) => {
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { create, defineProperty, freeze, hasOwn } = Object
  const { slice } = String.prototype
  const GuestPromise = Promise
  const GuestError = Error
  const GuestDate = Date
  const dateNow = Date.now
  const isError = (value: unknown): value is Error => value instanceof GuestError
  const cut = (text: string, length: number): string => apply(slice, text, [0, length])

  const handlers = create(null)
  const waiting = create(null)
  let lastCall = 0
  let isRunning = false
  let clockAhead = 0

  class Problem extends GuestError {
    #status: number
    #message: string
    #details: unknown

    constructor(status: number, message: string, details: unknown = null) {
      const text = `${message}`
      super(text)
      if (typeof status !== 'number' || !(status >= 400 && status <= 499 && status % 1 === 0))
        throw new GuestError('The status of a Problem must be from 400 to 499')
      this.#status = status
      this.#message = text
      this.#details = details
      defineProperty(this, 'name', { value: 'Problem' })
      defineProperty(this, 'status', { value: status, enumerable: true })
      defineProperty(this, 'details', { value: details, enumerable: true })
    }

    /** False when it is none. */
    static report(thrown: unknown): boolean {
      if (typeof thrown !== 'object' || thrown === null || !(#status in thrown)) return false
      const details = stringify(thrown.#details) ?? 'null'
      if (details.length > limits.valueLength) throw new GuestError('The details of a Problem are larger than 1 MiB')
      host.problem(thrown.#status, cut(thrown.#message, limits.reasonLength), details)
      return true
    }
  }
  const { report } = Problem
  Reflect.deleteProperty(Problem, 'report')
  freeze(Problem)
  freeze(Problem.prototype)

  const refusalOf = (text: string): Error => {
    const refusal = parse(text)
    const error = new GuestError(refusal.message)
    defineProperty(error, 'name', { value: 'StoaError' })
    const add = (name: string) =>
      defineProperty(error, name, { value: refusal[name], enumerable: true, configurable: true, writable: true })
    add('code')
    add('status')
    add('details')
    return error
  }

  const call = (module: string, method: string, args: unknown[]): Promise<unknown> =>
    new GuestPromise((resolve, reject) => {
      if (!isRunning) throw new GuestError(`${module}.${method} works only while a handler runs`)
      while (args.length > 0 && args[args.length - 1] === undefined) args.length -= 1
      const text = stringify(args)
      if (text.length > limits.valueLength)
        throw new GuestError(`The arguments of ${module}.${method} are larger than 1 MiB`)
      lastCall += 1
      waiting[lastCall] = { resolve, reject }
      host.call(lastCall, module, method, text)
    })

  const settle = (id: number, isRefused: boolean, text: string | undefined): void => {
    const { resolve, reject } = waiting[id]
    delete waiting[id]
    if (isRefused) reject(refusalOf(text ?? '{}'))
    else resolve(text === undefined ? undefined : parse(text))
  }

  const show = (value: unknown): string => {
    try {
      if (typeof value === 'string') return value
      if (isError(value)) return value.stack ? `${value}\n${value.stack}` : `${value}`
      return (typeof value === 'object' && stringify(value)) || `${value as string}`
    } catch {
      return '(cannot be shown)'
    }
  }

  const reasonOf = (thrown: unknown): string => {
    if (thrown === undefined) return 'undefined was thrown'
    return isError(thrown) ? show(thrown) : `${show(thrown)} was thrown`
  }

  const writer =
    (level: LogLine['level']) =>
    (...parts: unknown[]): void => {
      let text = ''
      for (let at = 0; at < parts.length && text.length <= limits.logLength; at += 1)
        text += (at > 0 ? ' ' : '') + cut(show(parts[at]), limits.logLength)
      host.log(level, cut(text, limits.logLength))
    }

  const methods = (module: string, ...names: string[]) => {
    const made = create(null)
    for (const name of names) made[name] = (...args: unknown[]) => call(module, name, args)
    return freeze(made)
  }

  const store = (collection: string) => {
    const made = create(null)
    made.get = (id: unknown) => call('store', 'get', [collection, id])
    made.put = (id: unknown, value: unknown, options: unknown) => call('store', 'put', [collection, id, value, options])
    made.delete = (id: unknown, options: unknown) => call('store', 'delete', [collection, id, options])
    made.list = (options: unknown) => call('store', 'list', [collection, options])
    return freeze(made)
  }

  /** As `fetch` answers elsewhere; the functions do not cross when it is returned. */
  const fetch = async (...args: unknown[]): Promise<unknown> => {
    const answer = (await call('http', 'fetch', args)) as { status: number; body: string; ok?: boolean }
    answer.ok = answer.status >= 200 && answer.status <= 299
    defineProperty(answer, 'text', { value: async () => answer.body })
    defineProperty(answer, 'json', { value: async () => parse(answer.body) })
    return answer
  }

  const log = freeze({ debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') })

  const stoa = freeze({
    content: methods('content', 'types', 'list', 'get', 'create', 'update', 'setStatus', 'remove'),
    media: methods('media', 'list', 'get', 'update'),
    taxonomies: methods('taxonomies', 'list', 'addTerm'),
    menus: methods('menus', 'list', 'get'),
    settings: methods('settings', 'own', 'site'),
    store,
    social: methods('social', 'accounts', 'posts', 'getPost', 'createPost', 'updatePost', 'schedule', 'publish'),
    http: freeze({ fetch }),
    crypto: methods('crypto', 'randomToken', 'sha256', 'hmac', 'equal'),
    log,
    clock: freeze({ now: () => new GuestDate(dateNow() + clockAhead) }),
    Problem,
  })

  /** Takes the handlers out of what the module exports; gives the names of those that are missing. */
  const load = (exported: Record<string, unknown>, wanted: string): string => {
    const list = parse(wanted)
    let missing = ''
    for (let at = 0; at < list.length; at += 1) {
      const { kind, name } = list[at]
      const table = exported[`${kind}s`]
      const isThere = typeof table === 'object' && table !== null && hasOwn(table, name)
      const handler = isThere ? (table as Record<string, unknown>)[name] : undefined
      if (typeof handler === 'function')
        handlers[`${kind} ${name}`] = (input: unknown) => apply(handler, table, [input])
      else missing += `${missing && ', '}${kind}s['${name}']`
    }
    return missing
  }

  const run = async (handler: (input: unknown) => unknown, input: string): Promise<void> => {
    try {
      // Whatever was returned, promise or not, and whatever `then` it has: the engine's own await decides.
      const value = await handler(parse(input))
      const text = value === undefined ? undefined : stringify(value)
      if (value !== undefined && text === undefined) throw new GuestError("The handler's return value isn't JSON")
      if (text !== undefined && text.length > limits.valueLength)
        throw new GuestError("The handler's return value is larger than 1 MiB")
      host.value(text)
    } catch (thrown) {
      try {
        if (!report(thrown)) host.failed(cut(reasonOf(thrown), limits.reasonLength))
      } catch (again) {
        host.failed(cut(reasonOf(again), limits.reasonLength))
      }
    }
  }

  const invoke = (handler: string, input: string, now: number): void => {
    isRunning = true
    clockAhead = now - dateNow()
    run(handlers[handler], input)
  }

  // Weak references and shared memory are removed: nothing of a plugin outlives its invocation or leaves its thread.
  for (const name of ['FinalizationRegistry', 'WeakRef', 'SharedArrayBuffer', 'Atomics'])
    Reflect.deleteProperty(globalThis, name)
  const give = (name: string, value: unknown) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true })
  /** Made when the code asks for the first of them: most never do, and to read their text takes longer than a call. */
  const giveLate = (source: string, names: string[]) => {
    // biome-ignore lint/security/noGlobalEval: of our own text, inside of the sandbox
    const evaluate = globalThis.eval
    for (const name of names)
      defineProperty(globalThis, name, {
        configurable: true,
        get: () => {
          evaluate(source)
          return (globalThis as Record<string, unknown>)[name]
        },
        set: (value: unknown) => give(name, value),
      })
  }
  const sources = parse(late)
  giveLate(sources.text, ['TextEncoder', 'TextDecoder'])
  giveLate(sources.url, ['URL', 'URLSearchParams'])
  give('stoa', stoa)
  give('console', { ...log, log: log.info })
  return { load, invoke, settle, explain: (thrown: unknown) => cut(reasonOf(thrown), limits.reasonLength) }
}
