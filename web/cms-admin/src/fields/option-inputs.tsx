import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import type { OptionsProps } from './field-view.ts'

/** The error message of an option. */
export const messageAt = ({ problems }: Pick<OptionsProps, 'problems'>, key: string): string | undefined =>
  problems.find((problem) => problem.key === key)?.message

type TypedOptions = Partial<
  Record<'minLength' | 'maxLength' | 'min' | 'max' | 'step' | 'minItems' | 'maxItems', string>
>
type TypedProps = OptionsProps<TypedOptions> & {
  name: keyof TypedOptions
  label: string
  numeric?: 'numeric' | 'decimal'
}

export const NumberInput = ({ name, label, numeric = 'numeric', ...props }: TypedProps) => (
  <Field label={label} optional error={messageAt(props, name)} className="flex-1">
    <Input
      value={props.options[name] ?? ''}
      inputMode={numeric}
      autoComplete="off"
      onChange={({ target }) => props.onChange({ [name]: target.value })}
    />
  </Field>
)

/** Options that belong together, side by side. */
export const Pair = ({ children }: { children: React.ReactNode }) => (
  <div className="flex items-start gap-3">{children}</div>
)

type SetProps = {
  label: string
  known: readonly { value: string; label: string }[]
  value: readonly string[]
  onValue: (value: string[]) => void
  error: string | undefined
}

/** Names to tick; those that only the API knows stay until someone unticks them. */
export const NameSet = ({ label, known, value, onValue, error }: SetProps) => {
  const others = value.filter((name) => !known.some((choice) => choice.value === name))
  return (
    <ChoiceGroup label={label} error={error}>
      {[...known, ...others.map((name) => ({ value: name, label: name }))].map((choice) => (
        <CheckboxField
          key={choice.value}
          label={choice.label}
          checked={value.includes(choice.value)}
          onChecked={(on) => onValue(on ? [...value, choice.value] : value.filter((name) => name !== choice.value))}
        />
      ))}
    </ChoiceGroup>
  )
}
