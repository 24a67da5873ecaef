import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { X } from 'lucide-react'
import { useRef } from 'react'
import type { EditorProps } from '../editor.ts'
import { textOf } from '../text-of.ts'
import { keepTransparency, pickerColor, readColor } from './color-text.ts'

/** A color, by the browser's picker or by its digits. */
export const ColorEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'color'>>) => {
  const text = textOf(value)
  const shown = pickerColor(text)
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onChange(null)
    input.current?.focus()
  }
  return (
    <div className="flex items-center gap-2">
      <span className="relative inline-flex size-8 shrink-0 overflow-hidden rounded-md border border-control outline-ring has-focus-visible:outline-2 has-focus-visible:outline-offset-2 touch:size-10">
        {shown === undefined ? <NoColor /> : <span className="size-full" style={{ backgroundColor: text }} />}
        <input
          type="color"
          aria-label={`Pick ${field.label}`}
          value={shown ?? '#000000'}
          disabled={disabled}
          onChange={(event) => onChange(keepTransparency(event.target.value, text))}
          className="absolute inset-0 size-full opacity-0"
        />
      </span>
      <Input
        ref={input}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="#rrggbb"
        value={text}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        onBlur={() => text !== '' && readColor(text) !== text && onChange(readColor(text))}
        className="max-w-36 font-mono text-sm"
      />
      {text === '' || disabled ? null : (
        <IconButton size="sm" label={`Clear ${field.label}`} icon={<X />} onClick={clear} />
      )}
    </div>
  )
}

const NoColor = () => (
  <span aria-hidden className="relative size-full bg-surface">
    <span className="absolute top-1/2 -left-1/4 h-px w-3/2 -rotate-45 bg-failed-mark" />
  </span>
)
