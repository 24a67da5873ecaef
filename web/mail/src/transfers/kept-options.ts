import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'

/** The chosen options of a transfer that the service does not return: which mail to include. */
export type KeptOptions = { folders: string; exclude: string; since: string }

const KEY = 'transfer-options'
/** Older ones are not started again. */
const MAX_KEPT = 20

export const keepOptions = (id: string, options: KeptOptions): void => {
  const others = readAll().filter((entry) => entry.id !== id)
  writeStored(KEY, [{ id, ...options }, ...others].slice(0, MAX_KEPT))
}

export const keptOptions = (id: string): KeptOptions => {
  const { folders = '', exclude = '', since = '' } = readAll().find((entry) => entry.id === id) ?? {}
  return { folders, exclude, since }
}

type Entry = KeptOptions & { id: string }

const readAll = (): Entry[] => {
  const stored = readStored(KEY)
  return Array.isArray(stored) ? stored.filter(isEntry) : []
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'folders', 'exclude', 'since'].every((name) => typeof Reflect.get(value, name) === 'string')
