import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { nextOption } from '@stoa/ui/form/next-option.ts'
import { HangingLayer } from '@stoa/ui/layer/hanging-layer.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { entriesQuery, entryItemQuery } from '../../entries/queries.ts'
import { StatusChips } from '../../entries/status.tsx'
import { CreateLink } from './create-link.tsx'

type EntryComboboxProps = {
  /** Name of the content type whose entries are offered. */
  type: string
  label: string
  /** Ids that are not offered. */
  without: readonly string[]
  disabled?: boolean
  autoFocus?: boolean
  onChoose: (entry: EntryItem) => void
}

/** Enough to look over; more words narrow the list. */
const SHOWN = 12

/** Finds an entry of a type by typing; offers to write a new one in another tab. */
export const EntryCombobox = ({ type, label, without, disabled, autoFocus, onChoose }: EntryComboboxProps) => {
  const id = useId()
  const client = useQueryClient()
  const [words, setWords] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState<number>()
  const { options, problem, isLoading } = useOptions(type, words, without, isOpen)
  const choose = (entry: EntryItem) => {
    // The view that shows the entry next finds it in the cache
    client.setQueryData(entryItemQuery(entry.id).queryKey, entry)
    setWords('')
    setActive(undefined)
    setIsOpen(false)
    onChoose(entry)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = nextOption(event.key, active, options.length)
    if (next !== undefined) {
      event.preventDefault()
      setIsOpen(true)
      setActive(next)
    }
    if (event.key === 'Enter') {
      // The form around it would be saved
      event.preventDefault()
      const option = isOpen && active !== undefined ? options[active] : undefined
      if (option) choose(option)
    }
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setIsOpen(false)
    }
  }
  const input = (
    <Input
      role="combobox"
      aria-label={label}
      aria-expanded={isOpen}
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={isOpen && active !== undefined ? `${id}-${active}` : undefined}
      autoComplete="off"
      autoFocus={autoFocus}
      placeholder="Search entries…"
      leading={<Search aria-hidden />}
      value={words}
      disabled={disabled}
      onClick={() => setIsOpen(true)}
      onBlur={() => setIsOpen(false)}
      onChange={(event) => {
        setWords(event.target.value)
        setActive(undefined)
        setIsOpen(true)
      }}
      onKeyDown={press}
    />
  )
  const anchor = (
    <div className="flex items-center gap-1">
      {input}
      <CreateLink type={type} />
    </div>
  )
  return (
    <HangingLayer open={isOpen && !disabled} onOpenChange={setIsOpen} anchor={anchor}>
      <div role="listbox" id={`${id}-list`} aria-label={label}>
        {options.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${id}-${index}`}
            entry={entry}
            isActive={index === active}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      <Note>{problem ?? (isLoading ? 'Searching…' : options.length === 0 ? nothingFound(words) : undefined)}</Note>
    </HangingLayer>
  )
}

const useOptions = (type: string, words: string, without: readonly string[], enabled: boolean) => {
  const q = usePause(words.trim())
  const query = useQuery({
    ...entriesQuery({
      type,
      q,
      limit: SHOWN + Math.min(without.length, SHOWN),
      sort: q === '' ? '-updatedAt' : 'title',
    }),
    enabled,
  })
  const options = (query.data?.items ?? []).filter((entry) => !without.includes(entry.id)).slice(0, SHOWN)
  return {
    options,
    problem: query.error ? messageOf(query.error) : undefined,
    isLoading: query.isPending || (query.isPlaceholderData && options.length === 0),
  }
}

const nothingFound = (words: string): string =>
  words.trim() === '' ? 'No entries yet' : `No results for “${words.trim()}”`

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="px-2 text-faint not-empty:py-2">
    {children}
  </p>
)

type OptionProps = { id: string; entry: EntryItem; isActive: boolean; onChoose: () => void }

const Option = ({ id, entry, isActive, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isActive}
    ref={(element) => {
      if (isActive) element?.scrollIntoView({ block: 'nearest' })
    }}
    onClick={onChoose}
    className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 py-1 hover:bg-hover touch:min-h-10 aria-selected:bg-hover"
  >
    <span className="min-w-0 flex-1 truncate text-ink">{entry.title || 'Untitled'}</span>
    <StatusChips entry={entry} />
  </div>
)

/** Long enough for the next letter, too short to be waited for. */
const PAUSE_MS = 200

/** The value when it has rested. */
const usePause = <V,>(value: V): V => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
