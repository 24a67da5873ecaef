import type * as r from './records.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** What a refused call throws. `code` is one of the CMS, such as NOT_FOUND, FORBIDDEN or VERSION_CONFLICT. */
export type StoaError = Error & { status: number; code: string; details?: unknown }

export type IfVersion = { ifVersion?: number }

export type Content = {
  types(): Promise<r.List<r.ContentType>>
  list(filter?: r.EntryFilter): Promise<r.List<r.EntryItem>>
  get(id: string): Promise<r.Entry>
  create(entry: r.NewEntry): Promise<r.Entry>
  update(id: string, changes: r.EntryChanges, options?: IfVersion): Promise<r.Entry>
  /** With `at`, at that time; with null, not at its time after all. */
  setStatus(id: string, action: 'publish' | 'unpublish' | 'draft', at?: string | null): Promise<r.Entry>
  /** Moves the entry to the trash. */
  remove(id: string): Promise<void>
}

export type Media = {
  list(filter?: r.MediaFilter): Promise<r.List<r.MediaRecord>>
  get(id: string): Promise<r.MediaRecord>
  update(id: string, changes: r.MediaChanges, options?: IfVersion): Promise<r.MediaRecord>
}

export type Taxonomies = {
  list(): Promise<r.List<r.Taxonomy>>
  addTerm(taxonomy: string, term: r.NewTerm): Promise<r.Term>
}

export type Menus = { list(): Promise<r.List<r.Menu>>; get(name: string): Promise<r.Menu> }

export type SettingValue = string | number | boolean | null

export type Settings = {
  /** The plugin's own: every declared key, secrets in clear. */
  own(): Promise<Record<string, SettingValue>>
  site(): Promise<r.SiteSettings>
}

export type Social = {
  accounts(): Promise<{ items: r.SocialNetwork[] }>
  /** The newest first. */
  posts(filter?: r.SocialFilter): Promise<r.List<r.SocialPost>>
  getPost(id: string): Promise<r.SocialPost>
  createPost(post: r.NewSocialPost): Promise<r.SocialPost>
  updatePost(id: string, changes: Partial<r.NewSocialPost>, options?: IfVersion): Promise<r.SocialPost>
  schedule(id: string, at: string): Promise<r.SocialPost>
  publish(id: string): Promise<r.SocialPost>
}

export type StoredDocument<T> = { id: string; version: number; value: T; createdAt: string; updatedAt: string }

export type IndexValue = string | number | boolean | null

export type ListOptions = {
  /** Members that the collection declares as indexes, and the value, or one of the values, that each must have. */
  where?: Record<string, IndexValue | readonly IndexValue[]>
  /** A declared index, `-` before it sorts downwards; by id if absent. */
  sort?: string
  /** 50 if absent, 100 at most. */
  limit?: number
  /** Of the page before, with the same `where` and `sort`. */
  cursor?: string | null
}

/** A collection that the manifest declares. An id is 1 to 64 letters, digits, hyphens and underscores. */
export type Collection<T> = {
  get(id: string): Promise<StoredDocument<T> | null>
  /** Without `ifVersion` it replaces what is there. With one, another version throws VERSION_CONFLICT; 0 means new. */
  put(id: string, value: T, options?: IfVersion): Promise<{ id: string; version: number }>
  /** False when there was none. */
  delete(id: string, options?: IfVersion): Promise<boolean>
  /** A page may hold fewer than `limit` when documents are large: go on while there is a cursor. */
  list(options?: ListOptions): Promise<{ items: StoredDocument<T>[]; cursor: string | null }>
}

export type Store = <T = Json>(collection: string) => Collection<T>

export type HttpRequest = { method?: string; headers?: Record<string, string>; body?: string }
export type HttpAnswer = { status: number; headers: Record<string, string>; body: string }

export type Http = { fetch(url: string, request?: HttpRequest): Promise<HttpAnswer> }

export type Crypto = {
  /** Base64url; 32 bytes if nothing is said. */
  randomToken(bytes?: number): Promise<string>
  /** In hex. */
  sha256(text: string): Promise<string>
  /** HMAC-SHA-256 in hex. */
  hmac(key: string, text: string): Promise<string>
  /** Takes the same time wherever two texts differ. */
  equal(a: string, b: string): Promise<boolean>
}

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (...parts: unknown[]) => void>

export type Clock = { now(): Date }

/** Who called a route; null on routes that need no sign-in. */
export type Actor = { id: string; name: string; role: string }

export type RouteRequest<Body = unknown> = {
  method: string
  path: string
  params: Record<string, string>
  /** A name that is there twice has a list. */
  query: Record<string, string | string[]>
  body: Body
  actor: Actor | null
}

/** What it returns is the JSON answer; undefined answers 204. */
export type RouteHandler = (request: RouteRequest) => unknown

export type PluginEvent = { event: string; id: string; type: string | null; slug: string | null; at: string }

/** `export const routes: Routes = { 'GET /plans': … }` */
export type Routes = Record<string, RouteHandler>
export type Events = Record<string, (event: PluginEvent) => unknown>
export type Schedules = Record<string, () => unknown>

/** All that `import { … } from 'stoa'` gives. */
export type Stoa = {
  content: Content
  media: Media
  taxonomies: Taxonomies
  menus: Menus
  settings: Settings
  store: Store
  social: Social
  http: Http
  crypto: Crypto
  log: Log
  clock: Clock
}
