import type { Me } from '@stoa/cms-model/accounts.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { LayoutGrid, List, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { may } from '../../allowed.tsx'
import { everybodyQuery } from '../../people/queries.ts'
import type { MediaRecord } from '../queries.ts'
import { NEWEST_FIRST, periods } from './filter.ts'
import type { View } from './view.ts'

type LibraryToolbarProps = { me: Me; files: readonly MediaRecord[]; view: View; onView: (view: View) => void }

const KINDS = [
  { value: '', label: 'All types' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
  { value: 'audio', label: 'Audio' },
  { value: 'document', label: 'Documents' },
]

const STATES = [
  { value: '', label: 'Any status' },
  { value: 'alt', label: 'Missing alt text' },
  { value: 'unused', label: 'Unused' },
]

const SORTS = [
  { value: NEWEST_FIRST, label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
  { value: '-updatedAt', label: 'Last changed' },
  { value: 'filename', label: 'Name A–Z' },
  { value: '-filename', label: 'Name Z–A' },
  { value: '-size', label: 'Largest first' },
  { value: 'size', label: 'Smallest first' },
]

/** Search, filters, order and the choice between grid and list. */
export const LibraryToolbar = ({ me, files, view, onView }: LibraryToolbarProps) => {
  const url = useUrlState()
  const uploaders = useUploaders(me, files)
  const [more, setMore] = useState(url.get('by') !== '' || url.get('when') !== '')
  const set = (changes: Record<string, string>) => url.set({ ...changes, page: '' })
  const choice = (name: string) => ({ value: url.get(name), onValue: (value: string) => set({ [name]: value }) })
  return (
    <>
      <span className="flex min-w-0 flex-1 phone:w-full phone:flex-none">
        <UrlSearch label="Search files" value={url.get('q')} onSearch={(q) => set({ q })} />
      </span>
      <Select aria-label="Type" className={narrow} options={KINDS} {...choice('type')} />
      <Select aria-label="Status" className={narrow} options={STATES} {...choice('show')} />
      <IconButton
        variant="secondary"
        label="More filters"
        icon={<SlidersHorizontal />}
        aria-expanded={more}
        className="aria-expanded:bg-pressed"
        onClick={() => setMore(!more)}
      />
      <span className="flex items-center gap-2">
        <Select
          aria-label="Sort"
          className={narrow}
          options={SORTS}
          value={url.get('sort') || NEWEST_FIRST}
          onValue={(sort) => set({ sort: sort === NEWEST_FIRST ? '' : sort })}
        />
        <ViewSwitch view={view} onView={onView} />
      </span>
      {more ? (
        <span className="flex w-full flex-wrap items-center gap-2">
          <Select aria-label="Uploaded by" className={narrow} options={uploaders} {...choice('by')} />
          <Select
            aria-label="Uploaded"
            className={narrow}
            options={WHEN}
            value={url.get('when')}
            onValue={(when) => set({ when, from: '', to: '' })}
          />
          {url.get('when') === 'between' ? <Days from={url.get('from')} to={url.get('to')} onDays={set} /> : null}
        </span>
      ) : null}
    </>
  )
}

const narrow = 'w-auto! max-w-36 text-sm'

const WHEN = [
  { value: '', label: 'Any time' },
  ...Object.entries(periods).map(([value, { label }]) => ({ value, label })),
  { value: 'between', label: 'Custom range…' },
]

type DaysProps = { from: string; to: string; onDays: (days: Record<string, string>) => void }

const Days = ({ from, to, onDays }: DaysProps) => (
  <span className="flex items-center gap-2 text-muted text-sm">
    <Input
      type="date"
      aria-label="From"
      className="w-36!"
      value={from}
      max={to || undefined}
      onChange={(event) => onDays({ from: event.target.value })}
    />
    –
    <Input
      type="date"
      aria-label="To"
      className="w-36!"
      value={to}
      min={from || undefined}
      onChange={(event) => onDays({ to: event.target.value })}
    />
  </span>
)

/** Everybody for those who may see people; for the others, who has uploaded what they see. */
const useUploaders = (me: Me, files: readonly MediaRecord[]) => {
  const { data } = useQuery({ ...everybodyQuery, enabled: may(me, 'users.manage') })
  const people = new Map((data?.items ?? []).map(({ id, name }) => [id, name]))
  for (const { createdBy } of files) if (createdBy) people.set(createdBy.id, createdBy.name)
  people.delete(me.id)
  const others = [...people]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return [{ value: '', label: 'Anyone' }, { value: me.id, label: 'Me' }, ...others]
}

const ViewSwitch = ({ view, onView }: { view: View; onView: (view: View) => void }) => (
  <fieldset aria-label="View" className="flex">
    <IconButton
      variant="secondary"
      label="Grid"
      icon={<LayoutGrid />}
      aria-pressed={view === 'grid'}
      className="rounded-r-none aria-pressed:bg-pressed"
      onClick={() => onView('grid')}
    />
    <IconButton
      variant="secondary"
      label="List"
      icon={<List />}
      aria-pressed={view === 'list'}
      className="-ml-px rounded-l-none aria-pressed:bg-pressed"
      onClick={() => onView('list')}
    />
  </fieldset>
)
