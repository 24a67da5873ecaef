import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { SectionState } from '@stoa/cms-model/section-states.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { type ComponentType, type ReactNode, useMemo } from 'react'
import type { ChangeProps } from '../fields/field-view.ts'
import { rowChanges, summaryOf } from './changes.ts'
import { EntryTitle, FileCard } from './diff-records.tsx'
import { Capped, Folded, keyed, Line, Marked } from './diff-text.tsx'
import { fold } from './fold.ts'
import { diffRows, type ItemRow } from './rows.ts'

type ItemsProps = { before: unknown; after: unknown }

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value])

const useRows = ({ before, after }: ItemsProps): readonly ItemRow[] =>
  useMemo(() => diffRows(itemsOf(before), itemsOf(after)), [before, after])

/** Rows of a list: which came, went, changed or were moved. `Body` draws what changed inside. */
export const ListChange = (props: ItemsProps & { fields: readonly Field[]; Body: ComponentType<ChangeProps> }) => {
  const { fields, Body } = props
  const rows = useRows(props)
  return (
    <Capped rows={fold(rows, 0)}>
      {(shown) => (
        <ol className="flex min-w-0 flex-col gap-2">
          {keyed(shown).map(([key, row]) => (
            <li key={key}>
              {row.kind === 'fold' ? (
                <Folded count={row.count} one="row" many="rows" />
              ) : (
                <ListRow row={row} fields={fields} Body={Body} />
              )}
            </li>
          ))}
        </ol>
      )}
    </Capped>
  )
}

type ListRowProps = { row: ItemRow; fields: readonly Field[]; Body: ComponentType<ChangeProps> }

const ListRow = ({ row, fields, Body }: ListRowProps) => {
  const item = row.kind === 'removed' ? row.before : row.after
  const changes = useMemo(
    () => (row.kind === 'same' || row.kind === 'moved' ? [] : rowChanges(fields, beforeOf(row), afterOf(row))),
    [row, fields],
  )
  return (
    <div
      className={cx(
        'flex min-w-0 flex-col gap-2 rounded-md border px-2.5 py-2',
        row.kind === 'added'
          ? 'border-live-line'
          : row.kind === 'removed'
            ? 'border-failed-line border-dashed'
            : 'border-line',
      )}
    >
      <p className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
        <RowBadge row={row} />
        <span className="min-w-0 truncate text-muted">{summaryOf(fields, item)}</span>
      </p>
      {changes.map((change) => (
        <div key={change.path} className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium text-faint text-xs">{change.label}</span>
          <Body change={change} field={fields.find(({ key }) => `data.${key}` === change.path)} />
        </div>
      ))}
    </div>
  )
}

const beforeOf = (row: ItemRow): unknown => (row.kind === 'added' ? {} : row.before)
const afterOf = (row: ItemRow): unknown => (row.kind === 'removed' ? {} : row.after)

const RowBadge = ({ row }: { row: ItemRow }) => {
  if (row.kind === 'added') return <Badge tone="live">Row {row.to + 1} added</Badge>
  if (row.kind === 'removed') return <Badge tone="failed">Row {row.from + 1} removed</Badge>
  const moved = `Row ${row.from + 1} moved to ${row.to + 1}`
  if (row.kind === 'moved') return <Badge tone="scheduled">{moved}</Badge>
  if (row.kind === 'same') return <Badge>Row {row.to + 1}</Badge>
  return (
    <>
      <Badge tone="accent">Row {row.to + 1} changed</Badge>
      {row.isMoved ? <Badge tone="scheduled">{moved}</Badge> : null}
    </>
  )
}

/** Files of a gallery, in order. */
export const GalleryChange = (props: ItemsProps) => (
  <ul className="flex flex-wrap gap-2">
    {keyed(useRows(props)).map(([key, row]) => (
      <li key={key} className="flex flex-col gap-1">
        <FileCard
          id={String(row.kind === 'removed' ? row.before : row.after)}
          kind={row.kind === 'added' || row.kind === 'removed' ? row.kind : 'same'}
        />
        {row.kind === 'moved' ? (
          <span className="text-center text-faint text-xs">
            {row.from + 1} → {row.to + 1}
          </span>
        ) : null}
      </li>
    ))}
  </ul>
)

/** Entries that are referred to, by their titles. */
export const ReferenceChange = (props: ItemsProps) => (
  <Simple {...props}>{(item) => <EntryTitle id={String(item)} />}</Simple>
)

/** Chosen values, by their words. */
export const ChoicesChange = ({ wordOf, ...props }: ItemsProps & { wordOf: (value: unknown) => string }) => (
  <Simple {...props}>{wordOf}</Simple>
)

const Simple = ({ children, ...props }: ItemsProps & { children: (item: unknown) => ReactNode }) => (
  <Capped rows={useRows(props)}>
    {(rows) => (
      <div className="flex min-w-0 flex-col gap-0.5">
        {keyed(rows).map(([key, row]) => (
          <Line key={key} kind={row.kind === 'added' || row.kind === 'removed' ? row.kind : 'same'}>
            <Marked kind={row.kind === 'added' || row.kind === 'removed' ? row.kind : 'same'}>
              {children(row.kind === 'removed' ? row.before : row.after)}
            </Marked>
            {row.kind === 'moved' ? (
              <span className="ml-2 text-faint text-xs">
                moved from {row.from + 1} to {row.to + 1}
              </span>
            ) : null}
          </Line>
        ))}
      </div>
    )}
  </Capped>
)

/** The sections of a page before and after: their order, and which are hidden. */
export const LayoutChange = ({ before, after }: ItemsProps) => {
  const [old, present] = [sectionsIn(before), sectionsIn(after)]
  const moved = new Map(
    diffRows(
      old.map(({ id }) => id),
      present.map(({ id }) => id),
    ).flatMap((row) => (row.kind === 'moved' ? [[String(row.after), row.from] as const] : [])),
  )
  const wasHidden = (id: string) => old.some((section) => section.id === id && section.hidden)
  return (
    <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
      <SectionList title="Before" sections={old} noteOf={({ hidden }) => (hidden ? 'hidden' : '')} />
      <SectionList
        title="After"
        sections={present}
        noteOf={({ id, hidden }) => {
          const from = moved.get(id)
          const visibility = hidden ? (wasHidden(id) ? 'hidden' : 'now hidden') : wasHidden(id) ? 'shown again' : ''
          return [from === undefined ? '' : `moved from ${from + 1}`, visibility].filter(Boolean).join(', ')
        }}
      />
    </div>
  )
}

type SectionListProps = {
  title: string
  sections: readonly SectionState[]
  noteOf: (section: SectionState) => string
}

const SectionList = ({ title, sections, noteOf }: SectionListProps) => (
  <div className="flex min-w-0 flex-col gap-1">
    <h4 className="font-medium text-faint text-xs">{title}</h4>
    {sections.length === 0 ? <p className="text-muted">Default</p> : null}
    <ol className="flex min-w-0 list-inside list-decimal flex-col gap-0.5 marker:text-faint">
      {sections.map((section) => (
        <li key={section.id}>
          <span className={cx(section.hidden && 'text-faint line-through')}>{section.label}</span>{' '}
          <span className="text-faint text-xs">{noteOf(section)}</span>
        </li>
      ))}
    </ol>
  </div>
)

const sectionsIn = (value: unknown): readonly SectionState[] => (Array.isArray(value) ? value : [])
