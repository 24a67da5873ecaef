import type { Field } from '@stoa/cms-model/fields/field.ts'
import { formatAbsolute } from '@stoa/ui/format.ts'
import type { ReactNode } from 'react'
import type { Change } from './changes.ts'
import { Sides } from './diff-records.tsx'

/** A value that is compared as a whole: what it was, and what it is. */
export const PlainChange = ({ change, field }: { change: Change; field: Field | undefined }) => {
  const shown = (value: unknown): ReactNode => {
    if (value === null || value === undefined || value === '') return null
    return change.fieldType === 'color' ? <Colour value={String(value)} /> : wordFor(value, change.fieldType, field)
  }
  return <Sides before={shown(change.before)} after={shown(change.after)} />
}

/** A value in words: what an option is called, yes or no, a moment in the person's zone. */
export const wordFor = (value: unknown, fieldType: string | null, field: Field | undefined): string => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' && fieldType === 'datetime' && !Number.isNaN(Date.parse(value)))
    return formatAbsolute(new Date(value))
  if (field?.type === 'select' || field?.type === 'multiselect')
    return field.options.find((option) => option.value === value)?.label ?? String(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

const Colour = ({ value }: { value: string }) => (
  <span>
    <span
      aria-hidden
      style={{ backgroundColor: value }}
      className="mr-1.5 inline-block size-4 rounded-xs border border-line-strong align-text-bottom"
    />
    <code className="font-mono text-xs">{value}</code>
  </span>
)
