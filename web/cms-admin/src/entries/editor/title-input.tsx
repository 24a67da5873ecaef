import { MAX_TITLE_LENGTH } from '@stoa/cms-model/entries.ts'
import { contentFields } from '@stoa/cms-model/fields/field.ts'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { useCallback, useId, useRef } from 'react'
import { useFieldActions } from '../../fields/field-actions.tsx'
import { FieldSelection, partOf, type ReadSelection, useFieldSelection } from '../../fields/field-selection.ts'
import { useTextLanguage } from '../../fields/text-language.ts'
import { EditingHere } from '../../realtime/field-presence.tsx'
import { useEditor } from './editor-context.ts'

/** The title is a member of the entry and no field; for the actions of fields it is a text like others. */
const TITLE = contentFields.parse([{ key: 'title', type: 'text', label: 'Title', maxLength: MAX_TITLE_LENGTH }])[0]!
const PATH = ':title'

type TitleInputProps = {
  disabled: boolean
  /** Goes on to the text below. */
  onEnter?: (() => void) | undefined
}

/** The title, large as on a page. */
export const TitleInput = (props: TitleInputProps) => {
  const selection = useRef<ReadSelection>(null)
  return (
    <FieldSelection value={selection}>
      <TitleText {...props} />
    </FieldSelection>
  )
}

const TitleText = ({ disabled, onEnter }: TitleInputProps) => {
  const id = useId()
  const { session, state } = useEditor()
  const { title } = state.values
  const input = useRef<HTMLTextAreaElement>(null)
  useFieldSelection(() => input.current && partOf(title, input.current.selectionStart, input.current.selectionEnd))
  // A title is one line, however many it takes on the screen
  const change = useCallback((next: string) => session.change('title', next.replace(/\n/g, ' ')), [session])
  const problem = state.problems.find(({ key }) => key === 'title')
  return (
    <div data-path={PATH} className="relative flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="sr-only">
        Title
      </label>
      {/* Above the title, which does not move */}
      <div className="absolute bottom-full left-0">
        <EditingHere field="title" label="Title" />
      </div>
      <div className="flex min-w-0 items-start gap-2">
        <textarea
          ref={input}
          id={id}
          rows={1}
          value={title}
          disabled={disabled}
          maxLength={MAX_TITLE_LENGTH}
          {...useTextLanguage()}
          placeholder="Title"
          autoComplete="off"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onEnter?.()
          }}
          className="field-sizing-content min-w-0 flex-1 resize-none bg-transparent py-1 font-semibold text-ink text-xl outline-none placeholder:text-faint disabled:text-ink aria-invalid:text-danger-ink"
        />
        <TitleActions value={title} onChange={change} disabled={disabled} />
      </div>
      {problem ? <FieldError id={`${id}-error`}>{problem.message}</FieldError> : null}
    </div>
  )
}

type TitleActionsProps = { value: string; onChange: (value: string) => void; disabled: boolean }

const TitleActions = ({ value, onChange, disabled }: TitleActionsProps) => {
  const write = useCallback((next: unknown) => onChange(String(next)), [onChange])
  const actions = useFieldActions({ field: TITLE, value, onChange: write, path: PATH, problems: [], disabled })
  return actions ? <div className="flex h-12 items-center">{actions}</div> : null
}
