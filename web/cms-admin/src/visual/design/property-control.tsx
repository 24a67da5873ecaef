import type { DesignSurfaceRecord, DesignValue } from '@stoa/cms-model/design.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useId } from 'react'
import { keepTransparency, pickerColor } from '../../fields/color/color-text.ts'
import { ImageField } from '../../settings/image-field.tsx'
import type { Values } from '../site/drafts.ts'
import { isSet, readLength, readNumber, shownValue, valueProblem, writeLength } from './values.ts'

type PropertyRecord = DesignSurfaceRecord['properties'][number]

type PropertyControlProps = {
  property: PropertyRecord
  values: Values
  /** The service's error about the value. */
  refused: string | undefined
  disabled: boolean
  /** Null brings the website's own value back. */
  onValue: (value: DesignValue) => void
}

/** One property of a surface, with the way back to what the website says itself. */
export const PropertyControl = (props: PropertyControlProps) => {
  const { property, values, refused, disabled, onValue } = props
  const error = valueProblem(property, values) ?? refused
  const restore =
    isSet(property.key, values) && !disabled ? (
      <RestoreButton label={property.label} onClick={() => onValue(null)} />
    ) : undefined
  if (property.type === 'media')
    return (
      <ImageField
        label={property.label}
        help={isSet(property.key, values) ? "You replaced the website's own image." : "The website's own image"}
        removeLabel="Restore original"
        error={error}
        value={String(shownValue(property, values) ?? '')}
        onValue={(id) => onValue(id === '' ? null : id)}
      />
    )
  return (
    <Field label={property.label} error={error} action={restore}>
      <Control {...props} />
    </Field>
  )
}

const RestoreButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button
    type="button"
    aria-label={`Restore original: ${label}`}
    onClick={onClick}
    className="rounded-sm text-accent-ink underline-offset-2 hover:underline"
  >
    Restore original
  </button>
)

const Control = ({ property, values, disabled, onValue }: PropertyControlProps) => {
  const value = shownValue(property, values)
  switch (property.type) {
    case 'color':
      return <ColorControl label={property.label} value={String(value ?? '')} disabled={disabled} onValue={onValue} />
    case 'length':
      return <LengthControl property={property} value={value} disabled={disabled} onValue={onValue} />
    case 'number':
      return (
        <Input
          inputMode="decimal"
          className="max-w-36"
          value={String(value ?? '')}
          disabled={disabled}
          onChange={({ target }) => onValue(readNumber(target.value))}
        />
      )
    case 'select':
    case 'font':
      return (
        <Select
          value={String(value ?? '')}
          options={property.options ?? []}
          disabled={disabled}
          onValue={(chosen) => onValue(chosen)}
        />
      )
    case 'media':
      return null
  }
}

type ColorControlProps = { label: string; value: string; disabled: boolean; onValue: (value: string) => void }

const ColorControl = ({ label, value, disabled, onValue }: ColorControlProps) => (
  <span className="flex items-center gap-2">
    <span className="relative inline-flex size-8 shrink-0 overflow-hidden rounded-md border border-control outline-ring has-focus-visible:outline-2 has-focus-visible:outline-offset-2 touch:size-10">
      <span aria-hidden className="size-full" style={{ backgroundColor: value }} />
      <input
        type="color"
        aria-label={`Pick ${label}`}
        value={pickerColor(value) ?? '#000000'}
        disabled={disabled}
        onChange={({ target }) => onValue(keepTransparency(target.value, value))}
        className="absolute inset-0 size-full opacity-0"
      />
    </span>
    <Input
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      placeholder="#rrggbb"
      value={value}
      disabled={disabled}
      onChange={({ target }) => onValue(target.value)}
      className="font-mono text-sm"
    />
  </span>
)

type LengthControlProps = {
  property: PropertyRecord
  value: DesignValue
  disabled: boolean
  onValue: (value: string) => void
}

const UNITS = ['px', 'rem', 'em', '%', 'vw', 'vh', 'ch']

const LengthControl = ({ property: { label, units }, value, disabled, onValue }: LengthControlProps) => {
  const id = useId()
  const allowed = units ?? UNITS
  const length = readLength(value, allowed)
  return (
    <span className="flex items-center gap-2">
      <Input
        inputMode="decimal"
        className="max-w-28"
        value={length.amount}
        disabled={disabled}
        onChange={({ target }) => onValue(writeLength({ ...length, amount: target.value }))}
      />
      <Select
        // The field's own label belongs to the amount
        id={id}
        aria-label={`Unit of ${label}`}
        className="max-w-24"
        value={length.unit}
        options={allowed.map((unit) => ({ value: unit, label: unit }))}
        disabled={disabled || allowed.length === 1}
        onValue={(unit) => onValue(writeLength({ ...length, unit }))}
      />
    </span>
  )
}
