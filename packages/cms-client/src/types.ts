/**
 * The content types of a site: what `npm run cms:types` writes. Without one, every type name is allowed and `data` holds
 * unknown values.
 */
export type Schema = Record<string, { kind: 'collection' | 'single'; data: object }>

/** For sites whose types are not known when the program is written. */
export type AnySchema = Record<string, { kind: 'collection' | 'single'; data: Record<string, unknown> }>

export type CollectionName<S extends Schema> = {
  [N in keyof S & string]: 'collection' extends S[N]['kind'] ? N : never
}[keyof S & string]
export type SingleName<S extends Schema> = {
  [N in keyof S & string]: 'single' extends S[N]['kind'] ? N : never
}[keyof S & string]

/** A published entry. In `data`, files and references are objects. */
export type Entry<Data extends object = Record<string, unknown>, Type extends string = string> = {
  id: string
  slug: string
  type: Type
  title: string
  data: Data & { __layout?: Layout }
  status: 'draft' | 'published'
  locale: string
  translationOf: string | null
  /** Where the website shows it; null when its type has no address template. */
  url: string | null
  publishedAt: string | null
  createdAt: string
  updatedAt: string
  version: number
  /** With `include: ['terms']`. */
  terms?: Term[]
  /** With `include: ['author']`; null when it has none. */
  author?: Author | null
  /** With `include: ['translations']`: the same in other languages, as far as it is published. */
  translations?: Translation[]
}

/** What is left of an entry when only some members are asked for. */
export type PartialEntry<E extends Entry<object>> = Pick<E, 'id'> &
  Partial<Omit<E, 'data'>> & { data?: Partial<E['data']> }

/** The order of the sections of a visual page, and those that are not shown. */
export type Layout = { order: string[]; hidden: string[] }
export type Term = {
  id: string
  slug: string
  name: string
  taxonomy: string
  parentId: string | null
  description: string
}
export type Translation = { locale: string; slug: string; url: string | null }
export type Author = { id: string; name: string; avatarUrl: string | null }

export type List<Item> = { items: Item[]; meta: { total: number; page: number; limit: number; pages: number } }

export type ContentType = {
  name: string
  label: string
  kind: 'collection' | 'single'
  fields: Field[]
  locales: string[]
}
/** A field with the options of its type. */
export type Field = { key: string; type: string; label?: string; required?: boolean; [option: string]: unknown }

export type SiteSettings = {
  title: string
  tagline: string
  description: string
  url: string | null
  locale: string
  /** Addresses of the files. */
  logo: string | null
  socialImage: string | null
  logoId: string | null
  socialImageId: string | null
}

/** The looks of the site: the value of every property that the host declares, pictures as addresses. */
export type Design = {
  surfaces: { id: string; values: Record<string, string | number | null> }[]
  /** The custom properties that people set, under the selectors of their surfaces; empty when nobody did. */
  css: string
}

export type Menu = { name: string; label: string; items: MenuItem[] }
export type MenuItem = {
  id: string
  label: string
  /** Null for an entry whose type has no address template. */
  url: string | null
  entryId?: string
  target?: string
  children: MenuItem[]
}

/** A taxonomy with the terms that published entries have. */
export type Taxonomy = { name: string; label: string; hierarchical: boolean; terms: TaxonomyTerm[] }
export type TaxonomyTerm = {
  id: string
  slug: string
  name: string
  description: string
  parentId: string | null
  /** Its place among its siblings. */
  position: number
  /** Published entries that have it. */
  count: number
}

/** What every call takes. */
export type CallOptions = {
  /** Ends the call with its reason. */
  signal?: AbortSignal
}

export type EntryOptions = CallOptions & {
  include?: readonly ('terms' | 'author' | 'translations')[]
  /** Members and fields to read, such as `title` and `data.price`; all if absent. */
  fields?: readonly string[]
  /** How many levels of references to include: 0 to 3, default 1. */
  depth?: 0 | 1 | 2 | 3
}

export type ListOptions = EntryOptions & {
  /** From 1. */
  page?: number
  /** Items per page: default 25, maximum 100. */
  limit?: number
  /** Keys in their order; `-` before one sorts downwards: `['-publishedAt', 'title']`. */
  sort?: string | readonly string[]
  /** Slugs of terms, `taxonomy:slug`, or `taxonomy:slug/*` with the terms below it: any of them. */
  term?: string | readonly string[]
  locale?: string
  /** Words that the entry must have. */
  q?: string
  filter?: Filter
  /** Alternatives beside `filter`: one of them must hold. */
  anyOf?: readonly Filter[]
}

export type FilterValue = string | number | boolean | Date
/**
 * Conditions by key, such as `{ price: { gte: 10 } }`. All must hold. Keys are members of the entry, its fields, members
 * of the items of a list (`rows.price`: one item must fulfil it) and of an entry that it refers to (`category.slug`).
 */
export type Filter = Readonly<Record<string, Conditions>>
export type Conditions = {
  eq?: FilterValue
  ne?: FilterValue
  lt?: FilterValue
  lte?: FilterValue
  gt?: FilterValue
  gte?: FilterValue
  in?: readonly FilterValue[]
  nin?: readonly FilterValue[]
  contains?: FilterValue
  starts?: FilterValue
  exists?: boolean
}
