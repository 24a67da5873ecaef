import type { Json } from '../../people/call-route/call-route.ts'

/** Text that a database can hold: without NUL, and without halves of characters. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Escapes of what no database takes; also found where a backslash stands before them, which costs no more than a look. */
const SUSPECT = /\\u(0000|d[89a-f][0-9a-f]{2})/i

/** Whether all of it can be stored as it is. */
export const isStorable = (value: Json): boolean => {
  const text = JSON.stringify(value)
  return !SUSPECT.test(text) || text === JSON.stringify(cleaned(value))
}

/** The same value with text that can be stored. */
export const storableJson = (value: Json): Json => (SUSPECT.test(JSON.stringify(value)) ? cleaned(value) : value)

const cleaned = (value: Json): Json => {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), cleaned(member)]))
}

/**
 * Makes text storable piece by piece. A character may come in halves: the first one waits for the second.
 */
export const createTextCleaner = () => {
  let held = ''
  return {
    next(delta: string): string {
      const text = held + delta
      const last = text.charCodeAt(text.length - 1)
      held = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
      return storableText(held === '' ? text : text.slice(0, -1))
    },
    rest: (): string => storableText(held),
  }
}
