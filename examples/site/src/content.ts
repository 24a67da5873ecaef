import {
  type CmsClient,
  CmsError,
  type Entry,
  type Filter,
  type List,
  type MenuItem,
  type SiteSettings,
} from '@stoa/cms-client'

/** What the pages read. They do not know where it comes from, so that a preview can take the place of an entry. */
export type Content = {
  settings(): Promise<SiteSettings>
  /** Null while nobody has made the menu. */
  menu(name: string): Promise<MenuItem[] | null>
  /** Empty while there is no such content type. */
  list(type: string, options: ListOptions): Promise<List<Entry>>
  entry(type: string, slug: string): Promise<Entry | null>
  single(type: string): Promise<Entry | null>
  /** How a field is written: `richtext`, `markdown` …; undefined when the type has no such field. */
  fieldType(type: string, key: string): Promise<string | undefined>
}

export type ListOptions = {
  page: number
  limit: number
  sort?: string
  /** Words that the entries must have. */
  q?: string
  filter?: Filter
}

/** The published content, through a delivery key. */
export const publishedContent = (client: CmsClient): Content => ({
  settings: () => client.settings(),
  menu: async (name) => (await client.menu(name))?.items ?? null,
  list: (type, options) =>
    client.list(type, { ...options, include: ['author'] }).catch((error: unknown) => {
      if (!(error instanceof CmsError) || error.code !== 'NOT_FOUND') throw error
      return { items: [], meta: { total: 0, page: options.page, limit: options.limit, pages: 0 } }
    }),
  entry: (type, slug) => client.entry(type, slug, { include: ['author'] }),
  single: (type) => client.single(type),
  fieldType: async (type, key) => {
    const found = (await client.types()).find(({ name }) => name === type)
    return found?.fields.find((field) => field.key === key)?.type
  },
})

/** The same content with one entry as its preview link shows it. For the one request that carries the link. */
export const previewedContent = (content: Content, preview: Entry): Content => ({
  ...content,
  async entry(type, slug) {
    return type === preview.type && slug === preview.slug ? preview : content.entry(type, slug)
  },
  async single(type) {
    return type === preview.type ? preview : content.single(type)
  },
  async list(type, options) {
    const list = await content.list(type, options)
    return { ...list, items: list.items.map((entry) => (entry.id === preview.id ? preview : entry)) }
  },
})

/** A text field, whatever an editor has made of the type since. */
export const textOf = ({ data }: Pick<Entry, 'data'>, key: string): string => {
  const value = data[key]
  return typeof value === 'string' ? value : ''
}

export type Picture = { url: string; alt: string; caption: string; width: number | null; height: number | null }

/** A picture field; null when there is none. */
export const pictureOf = ({ data }: Pick<Entry, 'data'>, key: string): Picture | null => toPicture(data[key])

/** The pictures of a gallery field. */
export const picturesOf = ({ data }: Pick<Entry, 'data'>, key: string): Picture[] =>
  listIn(data[key]).flatMap((value) => toPicture(value) ?? [])

/** The items of a list field, each with fields of its own. */
export const itemsOf = ({ data }: Pick<Entry, 'data'>, key: string): Pick<Entry, 'data'>[] =>
  listIn(data[key]).flatMap((value) => (isRecord(value) ? [{ data: value }] : []))

export type Linked = { type: string; slug: string; title: string; data: Record<string, unknown> }

/** The entries that a reference field leads to; those that are not published are not among them. */
export const linkedOf = ({ data }: Pick<Entry, 'data'>, key: string): Linked[] =>
  listIn(data[key]).flatMap((value) => {
    if (!isRecord(value)) return []
    const { type, slug, title, data: inner } = value
    const isEntry = typeof type === 'string' && typeof slug === 'string' && typeof title === 'string'
    return isEntry ? [{ type, slug, title, data: isRecord(inner) ? inner : {} }] : []
  })

const toPicture = (value: unknown): Picture | null => {
  if (!isRecord(value) || typeof value.url !== 'string') return null
  const number = (name: string): number | null => (typeof value[name] === 'number' ? value[name] : null)
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '')
  return {
    url: value.url,
    alt: text('alt'),
    caption: text('caption'),
    width: number('width'),
    height: number('height'),
  }
}

/** One value is a list of one. */
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
