import { RequestError } from '@stoa/ui/request/request.ts'

/** A value that several entries have, with a few of them. */
export type SharedValue = { key: string; value: string; entries: { id: string; title: string }[] }

/** Values that keep a field from becoming unique; undefined when the refusal is another one. */
export const readSharedValues = (error: unknown): SharedValue[] | undefined => {
  const details = detailsOf(error)
  if (details?.reason !== 'duplicates' || !Array.isArray(details.examples)) return undefined
  return details.examples.filter(isRecord).map(({ key, value, entries }) => ({
    key: textOf(key),
    value: textOf(value),
    entries: (Array.isArray(entries) ? entries.filter(isRecord) : []).map(({ id, title }) => ({
      id: textOf(id),
      title: textOf(title),
    })),
  }))
}

/** Whether there are too many entries for a single type. */
export const isTooManyForSingle = (error: unknown): boolean => detailsOf(error)?.reason === 'single'

const detailsOf = (error: unknown): Record<string, unknown> | undefined => {
  if (!(error instanceof RequestError) || error.code !== 'TYPE_IN_USE' || !isRecord(error.body)) return undefined
  return isRecord(error.body.details) ? error.body.details : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
