import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { X } from 'lucide-react'
import { useState } from 'react'

type ImageSendersProps = { value: string[]; onValue: (value: string[]) => void; error: string | undefined }

/** Whose pictures are always shown. */
export const ImageSenders = ({ value, onValue, error }: ImageSendersProps) => {
  const [typed, setTyped] = useState('')
  const add = () => {
    const sender = typed.trim().toLowerCase()
    if (sender === '') return
    if (!value.includes(sender)) onValue([...value, sender])
    setTyped('')
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Field
        label="Always show images from"
        optional
        help="An address, or a whole domain like @example.org."
        error={error}
      >
        <div className="flex gap-2">
          <SenderInput value={typed} onValue={setTyped} onAdd={add} />
          <Button onClick={add} disabled={typed.trim() === ''}>
            Add
          </Button>
        </div>
      </Field>
      {value.length === 0 ? null : (
        <ul aria-label="Senders whose images are shown" className="flex flex-wrap gap-1.5">
          {value.map((sender) => (
            <li
              key={sender}
              className="flex h-7 max-w-full items-center gap-1 rounded-md border border-line bg-canvas pr-0.5 pl-2 text-ink text-sm touch:h-10"
            >
              <span className="truncate">{sender}</span>
              <IconButton
                size="sm"
                label={`Remove ${sender}`}
                icon={<X />}
                onClick={() => onValue(value.filter((other) => other !== sender))}
                className="size-6 touch:size-9"
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type SenderInputProps = { value: string; onValue: (value: string) => void; onAdd: () => void }

const SenderInput = ({ value, onValue, onAdd }: SenderInputProps) => (
  <Input
    value={value}
    onChange={(event) => onValue(event.target.value)}
    onKeyDown={(event) => {
      // Enter adds here; it must not save the whole form
      if (event.key !== 'Enter') return
      event.preventDefault()
      onAdd()
    }}
    autoCapitalize="none"
    autoComplete="off"
    placeholder="news@example.org"
  />
)
