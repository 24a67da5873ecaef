import { IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'

type MomentInputProps = {
  type: 'date' | 'datetime-local'
  /** For the button that clears it. */
  label: string
  value: string
  min?: string | undefined
  max?: string | undefined
  disabled: boolean
  /** Empty while it is incomplete. */
  onValue: (value: string) => void
}

// Without it browsers take years of six digits
const LAST = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59:59' } as const

/** The browser's own input for a day or a time, which every keyboard, reader and phone knows, with a way to empty it. */
export const MomentInput = ({ type, label, value, min, max, disabled, onValue }: MomentInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [isHalf, setIsHalf] = useState(false)
  const clear = () => {
    if (input.current) input.current.value = ''
    setIsHalf(false)
    onValue('')
    input.current?.focus()
  }
  return (
    <>
      <div className="flex items-center gap-2">
        <Input
          ref={input}
          type={type}
          step={type === 'date' || !/:\d\d:\d\d$/.test(value) ? undefined : 1}
          min={min}
          max={max ?? LAST[type]}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            setIsHalf(false)
            onValue(event.target.value)
          }}
          onBlur={(event) => setIsHalf(event.target.validity.badInput)}
          className={type === 'date' ? 'max-w-44' : 'max-w-60'}
        />
        {(value === '' && !isHalf) || disabled ? null : (
          <IconButton size="sm" label={`Clear ${label}`} icon={<X />} onClick={clear} />
        )}
      </div>
      {isHalf ? (
        <p role="status" className="text-draft-ink text-xs">
          Incomplete: saved as empty
        </p>
      ) : null}
    </>
  )
}
