import type { Problem } from '@stoa/cms-model/fields/define.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type FocusEvent, memo, useCallback, useMemo } from 'react'
import type { EditorProps } from '../../fields/editor.ts'
import { FieldActionScope, type FieldActionScopeValue } from '../../fields/field-action-scope.ts'
import { FieldEditor } from '../../fields/field-editor.tsx'
import { editorRegistry } from '../../registry/editor.tsx'
import { useRegistered } from '../../registry/registered.ts'
import type { EditorSession } from '../session/session.ts'
import { dataMember } from '../session/values.ts'
import { useEditor } from './editor-context.ts'
import { pagePartsOf } from './page-parts.ts'
import { TitleInput } from './title-input.tsx'

/** The entry as a page: cover, title and text, and the other fields below. Leaving them all saves. */
export const EntryForm = () => {
  const { type, session, state, rights } = useEditor()
  const scope = useFieldActionScope()
  const leave = (event: FocusEvent<HTMLElement>) => {
    // A layer that a field opened is still a part of it
    const isInside = event.currentTarget.contains(event.relatedTarget) || event.relatedTarget?.closest('[role=dialog]')
    if (!isInside) session.saveSoon()
  }
  const { cover, text, rest } = useMemo(() => pagePartsOf(type), [type])
  const shown = (field: Field, look?: 'page') => (
    <FieldOfEntry
      key={field.key}
      field={field}
      value={state.values.data[field.key]}
      problems={state.problems}
      disabled={!rights.edit}
      session={session}
      look={look}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to what bubbles and is no control itself
    <div onBlur={leave} className="mx-auto flex w-full min-w-0 max-w-measure flex-col gap-6">
      <FieldActionScope value={scope}>
        {cover ? shown(cover, 'page') : null}
        <TitleInput disabled={!rights.edit} onEnter={text && (() => focusText(text.key))} />
        {text ? shown(text, 'page') : null}
        {text && rest.length > 0 ? <hr className="my-2 border-line" /> : null}
        {rest.map((field) => shown(field))}
      </FieldActionScope>
    </div>
  )
}

const focusText = (key: string): void =>
  document.querySelector<HTMLElement>(`[data-path="${CSS.escape(key)}"] [contenteditable="true"]`)?.focus()

/** The scope object stays the same for an entry: a new one would render every field again at each key press. */
export const useFieldActionScope = (): FieldActionScopeValue => {
  const { type, me, session, state } = useEditor()
  const actions = useRegistered(editorRegistry.fieldActions, me)
  const entryId = state.entry?.id
  return useMemo(() => ({ actions, type, entryId, asOneStep: session.asOneStep }), [actions, type, entryId, session])
}

type FieldOfEntryProps = {
  field: Field
  value: unknown
  problems: readonly Problem[]
  disabled: boolean
  session: EditorSession
  look?: EditorProps['look']
}

/** Typing in one field leaves the others alone. */
export const FieldOfEntry = ({ field, value, problems, disabled, session, look }: FieldOfEntryProps) => {
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
      look={look}
    />
  )
}

const NONE: readonly Problem[] = []
const SteadyField = memo(FieldEditor)
