import type { Suggestion } from '@stoa/mail-model/contacts.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { HangingLayer } from '@stoa/ui/layer/hanging-layer.tsx'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { nameOf } from '../../people.ts'
import { type ComposeWindow, editLetter, updateWindow } from '../windows.ts'
import { RecipientChip } from './recipient-chip.tsx'
import { DRAG_TYPE, moveRecipient } from './recipient-drag.ts'
import {
  addRecipients,
  formatRecipient,
  isSendable,
  parseRecipients,
  problemOf,
  type Recipient,
  type RecipientField,
  sameAddress,
} from './recipients.ts'
import { useContacts } from './use-contacts.ts'

type RecipientsFieldProps = {
  one: ComposeWindow
  field: RecipientField
  label: string
  autoFocus?: boolean
  action?: ReactNode
}

/** Whom it goes to: chips, and an input that completes from whom one has written to. */
export const RecipientsField = ({ one, field, label, autoFocus = false, action }: RecipientsFieldProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const chips = useRef<HTMLUListElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<number>()
  const list = one.letter[field]
  const contacts = useContacts(text, isOpen).filter(
    ({ email }) => !list.some((known) => sameAddress(known.email, email)),
  )
  const isListed = isOpen && text.trim() !== '' && contacts.length > 0
  // A complete typed address is meant as it is
  const active = chosen ?? (isSendable(text.trim()) ? undefined : 0)
  const problem = one.fieldProblems[field] ?? firstProblem(list)
  useEffect(() => {
    if (autoFocus) input.current?.focus()
  }, [autoFocus])

  const change = (next: readonly Recipient[]) => {
    editLetter(one.id, () => ({ [field]: next }))
    if (one.fieldProblems[field] !== undefined)
      updateWindow(one.id, { fieldProblems: { ...one.fieldProblems, [field]: undefined } })
  }
  const add = (more: readonly Recipient[]) => {
    setText('')
    setChosen(undefined)
    if (more.length > 0) change(addRecipients(list, more))
  }
  const choose = ({ name, email }: Suggestion) => {
    add([{ name, email }])
    setOpen(false)
    input.current?.focus()
  }
  const focusChip = (index: number) => {
    const at = chips.current?.querySelectorAll<HTMLElement>('[data-chip]')[index]
    if (at) at.focus()
    else input.current?.focus()
  }
  const remove = (index: number) => {
    change(list.filter((_, at) => at !== index))
    requestAnimationFrame(() => focusChip(Math.min(index, list.length - 2)))
  }
  const edit = (index: number) => {
    const recipient = list[index]
    if (!recipient) return
    change(list.filter((_, at) => at !== index))
    setText(formatRecipient(recipient))
    input.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const atStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0
    if (isListed && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setChosen(((active ?? -1) + step + contacts.length) % contacts.length)
    } else if (event.key === 'Enter' || event.key === ',' || event.key === ';' || event.key === 'Tab') {
      if (event.ctrlKey || event.metaKey || text.trim() === '') return
      if (event.key === ',' && inQuotes(text)) return
      const contact =
        isListed && active !== undefined && event.key !== ',' && event.key !== ';' ? contacts[active] : undefined
      event.preventDefault()
      if (contact) choose(contact)
      else add(parseRecipients(text))
    } else if (event.key === 'Escape' && isListed) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && atStart && list.length > 0 && text === '') {
      event.preventDefault()
      focusChip(list.length - 1)
    }
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain')
    if (!/[,;\n@]/.test(pasted)) return
    const found = parseRecipients(text + pasted)
    if (!found.some(({ email }) => isSendable(email))) return
    event.preventDefault()
    add(found)
  }
  const line = (
    <div className="flex items-start gap-2 px-3 py-1">
      <label htmlFor={id} className="w-12 shrink-0 py-1 text-muted text-sm touch:py-2">
        {label}
      </label>
      <div className="flex max-h-28 min-w-0 flex-1 flex-wrap items-center gap-1 overflow-y-auto py-0.5">
        <ul ref={chips} aria-label={`${label} recipients`} className="contents">
          {list.map((recipient, index) => (
            <RecipientChip
              key={recipient.email.toLowerCase()}
              recipient={recipient}
              onRemove={() => remove(index)}
              onEdit={() => edit(index)}
              onStep={(step) => focusChip(index + step)}
            />
          ))}
        </ul>
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-expanded={isListed}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isListed && active !== undefined ? `${id}-${active}` : undefined}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(undefined)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            add(parseRecipients(text))
          }}
          onKeyDown={press}
          onPaste={paste}
          className="h-6 min-w-6 flex-1 bg-transparent text-sm outline-none focus:min-w-32 touch:h-9 touch:text-md"
        />
      </div>
      {action === undefined ? null : <div className="flex shrink-0">{action}</div>}
    </div>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has looks of its own
    <div
      role="group"
      aria-label={label}
      className="border-line border-b"
      onDragOver={allowChip}
      onDrop={(event) => dropChip(event, one.id, field)}
    >
      <HangingLayer open={isListed} onOpenChange={setOpen} anchor={line}>
        <div role="listbox" id={`${id}-list`} aria-label={`Suggestions for ${label}`}>
          {contacts.map((contact, index) => (
            <ContactOption
              key={contact.email}
              id={`${id}-${index}`}
              contact={contact}
              isActive={index === active}
              onChoose={() => choose(contact)}
            />
          ))}
        </div>
      </HangingLayer>
      {problem === null ? null : (
        <div className="px-3 pb-1.5 pl-17">
          <FieldError id={`${id}-error`}>{problem}</FieldError>
        </div>
      )}
    </div>
  )
}

const firstProblem = (list: readonly Recipient[]): string | null =>
  list.map(({ email }) => problemOf(email)).find((problem) => problem !== null) ?? null

/** A comma inside of an open quotation belongs to the name. */
const inQuotes = (text: string): boolean => (text.match(/"/g)?.length ?? 0) % 2 === 1

const allowChip = (event: DragEvent): void => {
  if (event.dataTransfer.types.includes(DRAG_TYPE)) event.preventDefault()
}

const dropChip = (event: DragEvent, windowId: string, field: RecipientField): void => {
  const dragged = event.dataTransfer.getData(DRAG_TYPE)
  if (dragged === '') return
  event.preventDefault()
  moveRecipient(windowId, dragged, field)
}

type ContactOptionProps = { id: string; contact: Suggestion; isActive: boolean; onChoose: () => void }

const ContactOption = ({ id, contact, isActive, onChoose }: ContactOptionProps) => (
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
    className="flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-sm px-2 py-1 hover:bg-hover touch:min-h-11 aria-selected:bg-hover"
  >
    <Avatar name={nameOf(contact)} person={contact.email} />
    <span className="flex min-w-0 flex-1 flex-col leading-tight">
      <span className="truncate text-ink">{nameOf(contact)}</span>
      {nameOf(contact) === contact.email ? null : <span className="truncate text-faint text-xs">{contact.email}</span>}
    </span>
  </div>
)
