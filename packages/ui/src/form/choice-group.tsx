import { type ReactNode, useId } from 'react'
import { cx } from '../theme/cx.ts'
import { FieldError, FieldHelp } from './field.tsx'

type ChoiceGroupProps = {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  className?: string
  children: ReactNode
}

/** Several boxes or radio buttons that answer one question. */
export const ChoiceGroup = ({ label, help, error, className, children }: ChoiceGroupProps) => {
  const id = useId()
  return (
    <fieldset
      // A refused choice takes the focus as a whole
      tabIndex={-1}
      aria-invalid={error ? true : undefined}
      aria-describedby={cx(error && `${id}-error`, help !== undefined && `${id}-help`) || undefined}
      className="flex min-w-0 flex-col gap-2"
    >
      <legend className="mb-1.5 font-medium text-ink text-sm">{label}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {help === undefined ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      <div className={cx('flex min-w-0 flex-col gap-2', className)}>{children}</div>
    </fieldset>
  )
}

type RadioChoiceProps<V extends string> = {
  name: string
  value: V
  chosen: V
  onChoose: (value: V) => void
  label: ReactNode
  help?: ReactNode
  disabled?: boolean
}

/** One of several answers that exclude each other. */
export const RadioChoice = <V extends string>(props: RadioChoiceProps<V>) => {
  const { name, value, chosen, onChoose, label, help, disabled = false } = props
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="radio"
        name={name}
        value={value}
        checked={chosen === value}
        disabled={disabled}
        onChange={() => onChoose(value)}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        className="relative mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-control bg-surface shadow-sm transition-colors before:absolute before:-inset-2 checked:border-[0.3125rem] checked:border-accent hover:not-checked:border-faint disabled:border-line-strong disabled:bg-sunken"
      />
      <div className="flex min-w-0 flex-col gap-0.5">
        <label htmlFor={id} className="text-ink text-sm">
          {label}
        </label>
        {help === undefined ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      </div>
    </div>
  )
}
