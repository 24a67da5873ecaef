import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { DeliveryKey } from '@stoa/cms-model/keys.ts'
import { contentPath } from '../content-path.ts'

/** What is known of the site; undefined while it is on its way. */
export type SiteState = {
  title: string | undefined
  types: readonly Pick<ContentType, 'name' | 'kind'>[] | undefined
  entries: number | undefined
  published: number | undefined
  keys: readonly Pick<DeliveryKey, 'lastUsedAt' | 'revokedAt'>[] | undefined
}

export type Step = { id: string; label: string; help: string; to: string; done: boolean }

/** The way from an empty site to a page that reads from it; undefined while something is not known. */
export const stepsOf = ({ title, types, entries, published, keys }: SiteState): readonly Step[] | undefined => {
  if (title === undefined || types === undefined || entries === undefined) return undefined
  if (published === undefined || keys === undefined) return undefined
  const first = types.find(({ kind }) => kind === 'collection') ?? types[0]
  const list = first ? contentPath(first.name) : '/types/new'
  return [
    {
      id: 'title',
      label: 'Name the site',
      help: 'Its title, its address and its languages.',
      to: '/settings',
      done: title !== '',
    },
    {
      id: 'type',
      label: 'Make a content type',
      help: 'What you write: articles, pages, products, and their fields.',
      to: '/types/new',
      done: types.length > 0,
    },
    {
      id: 'entry',
      label: 'Write the first entry',
      help: 'It begins as a draft that only your team sees.',
      to: first ? `${list}/new` : list,
      done: entries > 0,
    },
    {
      id: 'published',
      label: 'Publish it',
      help: 'From then on websites can read it.',
      to: list,
      done: published > 0,
    },
    {
      id: 'key',
      label: 'Make a delivery key',
      help: 'A website shows it to read what is published.',
      to: '/keys?new=1',
      done: keys.some(({ revokedAt }) => revokedAt === null),
    },
    {
      id: 'read',
      label: 'Read it from a website',
      help: 'The key screen has an example to copy and run.',
      to: '/keys',
      done: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
    },
  ]
}
