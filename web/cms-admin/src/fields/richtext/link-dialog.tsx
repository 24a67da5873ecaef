import type { SearchResults } from '@stoa/cms-model/search.ts'
import { Button } from '@stoa/ui/button.tsx'
import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Spinner } from '@stoa/ui/spinner.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useId, useState } from 'react'
import { sendSignedIn } from '../../api.ts'
import { typesQuery } from '../../types/queries.ts'
import { completeHref, entryHref, type FoundEntry, isAddress } from './link-address.ts'

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog is in a portal, but React bubbles through the form around the editor
    event.stopPropagation()
    if (initial && entryId !== null) return onSave({ href: initial.href, newTab, entryId }, null)
    const href = completeHref(typed)
    if (href === null) return setError('Enter an address, or choose an entry below.')
    onSave({ href, newTab }, null)
  }
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
          help={entryId === null ? undefined : 'Linked to an entry. The URL stays up to date.'}
        >
          <Input
            value={typed}
            autoComplete="off"
            placeholder="https://… or a title"
            onChange={(event) => {
              setTyped(event.target.value)
              setEntryId(null)
              setError(undefined)
            }}
          />
        </Field>
        {isAddress(typed) ? null : (
          <FoundEntries
            words={typed.trim()}
            onChoose={({ href, id: chosen, title }) => onSave({ href, newTab, entryId: chosen }, title)}
          />
        )}
        {offerNewTab ? <CheckboxField label="Open in a new tab" checked={newTab} onChecked={setNewTab} /> : null}
      </form>
    </Dialog>
  )
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

type FoundEntriesProps = {
  words: string
  onChoose: (entry: { href: string; id: string; title: string }) => void
}

const FoundEntries = ({ words, onChoose }: FoundEntriesProps) => {
  const search = useQuery(searchQuery(useDeferredValue(words)))
  // Their templates say where entries are
  const { data: types, isPending: isWaiting } = useQuery(typesQuery)
  if (words === '') return null
  if (search.isError)
    return <p className="text-danger-ink text-xs">Search isn't responding. You can still paste a URL.</p>
  const isPending = search.isPending || isWaiting
  const entries = isPending ? [] : search.data.entries
  const typeOf = (entry: FoundEntry) => types?.items.find(({ name }) => name === entry.type)
  return (
    <div aria-live="polite" className="flex min-h-8 flex-col gap-0.5">
      {isPending ? <Spinner /> : null}
      {!isPending && entries.length === 0 ? <p className="text-faint text-xs">No results for “{words}”.</p> : null}
      {entries.map((entry) => {
        const type = typeOf(entry)
        const href = entryHref(entry, type?.previewUrl ?? null)
        const title = entry.title === '' ? entry.slug : entry.title
        return (
          <button
            key={entry.id}
            type="button"
            onClick={() => onChoose({ href, id: entry.id, title })}
            className="flex min-h-9 touch:min-h-11 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-ink">{title}</span>
              <span className="block truncate text-faint text-xs">{href}</span>
            </span>
            <span className="shrink-0 text-faint text-xs">{type?.label ?? entry.type}</span>
          </button>
        )
      })}
    </div>
  )
}
