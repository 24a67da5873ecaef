import type { Dashboard, EntryCard } from '@stoa/cms-model/dashboard.ts'

/** When the entry changes by itself next; undefined when it is not scheduled. */
export const nextTime = ({
  publishAt,
  unpublishAt,
}: Pick<EntryCard, 'publishAt' | 'unpublishAt'>): string | undefined =>
  [publishAt, unpublishAt].filter((at) => at !== null).toSorted()[0]

/** The lists of what waits, each entry once: what failed is no mere draft. */
export const needsOf = ({ failed, webhooks, drafts, scheduled, pending }: Dashboard) => ({
  failed,
  webhooks,
  drafts: drafts.filter(({ id }) => !failed.some((other) => other.id === id)),
  scheduled,
  pending,
})

export const totalsOf = ({ types }: Pick<Dashboard, 'types'>): { entries: number; published: number } => ({
  entries: types.reduce((sum, { total }) => sum + total, 0),
  published: types.reduce((sum, { published }) => sum + published, 0),
})
