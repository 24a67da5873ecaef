import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { FieldError, FieldHelp } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'

type NameListProps = {
  label: string
  help?: ReactNode
  /** One of them: "alias". */
  one: string
  value: readonly string[]
  onValue: (value: readonly string[]) => void
  error?: string | undefined
  placeholder: string
  /** Behind each name that is without an @. */
  suffix?: string
}

/** Several addresses, each in a row of its own; pasting a list makes a row of each. */
export const NameList = ({ label, help, one, value, onValue, error, placeholder, suffix }: NameListProps) => {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  })
  const add = () => {
    added.current = true
    onValue([...value, ''])
  }
  const put = (index: number, texts: readonly string[]) => onValue(value.toSpliced(index, 1, ...texts))
  // The refusal names the one that is wrong, where it can
  const wrong = error === undefined ? -1 : value.findIndex((text) => text !== '' && error.includes(`"${text}"`))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium text-ink text-sm">
        {label}
        <span className="ml-1.5 font-normal text-faint text-xs">Optional</span>
      </legend>
      <ul ref={list} className="flex min-w-0 flex-col gap-2 empty:hidden">
        {value.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; the same text may stand twice while typing
          <li key={index} className="flex min-w-0 items-center gap-1.5">
            <Input
              aria-label={`${capital(one)} ${index + 1}`}
              aria-describedby={error ? `${id}-error` : `${id}-help`}
              aria-invalid={error !== undefined && (wrong === -1 || wrong === index) ? true : undefined}
              value={text}
              placeholder={placeholder}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              inputMode="email"
              onChange={(event) => put(index, [event.target.value])}
              onPaste={(event) => {
                const pasted = splitNames(event.clipboardData.getData('text'))
                if (pasted.length < 2) return
                event.preventDefault()
                put(index, text === '' ? pasted : [text, ...pasted])
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || text.trim() === '') return
                event.preventDefault()
                add()
              }}
              trailing={
                suffix === undefined || text.includes('@') ? undefined : (
                  <span className="max-w-40 truncate pr-1.5">{suffix}</span>
                )
              }
            />
            <IconButton label={`Remove ${one} ${text || index + 1}`} icon={<X />} onClick={() => put(index, [])} />
          </li>
        ))}
      </ul>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {help === undefined ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      <div>
        <Button size="sm" icon={<Plus />} onClick={add}>
          Add {one}
        </Button>
      </div>
    </fieldset>
  )
}

/** The rows that have something in them. */
export const filled = (names: readonly string[]): readonly string[] => names.map((name) => name.trim()).filter(Boolean)

const splitNames = (text: string): readonly string[] => filled(text.split(/[\s,;]+/))

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
