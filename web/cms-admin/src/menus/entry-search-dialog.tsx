import { Status } from '@stoa/ui/display/badge.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { SearchInput } from '@stoa/ui/form/search-input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { entriesQuery } from '../entries/queries.ts'
import { TypeLabel } from '../types/type-label.tsx'
import { entrySearchQuery, type FoundEntry } from './queries.ts'

type Picked = Pick<FoundEntry, 'id' | 'type' | 'title' | 'slug' | 'status'>

type EntrySearchDialogProps = { onPick: (entry: Picked) => void; onClose: () => void }

/** Long enough for the next letter, too short to be waited for. */
const PAUSE_MS = 200

/** Finds an entry of any type; without words, those that were changed last. */
export const EntrySearchDialog = ({ onPick, onClose }: EntrySearchDialogProps) => {
  const [words, setWords] = useState('')
  const settled = useSettled(words)
  const list = useRef<HTMLUListElement>(null)
  const found = useFound(settled)
  const focusFirst = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    list.current?.querySelector('button')?.focus()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Link to an entry"
      description="The link keeps working when the entry's URL changes."
    >
      <div className="flex flex-col gap-3 pb-2">
        <div className="flex">
          <SearchInput label="Search entries" value={words} onSearch={setWords} onKeyDownCapture={focusFirst} />
        </div>
        <Results found={found} words={settled} list={list} onPick={onPick} />
      </div>
    </Dialog>
  )
}

const useSettled = (words: string): string => {
  const [settled, setSettled] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  return settled.trim()
}

type Found = { entries: readonly Picked[] | undefined; error: unknown }

const useFound = (words: string): Found => {
  const recent = useQuery({ ...entriesQuery({ sort: '-updatedAt', limit: 10 }), enabled: words === '' })
  const search = useQuery(entrySearchQuery(words))
  return words === ''
    ? { entries: recent.data?.items, error: recent.error }
    : { entries: search.data?.entries, error: search.error }
}

type ResultsProps = {
  found: Found
  words: string
  list: React.RefObject<HTMLUListElement | null>
  onPick: (entry: Picked) => void
}

const Results = ({ found: { entries, error }, words, list, onPick }: ResultsProps) => {
  if (error) return <p className="text-danger-ink text-sm">{messageOf(error)}</p>
  if (!entries) return <SkeletonText lines={4} label="Searching" />
  if (entries.length === 0)
    return (
      <p role="status" className="py-6 text-center text-muted text-sm">
        {words === '' ? 'No entries yet' : `No results for “${words}”`}
      </p>
    )
  return (
    <ul ref={list} aria-label="Entries" className="-mx-2 flex max-h-80 flex-col overflow-y-auto" onKeyDown={roam}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            onClick={() => onPick(entry)}
            className="flex min-h-10 w-full min-w-0 items-center gap-3 rounded-md px-2 py-1.5 text-left outline-offset-[-2px] hover:bg-hover"
          >
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="truncate font-medium text-ink text-sm">{entry.title || entry.slug}</span>
              <span className="truncate text-faint text-xs">
                <TypeLabel name={entry.type} /> · {entry.slug}
              </span>
            </span>
            <Status tone={entry.status === 'published' ? 'live' : 'draft'}>
              {entry.status === 'published' ? 'Published' : 'Draft'}
            </Status>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The arrows go from one result to the next. */
const roam = (event: KeyboardEvent<HTMLUListElement>): void => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  if (event.target instanceof HTMLElement) buttons[buttons.indexOf(event.target) + by]?.focus()
}
