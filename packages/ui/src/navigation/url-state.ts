import { useNavigate, useSearch } from '@tanstack/react-router'

export type UrlState = {
  /** The value in the address; empty when it has none. */
  get: (name: string) => string
  /** Changes the address without a new entry in the history; an empty value goes away. */
  set: (changes: Record<string, string>) => void
}

/** Filters, pages and open dialogs live in the address, so that they can be shared and survive a reload. */
export const useUrlState = (): UrlState => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    get: (name) => readText(search[name]),
    set: (changes) => {
      void navigate({ to: '.', search: (before: Record<string, unknown>) => changed(before, changes), replace: true })
    },
  }
}

export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Addresses as people write them: the router's own way puts quotes around a text that could be a number. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

export const stringifySearch = (search: Record<string, unknown>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}

export const changed = (before: Record<string, unknown>, changes: Record<string, string>): Record<string, unknown> => {
  const next = { ...before }
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') Reflect.deleteProperty(next, name)
    else next[name] = value
  }
  return next
}

/** A page number out of the address, 1 or more. */
export const readPage = (text: string): number => Math.max(1, Math.floor(Number(text)) || 1)
