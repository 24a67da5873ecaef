/** Records of the CMS as its admin routes answer them. Moments are ISO texts such as `2026-03-01T12:00:00.000Z`. */
export type Person = { id: string; name: string }

export type List<Item> = { items: Item[]; meta: { total: number; page: number; limit: number; pages: number } }

export type Field = { key: string; type: string; label: string; required?: boolean; [option: string]: unknown }

export type ContentType = {
  name: string
  label: string
  labelPlural: string
  description: string
  icon: string
  kind: 'collection' | 'single'
  previewUrl: string | null
  fields: Field[]
  taxonomies: string[]
  version: number
  createdAt: string
  updatedAt: string
}

export type EntryTerm = { id: string; slug: string; name: string; taxonomy: string }

/** An entry as a list shows it: the current draft. */
export type EntryItem = {
  id: string
  slug: string
  type: string
  title: string
  data: Record<string, unknown>
  status: 'draft' | 'published'
  locale: string
  translationOf: string | null
  url: string | null
  publishedAt: string | null
  createdAt: string
  updatedAt: string
  version: number
  authorId: string | null
  author: (Person & { avatarUrl: string | null }) | null
  updatedBy: Person | null
  publishAt: string | null
  unpublishAt: string | null
  deletedAt: string | null
  /** A published entry has changes that are not published. */
  pending: boolean
  terms: EntryTerm[]
}

/** One entry, with what the public sees of it. */
export type Entry = EntryItem & {
  live: { title: string; slug: string; data: Record<string, unknown>; version: number; updatedAt: string } | null
}

export type EntryFilter = {
  type?: string
  status?: 'draft' | 'published' | 'scheduled' | 'pending'
  q?: string
  /** `slug`, or `taxonomy:slug`. */
  term?: string
  /** Such as `-updatedAt`. */
  sort?: string
  page?: number
  /** Items per page: default 25, maximum 100. */
  limit?: number
}

export type NewEntry = {
  type: string
  title?: string
  slug?: string
  data?: Record<string, unknown>
  terms?: { taxonomy: string; slug: string }[]
  locale?: string
}

/** Only the members given change; `data` is merged by key, and null clears a field. */
export type EntryChanges = {
  title?: string
  slug?: string
  data?: Record<string, unknown>
  locale?: string
  /** Of a published entry: `live` at once, or `draft` as unpublished changes. */
  mode?: 'live' | 'draft'
}

export type MediaRecord = {
  id: string
  url: string
  filename: string
  mimeType: string
  size: number
  width: number | null
  height: number | null
  alt: string
  caption: string
  focalX: number
  focalY: number
  decorative: boolean
  folder: string
  hash: string
  usage: { count: number }
  version: number
  createdAt: string
  createdBy: Person | null
  updatedAt: string
}

export type MediaFilter = {
  q?: string
  folder?: string
  type?: 'image' | 'video' | 'audio' | 'document'
  sort?: string
  page?: number
  limit?: number
}

export type MediaChanges = {
  alt?: string
  caption?: string
  folder?: string
  filename?: string
  decorative?: boolean
  focalX?: number
  focalY?: number
}

export type Term = {
  id: string
  slug: string
  name: string
  description: string
  parentId: string | null
  position: number
  count: number
  version: number
}

export type Taxonomy = {
  id: string
  name: string
  label: string
  hierarchical: boolean
  types: string[]
  terms: Term[]
  termCount: number
  version: number
}

export type NewTerm = { name: string; slug?: string; description?: string; parentId?: string | null }

export type MenuItem = {
  id: string
  label: string
  url?: string | undefined
  entryId?: string | undefined
  target?: '_self' | '_blank' | undefined
  children: MenuItem[]
}

export type Menu = {
  name: string
  label: string
  items: MenuItem[]
  version: number
  createdAt: string
  updatedAt: string
}

export type SiteSettings = {
  title: string
  tagline: string
  description: string
  url: string | null
  locale: string
  locales: string[]
  logoId: string | null
  socialImageId: string | null
  revisionLimit: number
  trashDays: number | null
  imageSizes: number[]
  deliveryRatePerMinute: number | null
  stripLocation: boolean
  timezone: string
  version: number
}

export type PostStatus = 'draft' | 'scheduled' | 'publishing' | 'posted' | 'partial' | 'failed'
export type TargetStatus = 'draft' | 'scheduled' | 'publishing' | 'posted' | 'failed'

/** One post for one account. */
export type SocialTarget = {
  id: string
  accountId: string
  network: string
  account: { name: string; handle: string | null; avatarUrl: string | null }
  status: TargetStatus
  step: string | null
  caption: string
  url: string | null
  postedAt: string | null
  error: { kind: string; code: string; message: string; at: string } | null
  warnings: string[]
  attempts: number
  nextAttemptAt: string | null
}

export type SocialPost = {
  id: string
  caption: string
  captions: Record<string, string>
  accountIds: string[]
  media: { mediaId: string; alt: string; url: string | null; kind: 'image' | 'video' }[]
  options: Record<string, Record<string, unknown>>
  link: string | null
  note: string | null
  status: PostStatus
  scheduledAt: string | null
  authorId: string | null
  targets: SocialTarget[]
  createdAt: string
  updatedAt: string
  deletedAt: string | null
  version: number
}

export type SocialFilter = { status?: PostStatus; page?: number; limit?: number }

export type NewSocialPost = {
  accountIds: string[]
  caption?: string
  captions?: Record<string, string>
  media?: { mediaId: string; alt?: string | null }[]
  options?: Record<string, Record<string, string | number | boolean | null | string[]>>
  link?: string | null
  note?: string | null
}

/** A network with the accounts of it that are connected. */
export type SocialNetwork = {
  network: string
  label: string
  enabled: boolean
  accounts: {
    id: string
    name: string
    handle: string | null
    avatarUrl: string | null
    status: 'active' | 'needs_reconnect' | 'disconnected'
    statusReason: string | null
  }[]
}
