import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field, FieldError } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Link2, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { EntryTarget } from './entry-target.tsx'
import { inNewTab, toAddress } from './items.ts'
import type { LeafItem } from './tree.ts'

type ItemFormProps = {
  item: LeafItem
  onItem: (item: LeafItem) => void
  /** With keys below the item: `label`, `url`, `entryId`. */
  problems: readonly FieldProblem[]
  /** Whether the focus starts here: the item was opened by hand. */
  takesFocus: boolean
  onChooseEntry: () => void
  onDone: () => void
}

/** One item of a menu, edited in its place. Enter and Esc close it. */
export const ItemForm = ({ item, onItem, problems, takesFocus, onChooseEntry, onDone }: ItemFormProps) => {
  const label = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) label.current?.focus()
  }, [takesFocus])
  const messageAt = (key: string) => problems.find((problem) => problem.key === key)?.message
  const press = (event: KeyboardEvent) => {
    const ends = event.key === 'Escape' || (event.key === 'Enter' && event.target instanceof HTMLInputElement)
    if (!ends) return
    // Enter would save the whole menu
    event.preventDefault()
    event.stopPropagation()
    onDone()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the inputs inside
    <div onKeyDown={press} className="flex flex-col gap-3 border-line border-t bg-canvas px-5 py-3">
      <Whole message={messageAt('')} />
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Field label="Label" error={messageAt('label')}>
          <Input
            ref={label}
            value={item.label}
            autoComplete="off"
            onChange={({ target }) => onItem({ ...item, label: target.value })}
          />
        </Field>
        {item.entryId === undefined ? (
          <Field
            label="URL"
            error={messageAt('url')}
            action={
              <button
                type="button"
                className="text-accent-ink underline-offset-2 hover:underline"
                onClick={onChooseEntry}
              >
                Link to an entry instead
              </button>
            }
          >
            <Input
              value={item.url ?? ''}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="/about or https://example.com"
              onChange={({ target }) => onItem(toAddress(item, target.value))}
            />
          </Field>
        ) : (
          <EntryInput
            id={item.entryId}
            error={messageAt('entryId') ?? messageAt('url')}
            onChoose={onChooseEntry}
            onAddress={() => onItem(toAddress(item, ''))}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CheckboxField
          label="Open in a new tab"
          checked={item.target === '_blank'}
          onChecked={(on) => onItem(inNewTab(item, on))}
          error={messageAt('target')}
        />
        <Button size="sm" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}

const Whole = ({ message }: { message: string | undefined }) => {
  const id = useId()
  return message === undefined ? null : <FieldError id={id}>{message}</FieldError>
}

type EntryInputProps = { id: string; error: string | undefined; onChoose: () => void; onAddress: () => void }

const EntryInput = ({ id, error, onChoose, onAddress }: EntryInputProps) => {
  const errorId = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span className="font-medium text-ink text-sm">Entry</span>
      <div className="flex h-8 min-w-0 items-center text-muted text-sm touch:h-10">
        <EntryTarget id={id} by="title" />
      </div>
      {error === undefined ? null : <FieldError id={errorId}>{error}</FieldError>}
      <span className="flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={<Search />}
          onClick={onChoose}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : errorId}
        >
          Choose another
        </Button>
        <Button size="sm" variant="ghost" icon={<Link2 />} onClick={onAddress}>
          Use a URL
        </Button>
      </span>
    </div>
  )
}
