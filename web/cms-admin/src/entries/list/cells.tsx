import type { Field } from '@stoa/cms-model/fields/field.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { formatCount, formatDate } from '@stoa/ui/format.ts'
import { TextLink } from '@stoa/ui/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { contentPath } from '../../content-path.ts'
import { MediaThumb } from '../../media/media-thumb.tsx'
import { mediaQuery } from '../../media/queries.ts'
import { entryItemQuery } from '../queries.ts'
import { excerptOf, idsIn, shortUrl, titleOf } from './values.ts'

/** One value in a list: short, and never more than a line. */
export const FieldCell = ({ field, value }: { field: Field; value: unknown }) => {
  switch (field.type) {
    case 'boolean':
      return <YesNo value={value === true} />
    case 'number':
      return typeof value === 'number' ? numbers.format(value) : NOTHING
    case 'date':
      return typeof value === 'string' ? formatDate(new Date(`${value}T00:00:00`), new Date()) : NOTHING
    case 'datetime':
      return typeof value === 'string' ? moments.format(new Date(value)) : NOTHING
    case 'select':
      return <Choices values={typeof value === 'string' ? [value] : []} options={field.options} />
    case 'multiselect':
      return <Choices values={idsIn(value)} options={field.options} />
    case 'color':
      return typeof value === 'string' ? <Colour value={value} /> : NOTHING
    case 'media':
    case 'gallery':
      return <Pictures ids={idsIn(value)} />
    case 'reference':
      return <References ids={idsIn(value)} type={field.to} />
    case 'list':
      return Array.isArray(value) && value.length > 0 ? formatCount(value.length, 'item', 'items') : NOTHING
    case 'url':
      return typeof value === 'string' && value !== '' ? <Text>{shortUrl(value)}</Text> : NOTHING
    case 'json':
      return value === null ? NOTHING : <code className="font-mono text-xs">{excerptOf(JSON.stringify(value))}</code>
    default:
      return <Text>{excerptOf(value, field.type === 'richtext')}</Text>
  }
}

const NOTHING = '–'
// Names and sizes are seldom looked at again within this time; a change is told by the service
const NAMES_FRESH_MS = 300_000
/** More would make the row wider than it is worth. */
const SHOWN = 2

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 10 })
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const Text = ({ children }: { children: string }) =>
  children === '' ? NOTHING : <span className="block max-w-60 truncate phone:max-w-none">{children}</span>

const YesNo = ({ value }: { value: boolean }) => {
  const Icon = value ? Check : Minus
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className={value ? 'size-3.5 text-live-mark' : 'size-3.5 text-faint'} />
      {value ? 'Yes' : 'No'}
    </span>
  )
}

type ChoicesProps = { values: readonly string[]; options: readonly { value: string; label: string }[] }

const Choices = ({ values, options }: ChoicesProps) => (
  <Several
    items={values.map((value) => ({
      id: value,
      shown: <Badge>{options.find((option) => option.value === value)?.label ?? value}</Badge>,
    }))}
  />
)

const Colour = ({ value }: { value: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className="size-3.5 rounded-xs border border-line-strong" style={{ backgroundColor: value }} />
    <code className="font-mono text-xs">{value}</code>
  </span>
)

const Pictures = ({ ids }: { ids: readonly string[] }) => (
  <Several items={ids.map((id) => ({ id, shown: <EntryThumb id={id} /> }))} />
)

/** The file of a value as a small square; nothing while it is not known. */
export const EntryThumb = ({ id }: { id: string }) => {
  const { data } = useQuery({ ...mediaQuery(id), staleTime: NAMES_FRESH_MS })
  return data ? (
    <MediaThumb media={data} size="xs" />
  ) : (
    <span aria-hidden className="size-6 shrink-0 rounded-xs bg-sunken" />
  )
}

const References = ({ ids, type }: { ids: readonly string[]; type: string }) => (
  <Several items={ids.map((id) => ({ id, shown: <EntryName id={id} type={type} /> }))} />
)

const EntryName = ({ id, type }: { id: string; type: string }) => {
  const { data, isError } = useQuery({ ...entryItemQuery(id), staleTime: NAMES_FRESH_MS })
  if (!data) return <span>{isError ? 'Missing' : '…'}</span>
  return (
    <TextLink to={`${contentPath(type)}/${id}`} className="max-w-40 truncate">
      {titleOf(data)}
    </TextLink>
  )
}

const Several = ({ items }: { items: readonly { id: string; shown: ReactNode }[] }) => {
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
