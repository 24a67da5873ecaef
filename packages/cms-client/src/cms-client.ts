import { CmsError } from './errors.ts'
import { type Live, type LiveOptions, openLive, type SocketClass } from './live.ts'
import { entryQuery, listQuery } from './query.ts'
import { type Fetch, openRequests } from './request.ts'
import type {
  AnySchema,
  CallOptions,
  CollectionName,
  ContentType,
  Design,
  Entry,
  EntryOptions,
  List,
  ListOptions,
  Menu,
  PartialEntry,
  Schema,
  SingleName,
  SiteSettings,
  Taxonomy,
} from './types.ts'

export { CmsError } from './errors.ts'
export type { Live, LiveEvent, LiveOptions, LiveStatus, SocketClass } from './live.ts'
export type { Fetch } from './request.ts'
export type * from './types.ts'

export type ClientOptions = {
  /** Where the CMS is, such as `https://cms.example.com`. */
  url: string
  /** A delivery key: `cms_…`. */
  apiKey: string
  /** In place of the global one: the `fetch` of a CMS in the same process, for example. */
  fetch?: Fetch
  /** For one answer; 10 seconds if absent. */
  timeoutMs?: number
  /** How often a read is tried again after a failure that may pass; 2 if absent. */
  retries?: number
  /** Keeps answers, and asks only whether they still hold: megabytes of text; 0, the default, keeps none. */
  cacheMegabytes?: number
  /** In place of the global one. */
  WebSocket?: SocketClass
}

type Asked<E extends Entry<object>, O> = O extends { fields: readonly string[] } ? PartialEntry<E> : E

/** Reads the published content of a site. What is not there is null; every other refusal is a CmsError. */
export type CmsClient<S extends Schema = AnySchema> = {
  /** The types that the key may read. */
  types(options?: CallOptions): Promise<ContentType[]>
  /** Published entries of a type, paged. */
  list<N extends CollectionName<S> | SingleName<S>, const O extends ListOptions = ListOptions>(
    type: N,
    options?: O,
  ): Promise<List<Asked<Entry<S[N]['data'], N>, O>>>
  /** One published entry. */
  entry<N extends CollectionName<S> | SingleName<S>, const O extends EntryOptions = EntryOptions>(
    type: N,
    slug: string,
    options?: O,
  ): Promise<Asked<Entry<S[N]['data'], N>, O> | null>
  /** The entry of a type that has one. */
  single<N extends SingleName<S>, const O extends EntryOptions = EntryOptions>(
    type: N,
    options?: O,
  ): Promise<Asked<Entry<S[N]['data'], N>, O> | null>
  settings(options?: CallOptions): Promise<SiteSettings>
  menu(name: string, options?: CallOptions): Promise<Menu | null>
  /** A taxonomy with the terms that published entries have. */
  taxonomy(name: string, options?: CallOptions): Promise<Taxonomy | null>
  /** The looks that people set in the editor, with a style sheet for your pages. */
  design(options?: CallOptions): Promise<Design>
  /** The entry that a preview link shows, whatever its status. Never keep it, nor the page made of it. */
  preview(token: string, options?: CallOptions): Promise<Entry<S[keyof S & string]['data'], keyof S & string> | null>
  /** Notifies when content changes, over a socket that reconnects whenever it is lost. */
  live(options: LiveOptions): Live
  /** Forgets what `cacheMegabytes` keeps. */
  forget(): void
}

/** A client for one site and one key. It does nothing until it is asked. */
export const createClient = <S extends Schema = AnySchema>(options: ClientOptions): CmsClient<S> => {
  const url = baseOf(options.url)
  const requests = openRequests({
    url,
    apiKey: options.apiKey,
    // Not a method of ours: browsers refuse their own fetch on another object.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs: options.timeoutMs ?? 10_000,
    retries: options.retries ?? 2,
    memory: (options.cacheMegabytes ?? 0) * 1_048_576,
  })
  // The contract says what an address answers; the server is tested against it.
  const read = async <T>(path: string, signal?: AbortSignal): Promise<T> => (await requests.get(path, signal)) as T
  const find = <T>(path: string, signal?: AbortSignal): Promise<T | null> => read<T>(path, signal).catch(nullIfMissing)

  const ticket = async (): Promise<string> => {
    const answer = await requests.post('/realtime/delivery/ticket')
    if (typeof answer === 'object' && answer && 'ticket' in answer) return String(answer.ticket)
    throw new CmsError('The response has no ticket', { status: 0, code: 'UNEXPECTED_ANSWER' })
  }

  return {
    async types({ signal } = {}) {
      return (await read<{ items: ContentType[] }>('/content', signal)).items
    },
    list: async (type, given) => read(`/content/${segment(type)}${listQuery(given ?? {})}`, given?.signal),
    entry: async (type, slug, given) =>
      isName(slug) ? find(`/content/${segment(type)}/${segment(slug)}${entryQuery(given ?? {})}`, given?.signal) : null,
    single: async (type, given) => find(`/content/${segment(type)}/single${entryQuery(given ?? {})}`, given?.signal),
    settings: ({ signal } = {}) => read('/site/settings', signal),
    menu: async (name, { signal } = {}) => (isName(name) ? find(`/site/menus/${segment(name)}`, signal) : null),
    taxonomy: async (name, { signal } = {}) =>
      isName(name) ? find(`/site/taxonomies/${segment(name)}`, signal) : null,
    design: ({ signal } = {}) => read('/site/design', signal),
    preview: async (token, { signal } = {}) => (isName(token) ? find(`/preview/${segment(token)}`, signal) : null),
    live: (live) =>
      openLive(live, {
        address: `${url.replace(/^http/, 'ws')}/realtime`,
        ticket: live.ticket ?? ticket,
        socketClass: options.WebSocket ?? globalThis.WebSocket,
      }),
    forget: requests.forget,
  }
}

const baseOf = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError(`url must be the URL of the CMS, like https://cms.example.com: ${text}`)
  return url.href.replace(/\/+$/, '')
}

/** Nothing of the CMS has a longer name. */
const MAX_NAME_LENGTH = 200

/** Names come from visitors, who may write anything into an address; dots are taken for steps, not for names. */
const isName = (text: string): boolean =>
  text !== '' &&
  text !== '.' &&
  text !== '..' &&
  text.length <= MAX_NAME_LENGTH &&
  text.isWellFormed() &&
  !text.includes('\0')

const segment = (name: string): string => {
  if (!isName(name)) throw new TypeError(`"${name}" isn't a valid name`)
  return encodeURIComponent(name)
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof CmsError && (error.code === 'NOT_FOUND' || error.code === 'PREVIEW_NOT_FOUND')) return null
  throw error
}
