import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { pictureField } from '@stoa/cms-model/fields/picture-field.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import type { Column } from '@stoa/ui/table/data-table.tsx'
import { viewOf } from '../../fields/index.ts'
import { EntryThumb } from '../../fields/media/pictures.tsx'
import { EntryStatus } from '../status.tsx'
import { FIELD_PREFIX, fieldOfColumn } from './column-choice.ts'
import { isSortable } from './filter.ts'
import { idsIn, titleOf } from './values.ts'

/** The columns of a list: the title, and those that were chosen; without a choice, some leave narrow tables to the title. */
export const columnsOf = (
  type: Pick<ContentType, 'fields'>,
  { chosen, isUsual }: { chosen: readonly string[]; isUsual: boolean },
): [Column<EntryItem>, ...Column<EntryItem>[]] => {
  const picture = pictureField(type.fields)
  return [
    { id: 'title', header: 'Title', sortable: true, cell: (entry) => <TitleCell entry={entry} picture={picture} /> },
    ...chosen.flatMap((id) => {
      const field = fieldOfColumn(type.fields, id)
      const column = field ? fieldColumn(field) : builtIn.get(id)
      // On a phone there is room for how it stands and when it was changed; who chose columns gets them on a desk
      const isMain = column?.lineOnPhone === true
      return column ? [{ ...column, hideOnPhone: !isMain, isSpare: isUsual && !isMain }] : []
    }),
  ]
}

const TitleCell = ({ entry, picture }: { entry: EntryItem; picture: Field | undefined }) => {
  const [first] = picture ? idsIn(entry.data[picture.key]) : []
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {picture === undefined ? null : first === undefined ? (
        <span aria-hidden className="size-6 shrink-0 rounded-xs bg-sunken" />
      ) : (
        <EntryThumb id={first} />
      )}
      <span className={entry.title === '' ? 'truncate text-muted italic' : 'truncate phone:whitespace-normal'}>
        {titleOf(entry)}
      </span>
    </span>
  )
}

const fieldColumn = (field: Field): Column<EntryItem> => {
  const { Cell, align } = viewOf(field)
  return {
    id: FIELD_PREFIX + field.key,
    header: field.label,
    sortable: isSortable(FIELD_PREFIX + field.key, [field]),
    ...(align && { align }),
    cell: (entry) => <Cell field={field} value={entry.data[field.key]} />,
  }
}

const moment = (id: 'updatedAt' | 'publishedAt' | 'createdAt', header: string): Column<EntryItem> => ({
  id,
  header,
  sortable: true,
  ...(id === 'updatedAt' ? { lineOnPhone: true } : {}),
  cell: (entry) => {
    const at = entry[id]
    return at === null ? '–' : <RelativeTime at={at} />
  },
})

const Terms = ({ entry }: { entry: EntryItem }) =>
  entry.terms.length === 0 ? (
    '–'
  ) : (
    <span className="inline-flex max-w-60 items-center gap-1">
      {entry.terms.slice(0, 2).map((term) => (
        <Badge key={term.id}>{term.name}</Badge>
      ))}
      {entry.terms.length > 2 ? <span className="text-faint text-xs">+{entry.terms.length - 2}</span> : null}
    </span>
  )

const columns: readonly Column<EntryItem>[] = [
  {
    id: 'status',
    header: 'Status',
    lineOnPhone: true,
    cell: (entry) => <EntryStatus entry={entry} />,
  },
  { id: 'terms', header: 'Terms', cell: (entry) => <Terms entry={entry} /> },
  { id: 'locale', header: 'Language', cell: (entry) => entry.locale },
  {
    id: 'slug',
    header: 'Slug',
    sortable: true,
    cell: (entry) => <code className="block max-w-48 truncate font-mono text-xs">{entry.slug}</code>,
  },
  {
    id: 'author',
    header: 'Author',
    cell: (entry) => <span className="block max-w-40 truncate">{entry.author?.name ?? '–'}</span>,
  },
  moment('publishedAt', 'Published'),
  moment('createdAt', 'Created'),
  moment('updatedAt', 'Updated'),
]

const builtIn: ReadonlyMap<string, Column<EntryItem>> = new Map(columns.map((column) => [column.id, column]))
