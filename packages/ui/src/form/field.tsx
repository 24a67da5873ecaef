import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId } from 'react'
import { cx } from '../theme/cx.ts'

type FieldWiring = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }

/** For labeled frames of another shape than `Field`; the inputs inside take their wiring from it. */
export const FieldContext = createContext<FieldWiring | null>(null)

type FieldProps = {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  /** Says "Optional" beside the label; fields without it are required. */
  optional?: boolean
  /** For inputs whose purpose is plain to see; screen readers still get the label. */
  hideLabel?: boolean
  /** A small link or button at the right end of the label. */
  action?: ReactNode
  className?: string
  /** One input of this package; it takes its id and its descriptions from here. */
  children: ReactNode
}

/** Label, input, help and error of one value, wired for screen readers. */
export const Field = ({ label, help, error, optional, hideLabel, action, className, children }: FieldProps) => {
  const id = useId()
  const describedBy = cx(error && `${id}-error`, help !== undefined && `${id}-help`) || undefined
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error), required: !optional }}>
      <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
        <div className={cx('flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
          <label htmlFor={id} className="font-medium text-ink text-sm">
            {label}
            {optional ? <span className="ml-1.5 font-normal text-faint text-xs">Optional</span> : null}
          </label>
          {action === undefined ? null : <span className="shrink-0 text-xs">{action}</span>}
        </div>
        {children}
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
        {help === undefined ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      </div>
    </FieldContext>
  )
}

export const FieldHelp = ({ id, children }: { id: string; children: ReactNode }) => (
  <p id={id} className="text-faint text-xs">
    {children}
  </p>
)

export const FieldError = ({ id, children }: { id: string; children: ReactNode }) => (
  <p id={id} className="flex items-start gap-1.5 text-danger-ink text-xs">
    <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
    <span className="min-w-0">{children}</span>
  </p>
)

type ControlProps = {
  id?: string | undefined
  required?: boolean | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined
}

/** The props that an input gets from the field around it; its own props win. */
export const useFieldWiring = (own: ControlProps): ControlProps & { 'aria-required'?: boolean | undefined } => {
  const field = use(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': own['aria-describedby'] ?? field?.describedBy,
    'aria-invalid': own['aria-invalid'] ?? (field?.invalid || undefined),
    'aria-required': own.required ?? (field?.required || undefined),
  }
}
