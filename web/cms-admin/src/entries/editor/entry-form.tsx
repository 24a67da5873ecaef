import { MAX_TITLE_LENGTH } from '@stoa/cms-model/entries.ts'
import type { Problem } from '@stoa/cms-model/fields/define.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { FieldError } from '@stoa/ui/field.tsx'
import { type FocusEvent, memo, useCallback, useId, useMemo } from 'react'
import { FieldActionScope, type FieldActionScopeValue } from '../../fields/field-action-scope.ts'
import { FieldEditor } from '../../fields/field-editor.tsx'
import { editorRegistry } from '../../registry/editor.tsx'
import { useRegistered } from '../../registry/registered.ts'
import { useEditor } from './editor-context.ts'
import type { Session } from './session.ts'
import { dataMember } from './values.ts'

/** Title and fields. Leaving them all saves. */
export const EntryForm = () => {
  const { type, session, state, rights } = useEditor()
  const scope = useFieldActionScope()
  const leave = (event: FocusEvent<HTMLElement>) => {
    // A layer that a field opened is still a part of it
    const isInside = event.currentTarget.contains(event.relatedTarget) || event.relatedTarget?.closest('[role=dialog]')
    if (!isInside) session.saveSoon()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to what bubbles and is no control itself
    <div onBlur={leave} className="flex min-w-0 flex-col gap-6">
      <TitleInput disabled={!rights.edit} />
      <FieldActionScope value={scope}>
        {type.fields.map((field) => (
          <FieldOfEntry
            key={field.key}
            field={field}
            value={state.values.data[field.key]}
            problems={state.problems}
            disabled={!rights.edit}
            session={session}
          />
        ))}
      </FieldActionScope>
    </div>
  )
}

/** The same as long as the entry is: a new one would draw every field again at each key. */
export const useFieldActionScope = (): FieldActionScopeValue => {
  const { type, me, session, state } = useEditor()
  const actions = useRegistered(editorRegistry.fieldActions, me)
  const entryId = state.entry?.id
  return useMemo(() => ({ actions, type, entryId, asOneStep: session.asOneStep }), [actions, type, entryId, session])
}

/** The title, large as on a page. */
export const TitleInput = ({ disabled }: { disabled: boolean }) => {
  const id = useId()
  const { session, state } = useEditor()
  const problem = state.problems.find(({ key }) => key === 'title')
  return (
    <div data-path=":title" className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="sr-only">
        Title
      </label>
      <textarea
        id={id}
        rows={1}
        value={state.values.title}
        disabled={disabled}
        maxLength={MAX_TITLE_LENGTH}
        placeholder="Title"
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={(event) => session.change('title', event.target.value.replace(/\n/g, ' '))}
        onKeyDown={(event) => {
          // A title is one line, however many it takes on the screen
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault()
        }}
        className="-mx-1.75 field-sizing-content w-[calc(100%+0.875rem)] resize-none rounded-md border border-transparent bg-transparent px-1.5 py-1 font-semibold text-ink text-xl outline-none transition-colors placeholder:text-faint hover:not-disabled:bg-field focus-visible:border-accent-line focus-visible:bg-field disabled:text-ink aria-invalid:border-failed-mark"
      />
      {problem ? <FieldError id={`${id}-error`}>{problem.message}</FieldError> : null}
    </div>
  )
}

type FieldOfEntryProps = {
  field: Field
  value: unknown
  problems: readonly Problem[]
  disabled: boolean
  session: Session
}

/** Typing in one field leaves the others alone. */
export const FieldOfEntry = ({ field, value, problems, disabled, session }: FieldOfEntryProps) => {
  const own = problems.filter(({ key }) => key === field.key || key.startsWith(`${field.key}.`))
  const onChange = useCallback((next: unknown) => session.change(dataMember(field.key), next), [session, field.key])
  return (
    <SteadyField
      field={field}
      value={value}
      onChange={onChange}
      path={field.key}
      problems={own.length === 0 ? NONE : own}
      disabled={disabled}
    />
  )
}

const NONE: readonly Problem[] = []
const SteadyField = memo(FieldEditor)
