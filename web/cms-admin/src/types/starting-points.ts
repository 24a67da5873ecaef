import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { FieldType } from '@stoa/cms-model/fields/index.ts'
import { emptyType, type FieldDraft, newField, type TypeDraft } from './draft.ts'
import { keyFromLabel } from './names.ts'

export type StartingPoint = {
  id: string
  label: string
  line: string
  icon: string
  /** A draft that can be saved as it is, or changed first; `types` are those there are. */
  draft: (types: readonly Pick<ContentType, 'name'>[]) => TypeDraft
}

const field = (type: FieldType, label: string, members: Partial<FieldDraft> = {}): FieldDraft =>
  newField(type, { label, key: keyFromLabel(label), ...members })

const seoFields = (): FieldDraft[] => [
  field('text', 'SEO title', { help: 'For search engines. Leave empty to use the title', maxLength: '70' }),
  field('textarea', 'SEO description', {
    help: 'A sentence or two for search results',
    maxLength: '170',
  }),
]

/** What most sites have; each is made of ordinary fields. */
export const startingPoints: readonly StartingPoint[] = [
  {
    id: 'article',
    label: 'Article',
    line: 'Posts and news with a cover and rich text',
    icon: 'newspaper',
    draft: (types) => ({
      ...emptyType,
      label: 'Article',
      labelPlural: 'Articles',
      name: 'article',
      icon: 'newspaper',
      previewUrl: '/blog/{slug}',
      fields: [
        field('textarea', 'Excerpt', { help: 'Shown in lists and when the article is shared', maxLength: '300' }),
        field('media', 'Cover'),
        field('richtext', 'Body', { required: true }),
        ...(types.some(({ name }) => name === 'author')
          ? [field('reference', 'Author', { to: 'author', multiple: false })]
          : []),
        field('boolean', 'Featured', { help: 'Shown first', indexed: true }),
      ],
    }),
  },
  {
    id: 'page',
    label: 'Page',
    line: 'About, contact and other standalone pages',
    icon: 'file-text',
    draft: () => ({
      ...emptyType,
      label: 'Page',
      labelPlural: 'Pages',
      name: 'page',
      icon: 'file-text',
      previewUrl: '/{slug}',
      fields: [
        field('textarea', 'Intro', { maxLength: '300' }),
        field('media', 'Hero image'),
        field('richtext', 'Body'),
        ...seoFields(),
      ],
    }),
  },
  {
    id: 'author',
    label: 'Author',
    line: 'The people who write your content',
    icon: 'user',
    draft: () => ({
      ...emptyType,
      label: 'Author',
      labelPlural: 'Authors',
      name: 'author',
      icon: 'user',
      previewUrl: '/authors/{slug}',
      fields: [
        field('text', 'Role', { help: 'Such as editor, photographer or guest' }),
        field('textarea', 'Bio', { maxLength: '600' }),
        field('media', 'Photo'),
        field('email', 'Email', { hidden: true, help: 'For your team only; never sent to websites' }),
        field('url', 'Website'),
      ],
    }),
  },
  {
    id: 'person',
    label: 'Person',
    line: 'Your team, speakers or members',
    icon: 'users',
    draft: () => ({
      ...emptyType,
      label: 'Person',
      labelPlural: 'People',
      name: 'person',
      icon: 'users',
      previewUrl: '/team/{slug}',
      fields: [
        field('text', 'Job title'),
        field('media', 'Photo'),
        field('richtext', 'About'),
        field('email', 'Email'),
        field('list', 'Links', { fields: [field('text', 'Label'), field('url', 'URL')] }),
      ],
    }),
  },
  {
    id: 'event',
    label: 'Event',
    line: 'Dates with a place and a ticket link',
    icon: 'calendar-days',
    draft: () => ({
      ...emptyType,
      label: 'Event',
      labelPlural: 'Events',
      name: 'event',
      icon: 'calendar-days',
      previewUrl: '/events/{slug}',
      fields: [
        field('datetime', 'Starts at', { required: true, indexed: true }),
        field('datetime', 'Ends at'),
        field('text', 'Place'),
        field('richtext', 'Description'),
        field('url', 'Tickets'),
      ],
    }),
  },
  {
    id: 'product',
    label: 'Product',
    line: 'Something with a price, images and details',
    icon: 'package',
    draft: () => ({
      ...emptyType,
      label: 'Product',
      labelPlural: 'Products',
      name: 'product',
      icon: 'package',
      previewUrl: '/products/{slug}',
      fields: [
        field('text', 'Article number', { key: 'sku', unique: true, indexed: true }),
        field('number', 'Price', { required: true, min: '0', indexed: true }),
        field('gallery', 'Images'),
        field('richtext', 'Description'),
        field('list', 'Details', { fields: [field('text', 'Name'), field('text', 'Value')] }),
      ],
    }),
  },
  {
    id: 'faq',
    label: 'FAQ',
    line: 'Questions people ask, with their answers',
    icon: 'circle-help',
    draft: () => ({
      ...emptyType,
      label: 'Question',
      labelPlural: 'FAQ',
      name: 'question',
      icon: 'circle-help',
      fields: [
        field('richtext', 'Answer', { required: true }),
        field('number', 'Position', { help: 'Lower numbers come first', indexed: true }),
      ],
    }),
  },
  {
    id: 'home',
    label: 'Home page',
    line: 'A single entry with its own fields',
    icon: 'house',
    draft: () => ({
      ...emptyType,
      label: 'Home page',
      name: 'home',
      icon: 'house',
      kind: 'single',
      previewUrl: '/',
      fields: [
        field('text', 'Headline', { required: true }),
        field('textarea', 'Intro'),
        field('media', 'Hero image'),
        field('list', 'Highlights', {
          fields: [field('text', 'Title'), field('textarea', 'Text'), field('url', 'Link')],
        }),
        ...seoFields(),
      ],
    }),
  },
]

export const startingPointOf = (id: string): StartingPoint | undefined =>
  startingPoints.find((candidate) => candidate.id === id)
