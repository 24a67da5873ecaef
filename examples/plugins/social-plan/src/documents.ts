import type { Collection, ListOptions, StoredDocument } from '@stoa/cms-plugin'
import { Problem, store } from 'stoa'
import type { Client } from './client.ts'
import type { Plan } from './plan.ts'

export const plans = store<Plan>('plans')
export const clients = store<Client>('clients')
export const people = store<{ name: string }>('people')

/** Others that write at the same moment are few; this many times in a row is no chance. */
const MAX_TRIES = 5

export const isCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code

/**
 * Changes a document as it is at that moment, again if somebody else was quicker. `change` gives null to leave it alone.
 */
export const change = async <T>(
  collection: Collection<T>,
  id: string,
  next: (value: T) => T | null,
): Promise<StoredDocument<T>> => {
  for (let tries = 1; ; tries += 1) {
    const found = await collection.get(id)
    if (!found) throw new Problem(404, 'It no longer exists: someone deleted it')
    const value = next(found.value)
    if (value === null) return found
    try {
      const { version } = await collection.put(id, value, { ifVersion: found.version })
      return { ...found, version, value }
    } catch (error) {
      if (!isCode(error, 'VERSION_CONFLICT') || tries === MAX_TRIES) throw error
    }
  }
}

/** All documents that fit, up to a number. */
export const listAll = async <T>(
  collection: Collection<T>,
  options: ListOptions,
  max: number,
): Promise<StoredDocument<T>[]> => {
  const found: StoredDocument<T>[] = []
  let cursor: string | null = null
  do {
    const page: { items: StoredDocument<T>[]; cursor: string | null } = await collection.list({
      ...options,
      limit: 100,
      cursor,
    })
    found.push(...page.items)
    cursor = page.cursor
  } while (cursor !== null && found.length < max)
  return found.slice(0, max)
}
