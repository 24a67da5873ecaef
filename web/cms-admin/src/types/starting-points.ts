import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { FieldInput } from '@stoa/cms-model/fields/field.ts'
import { emptyType, newFields, type TypeDraft } from './draft.ts'

export type StartingPoint = {
  id: string
  label: string
  line: string
  icon: string
  /** A draft that can be saved as it is, or changed first; `types` are those there are. */
  draft: (types: readonly Pick<ContentType, 'name'>[]) => TypeDraft
}

const seoFields: readonly FieldInput[] = [
  {
    key: 'seoTitle',
    type: 'text',
    label: 'SEO title',
    help: 'For search engines. Leave empty to use the title',
    maxLength: 70,
  },
  {
    key: 'seoDescription',
    type: 'textarea',
    label: 'SEO description',
    help: 'A sentence or two for search results',
    maxLength: 170,
  },
]

const authorField: FieldInput = { key: 'author', type: 'reference', to: 'author', multiple: false }

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
      fields: newFields([
        { key: 'excerpt', type: 'textarea', help: 'Shown in lists and when the article is shared', maxLength: 300 },
        { key: 'cover', type: 'media' },
        { key: 'body', type: 'richtext', required: true },
        ...(types.some(({ name }) => name === 'author') ? [authorField] : []),
        { key: 'featured', type: 'boolean', help: 'Shown first', indexed: true },
      ]),
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
      fields: newFields([
        { key: 'intro', type: 'textarea', maxLength: 300 },
        { key: 'heroImage', type: 'media' },
        { key: 'body', type: 'richtext' },
        ...seoFields,
      ]),
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
      fields: newFields([
        { key: 'role', type: 'text', help: 'Such as editor, photographer or guest' },
        { key: 'bio', type: 'textarea', maxLength: 600 },
        { key: 'photo', type: 'media' },
        { key: 'email', type: 'email', hidden: true, help: 'For your team only; never sent to websites' },
        { key: 'website', type: 'url' },
      ]),
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
      fields: newFields([
        { key: 'jobTitle', type: 'text' },
        { key: 'photo', type: 'media' },
        { key: 'about', type: 'richtext' },
        { key: 'email', type: 'email' },
        {
          key: 'links',
          type: 'list',
          fields: [
            { key: 'label', type: 'text' },
            { key: 'url', type: 'url', label: 'URL' },
          ],
        },
      ]),
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
      fields: newFields([
        { key: 'startsAt', type: 'datetime', required: true, indexed: true },
        { key: 'endsAt', type: 'datetime' },
        { key: 'place', type: 'text' },
        { key: 'description', type: 'richtext' },
        { key: 'tickets', type: 'url' },
      ]),
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
      fields: newFields([
        { key: 'sku', type: 'text', label: 'Article number', unique: true, indexed: true },
        { key: 'price', type: 'number', required: true, min: 0, indexed: true },
        { key: 'images', type: 'gallery' },
        { key: 'description', type: 'richtext' },
        {
          key: 'details',
          type: 'list',
          fields: [
            { key: 'name', type: 'text' },
            { key: 'value', type: 'text' },
          ],
        },
      ]),
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
      fields: newFields([
        { key: 'answer', type: 'richtext', required: true },
        { key: 'position', type: 'number', help: 'Lower numbers come first', indexed: true },
      ]),
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
      fields: newFields([
        { key: 'headline', type: 'text', required: true },
        { key: 'intro', type: 'textarea' },
        { key: 'heroImage', type: 'media' },
        {
          key: 'highlights',
          type: 'list',
          fields: [
            { key: 'title', type: 'text' },
            { key: 'text', type: 'textarea' },
            { key: 'link', type: 'url' },
          ],
        },
        ...seoFields,
      ]),
    }),
  },
]

export const startingPointOf = (id: string): StartingPoint | undefined =>
  startingPoints.find((candidate) => candidate.id === id)
