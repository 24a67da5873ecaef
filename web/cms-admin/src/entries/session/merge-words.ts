import type { Entry } from '@stoa/cms-model/entries.ts'

/** More names than these are not read. */
const NAMED = 3
const list = new Intl.ListFormat('en')

/** Says that someone's changes of other fields were taken over beside one's own. */
export const mergeWords = (by: Entry['updatedBy'], me: { id: string }, labels: readonly string[]): string => {
  const what = labels.length > NAMED ? `${labels.length} fields` : list.format(labels)
  return by?.id === me.id
    ? `You changed ${what} in another window. Both were kept.`
    : `${by?.name ?? 'Someone'} changed ${what} meanwhile. Both were kept.`
}
