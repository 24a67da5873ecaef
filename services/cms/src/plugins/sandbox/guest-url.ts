/**
 * `URL` and `URLSearchParams`, for QuickJS, which has none: what web addresses need, without international host names. It
 * runs there, as text.
 */
export const guestUrl = (): void => {
  type Pair = [name: string, value: string]

  const hex = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  const encode = (text: string, pattern: RegExp): string =>
    text.replace(pattern, (found) => Array.from(new TextEncoder().encode(found), hex).join(''))
  // What must be written otherwise, by https://url.spec.whatwg.org/#percent-encoded-bytes
  const IN_PATH = /[^\x21\x24-\x3b\x3d\x40-\x5d\x5f\x61-\x7a\x7c\x7e]/gu
  const IN_QUERY = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/gu
  const IN_HASH = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]/gu
  const IN_USER = /[^\x21\x24-\x2e\x30-\x39\x41-\x5a\x5f\x61-\x7a\x7e]/gu
  const IN_FORM = /[^*\-.0-9A-Z_a-z ]/gu

  const decode = (text: string): string => {
    if (!text.includes('%')) return text
    const bytes: number[] = []
    for (let at = 0; at < text.length; ) {
      const pair = /^%([0-9a-f]{2})/i.exec(text.slice(at, at + 3))
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
      if (pair) bytes.push(Number.parseInt(pair[1] ?? '', 16))
      else for (const byte of new TextEncoder().encode(char)) bytes.push(byte)
      at += pair ? 3 : char.length
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes))
  }
  const form = (text: string): string => encode(text, IN_FORM).replaceAll(' ', '+')

  const pairsOf = (text: string): Pair[] =>
    text
      .replace(/^\?/, '')
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.includes('=') ? part.indexOf('=') : part.length
        const read = (piece: string) => decode(piece.replaceAll('+', ' '))
        return [read(part.slice(0, at)), read(part.slice(at + 1))]
      })

  const pairsFrom = (init: unknown): Pair[] => {
    if (typeof init !== 'object' || init === null) return init === undefined ? [] : pairsOf(String(init))
    const isIterable = typeof Reflect.get(init, Symbol.iterator) === 'function'
    const entries = isIterable
      ? Array.from(init as Iterable<Iterable<unknown>>, (pair) => [...pair])
      : Object.entries(init)
    return entries.map((pair) => {
      if (pair.length !== 2) throw new TypeError('Each pair must have a name and a value')
      return [String(pair[0]), String(pair[1])]
    })
  }

  class URLSearchParams {
    #pairs: Pair[]
    #onChange: () => void = () => undefined

    constructor(init?: unknown) {
      this.#pairs = pairsFrom(init)
    }

    static of(search: string, onChange: (text: string) => void): URLSearchParams {
      const made = new URLSearchParams(search)
      made.#onChange = () => onChange(made.toString())
      return made
    }
    #write(pairs: Pair[]): void {
      this.#pairs = pairs
      this.#onChange()
    }
    get size(): number {
      return this.#pairs.length
    }
    append(name: unknown, value: unknown): void {
      this.#write([...this.#pairs, [String(name), String(value)]])
    }
    delete(name: unknown, value?: unknown): void {
      const isIt = (pair: Pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value))
      this.#write(this.#pairs.filter((pair) => !isIt(pair)))
    }
    get(name: unknown): string | null {
      return this.getAll(name)[0] ?? null
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1])
    }
    has(name: unknown, value?: unknown): boolean {
      const all = this.getAll(name)
      return value === undefined ? all.length > 0 : all.includes(String(value))
    }
    set(name: unknown, value: unknown): void {
      const first = this.#pairs.findIndex((pair) => pair[0] === String(name))
      const kept = this.#pairs.filter((pair, at) => at <= first || pair[0] !== String(name))
      kept[first < 0 ? kept.length : first] = [String(name), String(value)]
      this.#write(kept)
    }
    sort(): void {
      const order = (a: Pair, b: Pair) => (a[0] < b[0] ? -1 : Number(a[0] > b[0]))
      this.#write([...this.#pairs].sort(order))
    }
    forEach(act: (value: string, name: string, params: URLSearchParams) => void): void {
      for (const [name, value] of this.#pairs) act(value, name, this)
    }
    *entries(): Generator<Pair> {
      for (const [name, value] of this.#pairs) yield [name, value]
    }
    *keys(): Generator<string> {
      for (const [name] of this.#pairs) yield name
    }
    *values(): Generator<string> {
      for (const [, value] of this.#pairs) yield value
    }
    [Symbol.iterator](): Generator<Pair> {
      return this.entries()
    }
    toString(): string {
      return this.#pairs.map(([name, value]) => `${form(name)}=${form(value)}`).join('&')
    }
  }
  const linked = URLSearchParams.of
  Reflect.deleteProperty(URLSearchParams, 'of')

  type Parts = {
    scheme: string
    user: string
    secret: string
    host: string | null
    port: string
    path: string
    query: string
    hash: string
  }

  const PORTS: Record<string, string> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' }
  const isSpecial = (scheme: string): boolean => Object.hasOwn(PORTS, scheme)
  const refuse = (text: string): never => {
    throw new TypeError(`Not a valid URL: ${text.slice(0, 100)}`)
  }

  const withoutDots = (path: string): string => {
    const kept: string[] = []
    const segments = path.split('/').slice(1)
    segments.forEach((segment, at) => {
      const isLast = at === segments.length - 1
      if (/^(\.|%2e){2}$/i.test(segment)) {
        kept.pop()
        if (isLast) kept.push('')
      } else if (/^(\.|%2e)$/i.test(segment)) {
        if (isLast) kept.push('')
      } else kept.push(segment)
    })
    return `/${kept.join('/')}`
  }

  /** The dotted form of an IPv4 address in any of its notations; null when it is a name. */
  const dotted = (host: string): string | null => {
    const parts = host.replace(/\.$/, '').split('.')
    if (!/^(\d+|0x[0-9a-f]*)$/i.test(parts.at(-1) ?? '')) return null
    const numbers = parts.map((part) => {
      if (/^0x[0-9a-f]*$/i.test(part)) return part.length === 2 ? 0 : Number(part)
      return /^0[0-7]+$/.test(part)
        ? Number.parseInt(part, 8)
        : /^\d+$/.test(part) && !/^0\d/.test(part)
          ? Number(part)
          : Number.NaN
    })
    const last = numbers.pop() ?? Number.NaN
    const isFit = numbers.length < 4 && numbers.every((number) => number <= 255) && last < 256 ** (4 - numbers.length)
    if (!isFit) refuse(host)
    let value = last
    numbers.forEach((number, at) => {
      value += number * 256 ** (3 - at)
    })
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
  }

  const hostOf = (text: string, scheme: string): string => {
    if (/^\[[0-9a-f:.]+\]$/i.test(text)) return text.toLowerCase()
    if (!isSpecial(scheme)) return /[\s#/<>?@[\\\]^|]/.test(text) ? refuse(text) : encode(text, /[^\x20-\x7e]/gu)
    const name = decode(text).toLowerCase()
    if (name === '' || /[^\x21-\x7e]|[#%/:<>?@[\\\]^|"`{}]/.test(name)) refuse(text)
    return dotted(name) ?? name
  }

  const portOf = (text: string, scheme: string): string => {
    if (!/^\d*$/.test(text) || Number(text) > 65_535) refuse(`port ${text}`)
    const port = text === '' ? '' : String(Number(text))
    return port === PORTS[scheme] ? '' : port
  }

  const authorityOf = (text: string, scheme: string): Pick<Parts, 'user' | 'secret' | 'host' | 'port'> => {
    const [, , user = '', secret = '', host = '', port = ''] =
      /^(([^:]*)(?::(.*))?@)?(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? refuse(text)
    const shown = scheme === 'file' && host.toLowerCase() === 'localhost' ? '' : host
    return {
      user: encode(user, IN_USER),
      secret: encode(secret, IN_USER),
      host: shown === '' && !isSpecial(scheme) ? '' : hostOf(shown, scheme),
      port: portOf(port, scheme),
    }
  }

  const pathOf = (text: string, scheme: string, host: string | null): string => {
    const path = encode(isSpecial(scheme) ? text.replaceAll('\\', '/') : text, IN_PATH)
    if (host === null && !path.startsWith('/')) return text.replace(/[^\x20-\x7e]/gu, (found) => encode(found, IN_PATH))
    return path === '' ? (isSpecial(scheme) ? '/' : '') : withoutDots(path.startsWith('/') ? path : `/${path}`)
  }

  const queryOf = (text: string): string => (text === '' ? '' : `?${encode(text, IN_QUERY)}`)
  const hashOf = (text: string): string => (text === '' ? '' : `#${encode(text, IN_HASH)}`)

  const parse = (given: string, base: Parts | null): Parts => {
    const text = given.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '')
    const [, named, rest = '', query, hash = ''] =
      /^(?:([a-z][a-z0-9+.-]*):)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ?? refuse(text)
    const scheme = named?.toLowerCase() ?? base?.scheme ?? refuse(text)
    const flat = isSpecial(scheme) ? rest.replaceAll('\\', '/') : rest
    const isRelative = !named || (base?.scheme === scheme && isSpecial(scheme) && !flat.startsWith('/'))
    const ends = { query: queryOf(query ?? ''), hash: hashOf(hash) }
    if (flat.startsWith('//') || (named && isSpecial(scheme) && !isRelative)) {
      const [, authority = '', path = ''] = /^\/*([^/]*)(.*)$/s.exec(flat) ?? refuse(text)
      const place = authorityOf(authority, scheme)
      return { scheme, ...place, path: pathOf(path, scheme, place.host), ...ends }
    }
    if (!isRelative || !base)
      return { scheme, user: '', secret: '', host: null, port: '', path: pathOf(flat, scheme, null), ...ends }
    if (flat === '') return { ...base, ...ends, query: query === undefined ? base.query : ends.query }
    const folder = base.path.slice(0, base.path.lastIndexOf('/') + 1)
    return { ...base, path: pathOf(flat.startsWith('/') ? flat : folder + flat, scheme, base.host ?? ''), ...ends }
  }

  class URL {
    #parts: Parts
    #params: URLSearchParams | null = null

    constructor(url: unknown, base?: unknown) {
      this.#parts = parse(String(url), base === undefined ? null : parse(String(base), null))
    }
    static canParse(url: unknown, base?: unknown): boolean {
      return URL.parse(url, base) !== null
    }
    static parse(url: unknown, base?: unknown): URL | null {
      try {
        return new URL(url, base)
      } catch {
        return null
      }
    }
    #change(parts: Partial<Parts>): void {
      this.#parts = { ...this.#parts, ...parts }
    }
    get protocol(): string {
      return `${this.#parts.scheme}:`
    }
    get username(): string {
      return this.#parts.user
    }
    set username(user: unknown) {
      this.#change({ user: encode(String(user), IN_USER) })
    }
    get password(): string {
      return this.#parts.secret
    }
    set password(secret: unknown) {
      this.#change({ secret: encode(String(secret), IN_USER) })
    }
    get hostname(): string {
      return this.#parts.host ?? ''
    }
    set hostname(host: unknown) {
      this.#change({ host: hostOf(String(host), this.#parts.scheme) })
    }
    get port(): string {
      return this.#parts.port
    }
    set port(port: unknown) {
      this.#change({ port: portOf(String(port), this.#parts.scheme) })
    }
    get host(): string {
      return this.hostname + (this.port && `:${this.port}`)
    }
    get origin(): string {
      return isSpecial(this.#parts.scheme) ? `${this.protocol}//${this.host}` : 'null'
    }
    get pathname(): string {
      return this.#parts.path
    }
    set pathname(path: unknown) {
      const { scheme, host } = this.#parts
      const text = String(path)
      this.#change({ path: pathOf(text.startsWith('/') ? text : `/${text}`, scheme, host) })
    }
    get search(): string {
      return this.#parts.query
    }
    set search(query: unknown) {
      this.#change({ query: queryOf(String(query).replace(/^\?/, '')) })
      this.#params = null
    }
    get searchParams(): URLSearchParams {
      this.#params ??= linked(this.#parts.query, (text) => this.#change({ query: text && `?${text}` }))
      return this.#params
    }
    get hash(): string {
      return this.#parts.hash
    }
    set hash(hash: unknown) {
      this.#change({ hash: hashOf(String(hash).replace(/^#/, '')) })
    }
    get href(): string {
      const { user, secret, host, path, query, hash } = this.#parts
      const who = user || secret ? `${user}${secret && `:${secret}`}@` : ''
      return `${this.protocol}${host === null ? '' : `//${who}${this.host}`}${path}${query}${hash}`
    }
    toString(): string {
      return this.href
    }
    toJSON(): string {
      return this.href
    }
  }

  for (const made of [URL, URLSearchParams])
    Object.defineProperty(globalThis, made.name, { value: made, writable: true, configurable: true })
}
