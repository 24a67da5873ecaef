import type { Problem } from '@stoa/cms-model/fields/define.ts'
import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { type Members, memberOf } from '@stoa/cms-model/fields/members.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { useSortableItem } from '@stoa/ui/sortable/sortable.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleAlert } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { mediaQuery } from '../../media/queries.ts'
import { FieldActionScope } from '../field-action-scope.ts'
import { FieldEditor } from '../field-editor.tsx'
import { messagesOf, problemsAt, problemsWithin } from '../problems.ts'
import { RowMenu } from './row-menu.tsx'
import { countProblems, pictureOf } from './rows.ts'
import { summaryOf } from './summary.ts'
import type { RowActions } from './use-rows.ts'

export type ListRowProps = {
  rowKey: string
  field: FieldOf<'list'>
  row: Members
  index: number
  count: number
  path: string
  problems: readonly Problem[]
  disabled: boolean
  /** The row is one short input, always in sight. */
  inline: boolean
  isOpen: boolean
  isFull: boolean
  onToggle: () => void
  onAdd: (at: number) => void
  onMove: (from: number, to: number) => void
  onRemove: () => void
  /** After a menu whose action led the focus elsewhere. */
  onRefocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  actions: RowActions
}

/** One row: its summary, and its fields when it is open. */
export const ListRow = (props: ListRowProps) => {
  const { rowKey, index, path, problems, disabled, inline, isOpen, onKeyDown } = props
  const { item, handle, isDragging } = useSortableItem(rowKey, { label: `Move item ${index + 1}`, disabled })
  const own = messagesOf(problemsAt(problems, path))
  const id = useId()
  return (
    <li
      {...item}
      data-row={rowKey}
      data-path={path}
      onKeyDown={onKeyDown}
      className={cx(
        'relative min-w-0 rounded-lg border border-line bg-surface',
        isDragging && 'layer-sticky shadow-md',
      )}
    >
      <div className="flex min-w-0 items-center gap-1 py-1 pr-1 pl-1.5">
        {handle}
        {inline ? <InlineField {...props} /> : <RowHeader {...props} bodyId={id} />}
        <RowMenu {...props} />
      </div>
      {own.map((message, place) => (
        <div key={message} className="px-3 pb-2">
          <FieldError id={`${id}-error-${place}`}>{message}</FieldError>
        </div>
      ))}
      {isOpen && !inline ? (
        <div id={id} data-row-fields className="flex min-w-0 flex-col gap-4 border-line border-t px-2.5 py-3 desk:px-4">
          <RowFields {...props} />
        </div>
      ) : null}
    </li>
  )
}

const RowHeader = ({
  field,
  row,
  index,
  path,
  problems,
  isOpen,
  onToggle,
  bodyId,
}: ListRowProps & { bodyId: string }) => {
  const wrong = countProblems(problems, path)
  const summary = summaryOf(field.fields, row)
  const picture = pictureOf(field.fields, row)
  return (
    <button
      type="button"
      data-row-head
      aria-expanded={isOpen}
      aria-controls={isOpen ? bodyId : undefined}
      onClick={onToggle}
      className="flex min-h-7 min-w-0 flex-1 items-center gap-2 rounded-sm px-1 text-left hover:bg-hover touch:min-h-10"
    >
      <ChevronRight
        aria-hidden
        className={cx('size-4 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
      />
      {picture === undefined ? null : <RowPicture id={picture} />}
      <span className="shrink-0 text-faint text-xs tabular-nums">
        <span className="sr-only">Item </span>
        {index + 1}
      </span>
      <span className={cx('min-w-0 flex-1 truncate text-sm', summary === '' ? 'text-faint' : 'text-ink')}>
        {summary === '' ? 'Empty' : summary}
      </span>
      {wrong > 0 ? (
        <Badge tone="failed" icon={<CircleAlert aria-hidden />}>
          {formatCount(wrong, 'problem', 'problems')}
        </Badge>
      ) : null}
    </button>
  )
}

const RowFields = ({ rowKey, field, row, path, problems, disabled, actions }: ListRowProps) => {
  if (field.fields.length === 0) return <p className="text-faint text-sm">These items have no fields yet.</p>
  return field.fields.map((member) => (
    <FieldEditor
      key={member.key}
      field={member}
      value={memberOf(row, member.key) ?? typeOf(member).empty(member)}
      onChange={(value) => actions.change(rowKey, member.key, value)}
      path={`${path}.${member.key}`}
      problems={problemsWithin(problems, `${path}.${member.key}`)}
      disabled={disabled}
    />
  ))
}

const InlineField = (props: ListRowProps) => (
  <div data-row-fields className="min-w-0 flex-1 py-0.5 [&_[data-frame-label]]:sr-only">
    {/* There is no row for a menu beside a label that is out of sight */}
    <FieldActionScope value={null}>
      <RowFields {...props} />
    </FieldActionScope>
  </div>
)

/** The small picture of a file, by its id; nothing while it is unknown. */
const RowPicture = ({ id }: { id: string }) => {
  const { data } = useQuery(mediaQuery(id))
  return data ? <MediaThumb media={data} size="xs" /> : <span className="size-6 shrink-0 rounded-xs bg-sunken" />
}
