import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { moved } from './edited-rules.ts'
import { useRowFocus } from './use-row-focus.ts'

type RulePartsProps<T extends { id: string }> = {
  noun: 'condition' | 'action'
  intro: ReactNode
  parts: readonly T[]
  onParts: (parts: readonly T[]) => void
  make: () => T
  row: (part: T, at: number, frame: PartFrame) => ReactNode
}

/** The context of a row in its list. */
export type PartFrame = {
  /** Which one of the rule it is, for screen readers. */
  name: string
  handle: ReactNode
  onRemove: () => void
}

/** The conditions or the actions of a rule: rows that are added, moved and removed. */
export const RuleParts = <T extends { id: string }>({ noun, intro, parts, onParts, make, row }: RulePartsProps<T>) => {
  const focus = useRowFocus()
  const title = noun === 'condition' ? 'Condition' : 'Action'
  return (
    <fieldset ref={focus.box} aria-label={`${title}s`} className="flex min-w-0 flex-col gap-2">
      {intro}
      <SortableRows
        label={`${title}s`}
        className="flex flex-col gap-2 phone:gap-4"
        items={parts}
        nameOf={(part) => `${noun} ${parts.indexOf(part) + 1}`}
        onMove={(from, to) => onParts(moved(parts, from, to))}
        row={(part, at, handle) =>
          row(part, at, {
            name: `${title} ${at + 1}`,
            handle,
            onRemove: () => {
              focus.removed()
              onParts(parts.toSpliced(at, 1))
            },
          })
        }
      />
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus />}
        className="self-start"
        onClick={() => {
          focus.added()
          onParts([...parts, make()])
        }}
      >
        {`Add ${noun}`}
      </Button>
    </fieldset>
  )
}

/** Ties an input to what is wrong with its row. */
export type Wiring = { 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }

type PartRowProps = PartFrame & { error: string | undefined; children: (wiring: Wiring) => ReactNode }

/** One row: its handle, its inputs, the button that removes it, and what is wrong with it. */
export const PartRow = ({ name, handle, onRemove, error, children }: PartRowProps) => {
  const id = useId()
  return (
    <div className="flex min-w-0 items-start gap-1.5">
      {handle}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-start gap-x-1.5 gap-y-2">
          {children({ 'aria-invalid': error ? true : undefined, 'aria-describedby': error ? id : undefined })}
        </div>
        {error ? <FieldError id={id}>{error}</FieldError> : null}
      </div>
      <IconButton size="sm" label={`Remove ${name.toLowerCase()}`} icon={<X />} onClick={onRemove} />
    </div>
  )
}
