import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldHelp } from './field.tsx'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'onChange' | 'checked'> & {
  checked: boolean
  onChecked: (checked: boolean) => void
}

/** A setting that acts at once; for a choice that is saved later use a checkbox. */
export const Switch = ({ checked, onChecked, ...rest }: SwitchProps) => (
  <input
    {...rest}
    type="checkbox"
    role="switch"
    checked={checked}
    aria-checked={checked}
    onChange={(event) => onChecked(event.target.checked)}
    className="relative inline-block h-4.5 w-8 shrink-0 appearance-none rounded-full bg-control transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-on-accent before:shadow-sm before:transition-transform after:absolute after:-inset-2 checked:bg-accent checked:before:translate-x-3.5 disabled:opacity-50"
  />
)

type SwitchFieldProps = SwitchProps & { label: ReactNode; help?: ReactNode }

/** A settings row: what it is on the left, the switch on the right. */
export const SwitchField = ({ label, help, ...rest }: SwitchFieldProps) => {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="flex min-w-0 flex-col gap-0.5">
        <label htmlFor={id} className="font-medium text-ink text-sm">
          {label}
        </label>
        {help === undefined ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      </div>
      <Switch {...rest} id={id} aria-describedby={help === undefined ? undefined : `${id}-help`} />
    </div>
  )
}
