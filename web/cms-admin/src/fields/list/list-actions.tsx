import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronsDownUp, ChevronsUpDown, ClipboardPaste, Plus } from 'lucide-react'
import { isInline } from './rows.ts'
import { isFlat } from './table-text.ts'

type ListActionsProps = {
  field: FieldOf<'list'>
  count: number
  openCount: number
  isFull: boolean
  disabled: boolean
  onAdd: () => void
  onPaste: () => void
  onToggleAll: () => void
}

/** The actions on a whole list, and how many rows it has. */
export const ListActions = ({
  field,
  count,
  openCount,
  isFull,
  disabled,
  onAdd,
  onPaste,
  onToggleAll,
}: ListActionsProps) => (
  <div
    className={cx(
      'flex flex-wrap items-center gap-2',
      count === 0 && 'rounded-lg border border-line-strong border-dashed px-3 py-2.5',
    )}
  >
    {count === 0 ? <p className="mr-2 text-faint text-sm">No items yet</p> : null}
    {disabled ? null : (
      <Button size="sm" icon={<Plus />} disabled={isFull} onClick={onAdd} data-list-add>
        Add item<span className="sr-only"> to {field.label}</span>
      </Button>
    )}
    {disabled || !isFlat(field.fields) ? null : (
      <Button size="sm" variant="ghost" icon={<ClipboardPaste />} disabled={isFull} onClick={onPaste}>
        Paste items<span className="sr-only"> into {field.label}</span>
      </Button>
    )}
    {count > 1 && !isInline(field.fields) ? (
      <Button
        size="sm"
        variant="ghost"
        icon={openCount > 0 ? <ChevronsDownUp /> : <ChevronsUpDown />}
        onClick={onToggleAll}
      >
        {openCount > 0 ? 'Collapse all' : 'Expand all'}
      </Button>
    ) : null}
    <span className="ml-auto text-faint text-xs tabular-nums">
      {field.maxItems === undefined
        ? count > 0 && formatCount(count, 'item', 'items')
        : `${count} of ${field.maxItems}`}
    </span>
  </div>
)
