import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { DeliveryKey } from '@stoa/cms-model/keys.ts'
import { contentPath } from '../content-path.ts'

/** Facts about the site; undefined while they load. */
export type SiteState = {
  title: string | undefined
  types: readonly Pick<ContentType, 'name' | 'kind'>[] | undefined
  entries: number | undefined
  published: number | undefined
  keys: readonly Pick<DeliveryKey, 'lastUsedAt' | 'revokedAt'>[] | undefined
}

export type SetupStep = { id: string; label: string; help: string; to: string; done: boolean }

/** The way from an empty site to a page that reads from it; undefined while something is not known. */
export const stepsOf = ({ title, types, entries, published, keys }: SiteState): readonly SetupStep[] | undefined => {
  if (title === undefined || types === undefined || entries === undefined) return undefined
  if (published === undefined || keys === undefined) return undefined
  const first = types.find(({ kind }) => kind === 'collection') ?? types[0]
  const list = first ? contentPath(first.name) : '/types/new'
  return [
    {
      id: 'title',
      label: 'Name your site',
      help: 'Set its title, URL and languages',
      to: '/settings',
      done: title !== '',
    },
    {
      id: 'type',
      label: 'Create a content type',
      help: 'Define what you write, such as articles, pages or products',
      to: '/types/new',
      done: types.length > 0,
    },
    {
      id: 'entry',
      label: 'Write your first entry',
      help: 'It starts as a draft only your team can see',
      to: first ? `${list}/new` : list,
      done: entries > 0,
    },
    {
      id: 'published',
      label: 'Publish it',
      help: 'Your website can read it right away',
      to: list,
      done: published > 0,
    },
    {
      id: 'key',
      label: 'Create a delivery key',
      help: 'Your website uses it to read published content',
      to: '/keys?new=1',
      done: keys.some(({ revokedAt }) => revokedAt === null),
    },
    {
      id: 'read',
      label: 'Read it from your website',
      help: 'Copy the example from the delivery keys screen',
      to: '/keys',
      done: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
    },
  ]
}
