import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { HandleRoom, SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ArrowDown, ArrowUp, CopyPlus, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { viewOf } from '../fields/index.ts'
import type { FieldDraft } from './draft.ts'
import { formOptions } from './field-options.ts'
import { FieldTypeIcon } from './field-type-icon.tsx'

export type FieldListActions = {
  onAdd: () => void
  onOpen: (field: FieldDraft) => void
  onMove: (from: number, to: number) => void
  onDuplicate: (field: FieldDraft) => void
  onRemove: (field: FieldDraft) => void
}

type FieldListProps = FieldListActions & {
  label: string
  fields: readonly FieldDraft[]
  /** The field that is open beside the list. */
  openId: string | undefined
  /** How many problems a field has, by its place. */
  problemCount: (index: number) => number
  empty: ReactNode
}

/** The fields of a type or of a list, to be ordered and opened. */
export const FieldList = ({ label, fields, openId, problemCount, empty, ...actions }: FieldListProps) => (
  <div className="flex min-w-0 flex-col">
    {fields.length === 0 ? (
      empty
    ) : (
      <SortableRows
        label={label}
        items={fields}
        nameOf={nameOfField}
        onMove={actions.onMove}
        className="divide-y divide-line"
        rowClassName={(field) =>
          cx('flex min-h-12 items-center gap-2 py-1.5 pr-2 pl-1.5', field.id === openId && 'bg-accent-soft')
        }
        row={(field, index, handle) => (
          <>
            {handle ?? <HandleRoom />}
            <FieldTypeIcon type={field.type} />
            <FieldName field={field} isOpen={field.id === openId} onOpen={() => actions.onOpen(field)} />
            <FieldMarks field={field} problems={problemCount(index)} />
            <FieldMenu field={field} index={index} last={index === fields.length - 1} {...actions} />
          </>
        )}
      />
    )}
    <div className={cx('px-3 py-2.5', fields.length > 0 && 'border-line border-t')}>
      <Button icon={<Plus />} onClick={actions.onAdd}>
        Add field
      </Button>
    </div>
  </div>
)

/** The name of a field for people, also while it has no label yet. */
export const nameOfField = (field: FieldDraft): string =>
  field.label.trim() || field.key || `New ${viewOf(field).label.toLowerCase()}`

type FieldNameProps = { field: FieldDraft; isOpen: boolean; onOpen: () => void }

const FieldName = ({ field, isOpen, onOpen }: FieldNameProps) => {
  const view = viewOf(field)
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-expanded={isOpen}
      className="flex min-w-0 flex-1 flex-col rounded-sm py-0.5 text-left"
    >
      <span className="truncate font-medium text-ink text-sm">{nameOfField(field)}</span>
      <span className="truncate text-faint text-xs">
        {view.label}
        {view.hasFields ? `, ${formatCount(field.fields.length, 'field', 'fields')}` : ''}
        {view.detail?.(formOptions(field)) ?? ''}
        {field.key === '' ? '' : ' · '}
        <code className="font-mono">{field.key}</code>
      </span>
    </button>
  )
}

const FieldMarks = ({ field, problems }: { field: FieldDraft; problems: number }) => (
  <span className="flex shrink-0 flex-wrap items-center justify-end gap-1">
    {problems > 0 ? <Badge tone="failed">{formatCount(problems, 'problem', 'problems')}</Badge> : null}
    {field.savedKey === '' ? <Badge tone="accent">New</Badge> : null}
    <span className="contents phone:hidden">
      {field.required ? <Badge>Required</Badge> : null}
      {field.unique ? <Badge>Unique</Badge> : null}
      {field.hidden ? <Badge>Hidden</Badge> : null}
    </span>
  </span>
)

type FieldMenuProps = FieldListActions & { field: FieldDraft; index: number; last: boolean }

const FieldMenu = ({ field, index, last, onOpen, onMove, onDuplicate, onRemove }: FieldMenuProps) => (
  <Menu trigger={<IconButton size="sm" label={`Actions for ${nameOfField(field)}`} icon={<Ellipsis />} />}>
    <MenuItem icon={<Pencil />} onSelect={() => onOpen(field)}>
      Edit
    </MenuItem>
    <MenuItem icon={<CopyPlus />} onSelect={() => onDuplicate(field)}>
      Duplicate
    </MenuItem>
    <MenuItem icon={<ArrowUp />} disabled={index === 0} onSelect={() => onMove(index, index - 1)}>
      Move up
    </MenuItem>
    <MenuItem icon={<ArrowDown />} disabled={last} onSelect={() => onMove(index, index + 1)}>
      Move down
    </MenuItem>
    <MenuSeparator />
    <MenuItem icon={<Trash2 />} danger onSelect={() => onRemove(field)}>
      Remove
    </MenuItem>
  </Menu>
)
