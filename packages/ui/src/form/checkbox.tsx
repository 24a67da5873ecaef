import { Check, Minus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '../theme/cx.ts'
import { FieldError, FieldHelp } from './field.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'checked' | 'ref'> & {
  checked: boolean
  onChecked: (checked: boolean) => void
  /** Some of the things below are chosen. */
  indeterminate?: boolean
}

/** The bare box; `aria-label` or `CheckboxField` names it. */
export const Checkbox = ({ checked, onChecked, indeterminate = false, className, ...rest }: CheckboxProps) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])
  const Mark = indeterminate ? Minus : Check
  return (
    <span className={cx('relative inline-flex size-4 shrink-0 items-center justify-center', className)}>
      <input
        {...rest}
        ref={input}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChecked(event.target.checked)}
        className="peer absolute inset-0 size-4 appearance-none rounded-sm border border-control bg-surface shadow-sm transition-colors before:absolute before:-inset-2 hover:border-faint checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:border-line-strong disabled:bg-sunken aria-invalid:border-failed-mark"
      />
      <Mark
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none relative size-3 text-on-accent opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100 peer-disabled:text-faint"
      />
    </span>
  )
}

type CheckboxFieldProps = CheckboxProps & { label: ReactNode; help?: ReactNode; error?: string | undefined }

/** A box with its sentence; pressing the sentence presses the box. */
export const CheckboxField = ({ label, help, error, ...rest }: CheckboxFieldProps) => {
  const id = useId()
  const describedBy = cx(error && `${id}-error`, help !== undefined && `${id}-help`) || undefined
  return (
    <div className="flex items-start gap-2.5">
      <Checkbox
        {...rest}
        id={id}
        aria-describedby={describedBy}
        aria-invalid={error ? true : undefined}
        className="mt-0.5"
      />
      <div className="flex min-w-0 flex-col gap-0.5">
        <label htmlFor={id} className="text-ink text-sm">
          {label}
        </label>
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
        {help === undefined ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      </div>
    </div>
  )
}
