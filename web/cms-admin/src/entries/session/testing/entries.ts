import { type ContentType, contentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'

const AT = '2026-03-01T12:00:00.000Z'

/** A type with a text, a number and a list. */
export const articleType: ContentType = contentType.parse({
  name: 'article',
  label: 'Article',
  labelPlural: 'Articles',
  description: '',
  icon: '',
  kind: 'collection',
  previewUrl: null,
  fields: [
    { key: 'summary', type: 'text', label: 'Summary' },
    { key: 'count', type: 'number', label: 'Count' },
    {
      key: 'items',
      type: 'list',
      label: 'Items',
      fields: [{ key: 'url', type: 'url', label: 'Address' }],
    },
  ],
  taxonomies: [],
  version: 1,
  createdAt: AT,
  updatedAt: AT,
})

export const ANA = { id: '01900000-0000-7000-8000-00000000000a', name: 'Ana' }
export const BEN = { id: '01900000-0000-7000-8000-00000000000b', name: 'Ben' }

export const entryWith = (members: Partial<Entry> = {}): Entry => ({
  id: '01900000-0000-7000-8000-000000000001',
  slug: 'harbour',
  type: 'article',
  title: 'Harbour',
  data: { summary: 'Old', count: null, items: [] },
  status: 'draft',
  locale: 'en',
  translationOf: null,
  url: null,
  publishedAt: null,
  createdAt: AT,
  updatedAt: AT,
  version: 1,
  authorId: ANA.id,
  author: { ...ANA, avatarUrl: null },
  updatedBy: ANA,
  publishAt: null,
  unpublishAt: null,
  deletedAt: null,
  pending: false,
  terms: [],
  live: null,
  ...members,
})
