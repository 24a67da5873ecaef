import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { OptionPicker } from '@stoa/ui/form/option-picker.tsx'
import { type MouseEvent, useId } from 'react'
import type { EditorProps } from '../editor.ts'
import { focusGroupOf } from '../focus-group.ts'
import { textOf } from '../text-of.ts'
import { isFewChoices } from './choices.ts'

/** One of a set: all in sight when they are few, else in a list, which is searched where it is long. */
export const SelectEditor = (props: EditorProps<FieldOf<'select'>>) =>
  isFewChoices(props.field.options) ? <Radios {...props} /> : <Menu {...props} />

const Radios = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'select'>>) => {
  const name = useId()
  const chosen = textOf(value)
  const clear = (event: MouseEvent<HTMLElement>) => {
    focusGroupOf(event.currentTarget)
    onChange(null)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      {field.options.map((option) => (
        <RadioChoice
          key={option.value}
          name={name}
          value={option.value}
          chosen={chosen}
          onChoose={onChange}
          label={option.label}
          disabled={disabled}
        />
      ))}
      {chosen === '' || field.required || disabled ? null : (
        <Button size="sm" variant="ghost" onClick={clear}>
          Clear<span className="sr-only"> {field.label}</span>
        </Button>
      )}
    </div>
  )
}

const Menu = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'select'>>) => {
  const none = { value: '', label: field.required ? 'Choose…' : 'None' }
  return (
    <OptionPicker
      value={textOf(value)}
      disabled={disabled}
      onValue={(chosen) => onChange(chosen === '' ? null : chosen)}
      options={[none, ...field.options]}
      className="max-w-field"
    />
  )
}
