import { useState } from 'react'

/** A value from this browser's storage; undefined when there is none, or site data is blocked. */
export const readStored = (key: string): unknown => {
  try {
    const text = localStorage.getItem(PREFIX + key)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    // Blocked, or written by something else: the default holds
    return undefined
  }
}

/** Whether it is stored: site data may be blocked, or full. */
export const writeStored = (key: string, value: unknown): boolean => {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, JSON.stringify(value))
    return true
  } catch (error) {
    // The choice holds until the page is left
    console.warn("Couldn't save this setting", error)
    return false
  }
}

/** A choice that survives a reload; `read` makes a right value of whatever is stored. */
export const useStored = <T>(key: string, read: (stored: unknown) => T): [T, (value: T | undefined) => void] => {
  const [state, setState] = useState(() => ({ key, value: read(readStored(key)) }))
  const current = state.key === key ? state : { key, value: read(readStored(key)) }
  if (current !== state) setState(current)
  return [
    current.value,
    (value) => {
      writeStored(key, value)
      setState({ key, value: value ?? read(undefined) })
    },
  ]
}

const PREFIX = 'stoa:'
