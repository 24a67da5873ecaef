import { Tooltip } from '@stoa/ui/layer/tooltip.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { TriangleAlert, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { nameOf } from '../../people.ts'
import { DRAG_TYPE } from './recipient-drag.ts'
import { problemOf, type Recipient } from './recipients.ts'

type RecipientChipProps = {
  recipient: Recipient
  onRemove: () => void
  onEdit: () => void
  /** To the next one, or the one before. */
  onStep: (step: 1 | -1) => void
}

/** Somebody it goes to. Reached with the arrow keys; Enter changes it, Backspace takes it away. */
export const RecipientChip = ({ recipient, onRemove, onEdit, onStep }: RecipientChipProps) => {
  const problem = problemOf(recipient.email)
  const press = (event: KeyboardEvent) => {
    const action = {
      Backspace: onRemove,
      Delete: onRemove,
      Enter: onEdit,
      ArrowLeft: () => onStep(-1),
      ArrowRight: () => onStep(1),
    }[event.key]
    if (!action || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    action()
  }
  return (
    <li
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, recipient.email)}
      className={cx(
        'inline-flex h-6 max-w-full items-center rounded-full border text-sm touch:h-8',
        problem === null ? 'border-line bg-sunken' : 'border-failed-line bg-failed-soft text-failed-ink',
      )}
    >
      <Tooltip label={problem ?? recipient.email}>
        <button
          type="button"
          data-chip
          tabIndex={-1}
          onKeyDown={press}
          onDoubleClick={onEdit}
          aria-label={`${nameOf(recipient)}${recipient.name === null ? '' : `, ${recipient.email}`}${problem === null ? '' : `, invalid: ${problem}`}`}
          className="flex min-w-0 items-center gap-1 rounded-full pr-0.5 pl-2.5 outline-offset-1 focus:outline-2 focus:outline-ring"
        >
          {problem === null ? null : <TriangleAlert aria-hidden className="size-3.5 shrink-0" />}
          <span className="truncate">{nameOf(recipient)}</span>
        </button>
      </Tooltip>
      <button
        type="button"
        tabIndex={-1}
        onClick={onRemove}
        aria-label={`Remove ${nameOf(recipient)}`}
        className="flex size-5 shrink-0 items-center justify-center rounded-full text-faint hover:bg-hover hover:text-ink touch:size-7"
      >
        <X aria-hidden className="size-3" />
      </button>
    </li>
  )
}
