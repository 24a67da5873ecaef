import { Badge } from '@stoa/ui/display/badge.tsx'
import type { ReactNode } from 'react'

/** The placeholder for an empty value. */
export const NOTHING = '–'
// Names and sizes are seldom looked at again within this time; the service reports changes
export const NAMES_FRESH_MS = 300_000
/** More would make the row wider than it is worth. */
const SHOWN = 2

export const TextCell = ({ children }: { children: string }) =>
  children === '' ? NOTHING : <span className="block max-w-60 truncate phone:max-w-none">{children}</span>

/** The first of several values, and how many more there are. */
export const Several = ({ items }: { items: readonly { id: string; shown: ReactNode }[] }) => {
  if (items.length === 0) return NOTHING
  const rest = items.length - SHOWN
  return (
    <span className="inline-flex max-w-72 items-center gap-1.5">
      {items.slice(0, SHOWN).map(({ id, shown }) => (
        <span key={id} className="inline-flex min-w-0">
          {shown}
        </span>
      ))}
      {rest > 0 ? <span className="shrink-0 text-faint text-xs">+{rest}</span> : null}
    </span>
  )
}

type ChoicesProps = { values: readonly string[]; options: readonly { value: string; label: string }[] }

export const Choices = ({ values, options }: ChoicesProps) => (
  <Several
    items={values.map((value) => ({
      id: value,
      shown: <Badge>{options.find((option) => option.value === value)?.label ?? value}</Badge>,
    }))}
  />
)
