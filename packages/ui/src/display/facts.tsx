import type { ReactNode } from 'react'

/** Names and values of one thing, read only. */
export const Facts = ({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) => (
  <dl className="grid min-w-0 grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
    {facts.map((fact) => (
      <div key={fact.label} className="contents">
        <dt className="text-faint">{fact.label}</dt>
        <dd className="min-w-0 break-words text-ink">{fact.value}</dd>
      </div>
    ))}
  </dl>
)
