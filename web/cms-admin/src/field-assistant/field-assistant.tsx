import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { FieldHandle } from '../registry/field-actions.ts'
import { visualQuery } from '../visual/pages.ts'
import { ActionBar } from './action-bar.tsx'
import { belowOf, type Choice, hasBelow, isTooLong, requestFor, type Subject, subjectOf, valueFor } from './subject.ts'
import { SuggestionView } from './suggestion-view.tsx'
import { type SuggestionRun, type SuggestionState, useSuggestion } from './use-suggestion.ts'

type FieldAssistantProps = { handle: FieldHandle; onClose: () => void }

/** Suggests another text for a field; nothing is written until a person takes the suggestion. */
export const FieldAssistant = ({ handle, onClose }: FieldAssistantProps) => {
  const { field, value, type, entryId } = handle
  const [opened] = useState(() => ({ value, part: handle.selected() }))
  const [isPart, setPart] = useState(opened.part !== null)
  const { data: visual } = useQuery(visualQuery)
  const run = useSuggestion()
  const { state } = run
  const isFormatted =
    Object.hasOwn(visual?.types ?? {}, type.name) && visual?.types[type.name]?.formatted.includes(handle.path) === true
  const part = isPart ? opened.part : null
  const subject = subjectOf(field, value, { entryId, part, isFormatted })
  // A part is a part of what the field held then
  const isStale = part !== null && value !== opened.value
  const take = (next: string) => {
    handle.setValue(next)
    onClose()
  }
  const start = (choice: Choice) => run.start(requestFor(subject, choice))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Write with AI"
      description={`${field.label}. Nothing changes until you use a suggestion.`}
      footer={
        state.step === 'idle' ? undefined : (
          <Buttons run={run} subject={subject} canTake={!isStale && !handle.readonly} onTake={take} onClose={onClose} />
        )
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        {opened.part ? (
          <PartChoice
            isPart={isPart}
            disabled={state.step === 'writing'}
            onPart={(next) => {
              run.discard()
              setPart(next)
            }}
          />
        ) : null}
        {isTooLong(subject) ? (
          <TooLong />
        ) : (
          <ActionBar subject={subject} busy={state.step === 'writing'} onStart={start} />
        )}
        {isStale ? (
          <Notice tone="warning">
            This field changed in the meantime. Close this dialog and select the text again.
          </Notice>
        ) : null}
        <SuggestionView subject={subject} state={state} />
      </div>
    </Dialog>
  )
}

type ButtonsProps = {
  run: SuggestionRun
  subject: Subject
  canTake: boolean
  onTake: (value: string) => void
  onClose: () => void
}

const Buttons = ({ run: { state, asked, start, stop }, subject, canTake, onTake, onClose }: ButtonsProps) => {
  const suggestion = canTake && state.step === 'done' ? state.value : null
  const take = (withSuggestion: typeof valueFor) => {
    if (suggestion !== null) onTake(withSuggestion(subject, suggestion))
  }
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        Discard
      </Button>
      <Button onClick={() => (state.step === 'writing' ? stop() : asked && start(asked))}>
        {againWords[state.step]}
      </Button>
      {hasBelow(subject) ? (
        <Button disabled={suggestion === null} onClick={() => take(belowOf)}>
          Insert below
        </Button>
      ) : null}
      <Button variant="primary" disabled={suggestion === null} onClick={() => take(valueFor)}>
        {subject.part ? 'Replace selection' : 'Replace'}
      </Button>
    </>
  )
}

/** One button, so that the focus stays on it. */
const againWords: Readonly<Record<SuggestionState['step'], string>> = {
  idle: 'Try again',
  writing: 'Stop',
  done: 'Try again',
  stopped: 'Try again',
  failed: 'Retry',
}

type PartChoiceProps = { isPart: boolean; disabled: boolean; onPart: (isPart: boolean) => void }

type Extent = 'part' | 'whole'

const PartChoice = ({ isPart, disabled, onPart }: PartChoiceProps) => {
  const name = useId()
  const chosen: Extent = isPart ? 'part' : 'whole'
  const shared = { name, chosen, disabled, onChoose: (value: Extent) => onPart(value === 'part') }
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="sr-only">Which text to change</legend>
      <RadioChoice {...shared} value="part" label="Selected text" />
      <RadioChoice {...shared} value="whole" label="Whole field" />
    </fieldset>
  )
}

const TooLong = () => (
  <Notice tone="warning">
    This text has more than 12,000 characters. Close this dialog, select a part of the text and try again.
  </Notice>
)
