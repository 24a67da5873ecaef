import { IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { HangingLayer } from '@stoa/ui/layer/hanging-layer.tsx'
import { Kbd } from '@stoa/ui/shortcuts/kbd.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { Clock, Search, SlidersHorizontal, UserRound, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useLabels } from '../actions/known-labels.ts'
import { foldersQuery, mailboxQuery, suggestionsQuery } from '../queries.ts'
import { isHalfTyped } from './operators.ts'
import { recentSearches, rememberSearch } from './recent-searches.ts'
import { type Suggestion, suggestionsFor, typedWord } from './suggestions.ts'

type SearchBoxProps = {
  /** The search of the address. */
  value: string
  onSearch: (q: string, how: 'typing' | 'done') => void
  autoFocus?: boolean
  className?: string
}

/** Long enough for the next letter, too short to be waited for. */
const PAUSE_MS = 200
/** The longest search that the service accepts. */
const MAX_LENGTH = 200

/** Searches while one types, with operators, people and folders to choose from. */
export const SearchBox = ({ value, onSearch, autoFocus = false, className }: SearchBoxProps) => {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { text, setText, run } = useTypedSearch(value, onSearch)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const suggestions = useSuggestions(text, isOpen)
  const isShown = isOpen && suggestions.length > 0
  useShortcut({
    keys: '/',
    description: 'Search mail',
    group: 'General',
    onPress: () => {
      input.current?.focus()
      input.current?.select()
    },
  })
  const type = (next: string) => {
    setText(next)
    setActive(-1)
    setOpen(true)
  }
  const take = (suggestion: Suggestion) => {
    type(suggestion.text)
    setOpen(!suggestion.isWhole)
    if (suggestion.isWhole) run(suggestion.text)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = isShown ? suggestions[active] : undefined
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const by = event.key === 'ArrowDown' ? 1 : -1
      // One step beyond the ends is the text itself
      setActive((before) => ((before + 1 + by + suggestions.length + 1) % (suggestions.length + 1)) - 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen) return take(chosen)
      setOpen(false)
      run(text)
      input.current?.blur()
    } else if (event.key === 'Tab' && chosen) {
      event.preventDefault()
      take(chosen)
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (isShown) return setOpen(false)
      if (text !== '') return clear()
      input.current?.blur()
    }
  }
  const clear = () => {
    setText('')
    run('')
    input.current?.focus()
    setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element `search` is unknown to older readers
    <div role="search" className={cx('min-w-0', className)}>
      <HangingLayer
        open={isShown}
        onOpenChange={setOpen}
        anchor={
          <Input
            ref={input}
            role="combobox"
            aria-label="Search mail"
            aria-expanded={isShown}
            aria-controls={isShown ? `${id}-list` : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
            placeholder="Search mail"
            autoComplete="off"
            autoFocus={autoFocus}
            spellCheck={false}
            enterKeyHint="search"
            maxLength={MAX_LENGTH}
            className="text-sm"
            value={text}
            onChange={(event) => type(event.target.value)}
            onFocus={() => setOpen(true)}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            leading={<Search aria-hidden />}
            trailing={
              text ? (
                <IconButton
                  size="sm"
                  label="Clear search"
                  icon={<X />}
                  onClick={clear}
                  className="size-6 touch:size-8"
                />
              ) : (
                <Kbd keys="/" className="mr-1 phone:hidden" />
              )
            }
          />
        }
      >
        <div role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {suggestions.map((suggestion, index) => (
            <SuggestionRow
              key={suggestion.id}
              id={`${id}-${index}`}
              suggestion={suggestion}
              isActive={index === active}
              onTake={() => take(suggestion)}
            />
          ))}
        </div>
      </HangingLayer>
    </div>
  )
}

const signs = { recent: Clock, operator: SlidersHorizontal, value: Search, person: UserRound }

type SuggestionRowProps = { id: string; suggestion: Suggestion; isActive: boolean; onTake: () => void }

const SuggestionRow = ({ id, suggestion, isActive, onTake }: SuggestionRowProps) => {
  const Sign = signs[suggestion.kind]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={onTake}
      className={cx(
        'flex min-h-8 select-none items-center gap-2.5 rounded-sm px-2 touch:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint',
        isActive ? 'bg-hover' : 'hover:bg-hover',
      )}
    >
      <Sign aria-hidden />
      <span className="min-w-0 max-w-1/2 truncate text-ink">{suggestion.label}</span>
      <span className="ml-auto min-w-0 truncate text-muted text-xs">{suggestion.hint}</span>
    </div>
  )
}

/** The typed text goes to the address when the typing pauses, or at once when it is done. */
const useTypedSearch = (value: string, onSearch: SearchBoxProps['onSearch']) => {
  const [text, setText] = useState(value)
  const [last, setLast] = useState(value)
  const { data: mailbox } = useQuery(mailboxQuery)
  // Cleared from outside, or another address
  if (value !== last) {
    setLast(value)
    if (value !== text.trim()) setText(value)
  }
  const search = useEffectEvent(() => onSearch(text.trim(), 'typing'))
  useEffect(() => {
    if (text.trim() === value || isHalfTyped(text)) return
    const timer = setTimeout(() => search(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  const run = (q: string) => {
    if (mailbox) rememberSearch(mailbox.id, q)
    onSearch(q.trim(), 'done')
  }
  return { text, setText, run }
}

const useSuggestions = (text: string, isOpen: boolean): readonly Suggestion[] => {
  const { data: folders } = useQuery(foldersQuery)
  const { data: mailbox } = useQuery(mailboxQuery)
  const labels = useLabels()
  const { operator, value } = typedWord(text)
  const asksPeople = isOpen && value.length > 1 && ['', 'from', 'to', 'cc', 'bcc'].includes(operator)
  const { data: contacts } = useQuery({
    ...suggestionsQuery(value),
    enabled: asksPeople,
    placeholderData: (old) => old,
  })
  if (!isOpen) return []
  return suggestionsFor(text, {
    folders: folders?.data ?? [],
    labels,
    contacts: asksPeople ? (contacts?.data ?? []) : [],
    recent: mailbox ? recentSearches(mailbox.id) : [],
  })
}
