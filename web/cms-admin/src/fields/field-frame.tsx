import { FieldContext, FieldError, FieldHelp, useFieldWiring } from '@stoa/ui/form/field.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { type FocusEvent, type ReactNode, useId } from 'react'
import { EditingHere } from '../realtime/field-presence.tsx'

/**
 * `input` is one labeled control, `area` one that is no native input and names itself by `useFieldControl`, `switch` one
 * beside its label, `group` several controls with one name.
 */
export type FrameKind = 'input' | 'area' | 'switch' | 'group'

type FieldFrameProps = {
  kind: FrameKind
  path: string
  label: string
  help: string
  required: boolean
  errors: readonly string[]
  /** The label is for screen readers only. */
  isBare?: boolean
  /** The menu at the end of the label's row. */
  actions?: ReactNode
  onFocus: () => void
  /** The focus left everything inside. */
  onLeave: () => void
  children: ReactNode
}

/** Label, required mark, help and problems around the editor of one value. */
export const FieldFrame = ({
  kind,
  path,
  label: name,
  help,
  required,
  errors,
  isBare = false,
  actions,
  onFocus,
  onLeave,
  children,
}: FieldFrameProps) => {
  const id = useId()
  const describedBy =
    cx(errors.length > 0 && `${id}-error`, help !== '' && `${id}-help`, required && `${id}-required`) || undefined
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) onLeave()
  }
  const label = <FrameLabel id={id} kind={kind} path={path} label={name} required={required} isHidden={isBare} />
  const head =
    actions === undefined ? (
      label
    ) : (
      <div className="flex min-w-0 flex-1 items-center justify-between gap-2">
        {label}
        {actions}
      </div>
    )
  return (
    <FieldContext value={{ id, describedBy, invalid: errors.length > 0, required: false }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to what bubbles and is no control itself */}
      <div data-path={path} onFocus={onFocus} onBlur={leave} className="flex min-w-0 flex-col gap-1.5">
        {kind === 'switch' ? (
          <div className="flex items-center gap-2.5">
            {children}
            {head}
          </div>
        ) : (
          <>
            {head}
            {kind === 'group' ? <Group>{children}</Group> : children}
          </>
        )}
        {errors.length > 0 ? (
          <div id={`${id}-error`} className="flex flex-col gap-1">
            {errors.map((error, index) => (
              <FieldError key={error} id={`${id}-error-${index}`}>
                {error}
              </FieldError>
            ))}
          </div>
        ) : null}
        {help === '' ? null : <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
      </div>
    </FieldContext>
  )
}

/** Props that connect a non-native control with the frame around it; spread them on the element with the role. */
export const useFieldControl = () => {
  const { id, ...wiring } = useFieldWiring({})
  return {
    id,
    'aria-labelledby': `${id}-label`,
    'aria-describedby': wiring['aria-describedby'],
    'aria-invalid': wiring['aria-invalid'],
  }
}

type FrameLabelProps = {
  id: string
  kind: FrameKind
  path: string
  label: string
  required: boolean
  isHidden: boolean
}

const FrameLabel = ({ id, kind, path, label, required, isHidden }: FrameLabelProps) => {
  const look = 'min-w-0 font-medium text-ink text-sm [overflow-wrap:anywhere]'
  return (
    <div data-frame-label className={cx('flex min-w-0 items-baseline gap-1', isHidden && 'sr-only')}>
      {kind === 'group' ? (
        <span id={`${id}-label`} className={look}>
          {label}
        </span>
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: with the keyboard, people go to the control itself
        <label
          id={`${id}-label`}
          htmlFor={id}
          // Browsers do so for their own inputs only
          onClick={kind === 'area' ? () => document.getElementById(id)?.focus() : undefined}
          className={look}
        >
          {label}
        </label>
      )}
      {required ? (
        <>
          <span aria-hidden title="Required to publish" className="cursor-help font-medium text-danger-ink text-sm">
            *
          </span>
          <span id={`${id}-required`} className="sr-only">
            Required to publish
          </span>
        </>
      ) : null}
      <EditingHere field={path} label={label} />
    </div>
  )
}

/** A refused group takes the focus as a whole. The controls inside have names and descriptions of their own. */
const Group = ({ children }: { children: ReactNode }) => {
  const { id: _, ...control } = useFieldControl()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset cannot stand in a row with buttons
    <div role="group" tabIndex={-1} {...control} className="flex min-w-0 flex-col gap-2 outline-none">
      <FieldContext value={null}>{children}</FieldContext>
    </div>
  )
}
