import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import type { ReactNode } from 'react'

/** Values that are copied one by one, in a frame. */
export const CopyFields = ({ children }: { children: ReactNode }) => (
  <div className="flex min-w-0 flex-col divide-y divide-line overflow-hidden rounded-lg border border-line text-sm">
    {children}
  </div>
)

/** Several short ones beside each other. */
export const CopyLine = ({ children }: { children: ReactNode }) => (
  <div className="flex min-w-0 flex-wrap gap-x-6 phone:gap-x-2">{children}</div>
)

type CopyFieldProps = { label: string; value: string; of: string }

/** A value with its name and a button that copies it; `of` says what it belongs to. */
export const CopyField = ({ label, value, of }: CopyFieldProps) => (
  <div className="flex min-w-0 items-start gap-2 py-0.5 pr-1 pl-3">
    <span className="inline-block shrink-0 py-1 text-faint text-xs first-letter:uppercase touch:py-2">{label}</span>
    <span className="min-w-0 select-all break-all py-1 font-mono text-ink text-xs touch:py-2">{value}</span>
    <CopyButton text={value} label={`Copy ${label} of ${of}`} iconOnly />
  </div>
)
