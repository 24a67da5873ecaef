import type { SearchResults } from '@stoa/cms-model/search.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { nextOption } from '@stoa/ui/form/next-option.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react'
import { sendSignedIn } from '../../api.ts'
import { typesQuery } from '../../types/queries.ts'
import { completeHref, entryHref, type FoundEntry, isAddress } from './link-address.ts'
import { useLinkedEntry } from './linked-entry.ts'

/** An entry that was chosen has its id: delivery writes the address that it has then. */
export type LinkValue = { href: string; newTab: boolean; entryId?: string | null }

type LinkDialogProps = {
  initial: LinkValue | null
  /** Not for kinds of text that cannot say it. */
  offerNewTab?: boolean
  /** The title of an entry that was chosen comes with it, for where no text was selected. */
  onSave: (link: LinkValue, title: string | null) => void
  onRemove?: (() => void) | undefined
  onClose: () => void
}

/** Asks where a link leads: an address, or an entry found by its words. */
export const LinkDialog = ({ initial, offerNewTab = true, onSave, onRemove, onClose }: LinkDialogProps) => {
  const id = useId()
  const [typed, setTyped] = useState(initial?.href ?? '')
  const [newTab, setNewTab] = useState(initial?.newTab ?? false)
  const [entryId, setEntryId] = useState(initial?.entryId ?? null)
  const [error, setError] = useState<string>()
  const linked = useLinkedEntry(entryId)
  const found = useFoundEntries(isAddress(typed) ? '' : typed.trim())
  const [active, setActive] = useState<number>()
  // Enter takes the entry that is marked, or the first, and waits for it where the search is slower than the person
  const [entered, setEntered] = useState(false)
  const takeMarked = useEffectEvent(() => {
    const marked = found.entries[active ?? 0]
    if (marked) choose(marked)
    else setError('Enter a URL, or search for an entry.')
  })
  const choose = ({ href, id: chosen, title }: Found) => onSave({ href, newTab, entryId: chosen }, title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog is in a portal, but React bubbles through the form around the editor
    event.stopPropagation()
    if (initial && entryId !== null) return onSave({ href: initial.href, newTab, entryId }, null)
    const href = completeHref(typed)
    if (href !== null) return onSave({ href, newTab }, null)
    setEntered(true)
  }
  useEffect(() => {
    if (!entered || found.isPending) return
    setEntered(false)
    takeMarked()
  }, [entered, found.isPending])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={initial ? 'Edit link' : 'Add link'}
      footer={
        <>
          {onRemove ? (
            <Button variant="danger-quiet" className="mr-auto" onClick={onRemove}>
              Remove link
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            {initial ? 'Save link' : 'Add link'}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field
          label="Paste a URL or search entries"
          error={error}
          help={entryId === null ? undefined : helpFor(linked)}
        >
          <Input
            role="combobox"
            aria-expanded={found.entries.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
            value={typed}
            autoComplete="off"
            placeholder="https://… or a title"
            onKeyDown={(event) => {
              const next = nextOption(event.key, active, found.entries.length)
              if (next === undefined) return
              event.preventDefault()
              setActive(next)
            }}
            onChange={(event) => {
              setTyped(event.target.value)
              setActive(undefined)
              setEntryId(null)
              setError(undefined)
              setEntered(false)
            }}
          />
        </Field>
        <FoundEntries id={id} found={found} active={active} onChoose={choose} />
        {offerNewTab ? <CheckboxField label="Open in a new tab" checked={newTab} onChecked={setNewTab} /> : null}
      </form>
    </Dialog>
  )
}

const helpFor = ({ title, isGone }: ReturnType<typeof useLinkedEntry>): string => {
  if (isGone) return 'The linked entry was deleted. Your website shows this text without a link.'
  return `Linked to ${title === undefined ? 'an entry' : `“${title}”`}. The URL stays up to date.`
}

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', { q, kinds: 'entry' }],
    queryFn: ({ signal }) =>
      sendSignedIn<SearchResults>('GET', `/api/search?${new URLSearchParams({ q, kinds: 'entry', limit: '8' })}`, {
        signal,
      }),
    enabled: q !== '',
    placeholderData: (before) => before,
  })

type Found = { id: string; href: string; title: string; label: string }

const useFoundEntries = (words: string) => {
  const asked = useDeferredValue(words)
  const search = useQuery(searchQuery(asked))
  // Their templates say where entries are
  const { data: types, isPending: isWaiting } = useQuery(typesQuery)
  // Earlier results stay visible meanwhile, but do not belong to these words
  const isStale = asked !== words || search.isPlaceholderData
  const isPending = words !== '' && !search.isError && (search.isPending || isStale || isWaiting)
  const items = words === '' || isWaiting ? [] : (search.data?.entries ?? [])
  const entries = items.map((entry: FoundEntry): Found => {
    const type = types?.items.find(({ name }) => name === entry.type)
    const title = entry.title === '' ? entry.slug : entry.title
    return { id: entry.id, title, href: entryHref(entry, type?.previewUrl ?? null), label: type?.label ?? entry.type }
  })
  return { words, isPending, isError: search.isError, entries }
}

type FoundEntriesProps = {
  id: string
  found: ReturnType<typeof useFoundEntries>
  active: number | undefined
  onChoose: (entry: Found) => void
}

const FoundEntries = ({ id, found, active, onChoose }: FoundEntriesProps) => {
  const { words, isPending, isError, entries } = found
  if (words === '') return null
  if (isError) return <p className="text-danger-ink text-xs">Search isn't responding. You can still paste a URL.</p>
  return (
    <div aria-live="polite" className="flex min-h-8 flex-col gap-0.5">
      {isPending && entries.length === 0 ? <Spinner /> : null}
      {!isPending && entries.length === 0 ? <p className="text-faint text-xs">No results for “{words}”.</p> : null}
      <div role="listbox" id={`${id}-list`} aria-label="Entries">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus
          <div
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => onChoose(entry)}
            className="flex min-h-9 cursor-default touch:min-h-11 items-center gap-2 rounded-md px-2 hover:bg-hover aria-selected:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-ink">{entry.title}</span>
              <span className="block truncate text-faint text-xs">{entry.href}</span>
            </span>
            <span className="shrink-0 text-faint text-xs">{entry.label}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
