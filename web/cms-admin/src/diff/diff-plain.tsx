import type { ReactNode } from 'react'
import type { Change } from './changes.ts'
import { Sides } from './diff-records.tsx'

type PlainChangeProps = { change: Change; shown?: (value: unknown) => ReactNode }

/** A value that is compared as a whole: what it was, and what it is. */
export const PlainChange = ({ change, shown = wordOf }: PlainChangeProps) => {
  const side = (value: unknown): ReactNode =>
    value === null || value === undefined || value === '' ? null : shown(value)
  return <Sides before={side(change.before)} after={side(change.after)} />
}

/** A value in words, whatever its field. */
export const wordOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
