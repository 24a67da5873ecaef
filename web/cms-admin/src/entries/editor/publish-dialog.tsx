import { linksOf } from '@stoa/cms-model/fields/values.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { problemOf } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { mediaQuery } from '../../media/queries.ts'
import { labelOf, nameOf } from '../session/labels.ts'
import { localInputOf, momentOf, zoneName } from '../session/local-time.ts'
import { changedMembers, valuesOf } from '../session/values.ts'
import { useEditor } from './editor-context.ts'
import { useEntryActions } from './use-entry-actions.ts'

type When = 'now' | 'later'

/** Asks whether to publish now or at a time. */
export const PublishDialog = ({ initially = 'now', onClose }: { initially?: When; onClose: () => void }) => {
  const { state } = useEditor()
  const actions = useEntryActions()
  const isLive = state.entry?.status === 'published'
  return (
    <WhenDialog
      title={`${isLive ? 'Publish changes to' : 'Publish'} “${nameOf(state.values)}”?`}
      description={isLive ? <Changed /> : 'It will be visible to everyone on your website.'}
      advice={<MissingAlt />}
      question="When"
      now={isLive ? 'Publish changes now' : 'Publish now'}
      initially={initially}
      initial={state.entry?.publishAt ?? null}
      onNow={actions.publish}
      onLater={(at) => actions.schedule('publish', at)}
      onClose={onClose}
    />
  )
}

/** Asks whether to take it off the website now or at a time. */
export const UnpublishDialog = ({ onClose }: { onClose: () => void }) => {
  const { state } = useEditor()
  const actions = useEntryActions()
  const isLive = state.entry?.status === 'published'
  return (
    <WhenDialog
      title={`Unpublish “${nameOf(state.values)}”?`}
      description="It becomes a draft again, and its page on your website stops working. You can publish it again at any time."
      question="When"
      now={isLive ? 'Unpublish now' : undefined}
      initially={isLive && state.entry?.unpublishAt === null ? 'now' : 'later'}
      initial={state.entry?.unpublishAt ?? null}
      onNow={() => actions.withdraw('unpublish')}
      onLater={(at) => actions.schedule('unpublish', at)}
      onClose={onClose}
    />
  )
}

const Changed = () => {
  const { type, state } = useEditor()
  const live = state.entry?.live
  if (!live) return null
  const names = changedMembers(state.values, valuesOf(live)).map((member) => labelOf(type, member))
  return names.length === 0 ? 'No changes to publish.' : `Changes: ${names.join(', ')}`
}

type WhenDialogProps = {
  title: string
  description: ReactNode
  /** Advice to read before publishing. */
  advice?: ReactNode
  question: string
  /** Without it, only a time can be chosen. */
  now: string | undefined
  initially: When
  initial: string | null
  onNow: () => Promise<void>
  onLater: (at: string) => Promise<void>
  onClose: () => void
}

const WhenDialog = ({
  title,
  description,
  advice,
  question,
  now,
  initially,
  initial,
  onNow,
  onLater,
  onClose,
}: WhenDialogProps) => {
  const { session } = useEditor()
  const name = useId()
  const confirm = useRef<HTMLButtonElement>(null)
  const [when, setWhen] = useState<When>(now === undefined ? 'later' : initially)
  const [text, setText] = useState(() => localInputOf(initial ?? inAnHour()))
  const [problem, setProblem] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    const at = momentOf(text)
    if (when === 'later' && at === undefined) return setError('Choose a date and time.')
    setBusy(true)
    const refusals = session.state().refusals
    try {
      await (when === 'now' || at === undefined ? onNow() : onLater(at))
      onClose()
    } catch (thrown) {
      const { message, fields } = problemOf(thrown)
      const atTime = fields.find(({ key }) => key === 'at')
      setError(atTime?.message)
      setProblem(atTime ? undefined : message)
      // The form shows which values are missing
      if (!atTime && session.state().refusals > refusals) onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      dismissible={!busy}
      initialFocus={confirm}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button ref={confirm} variant="primary" loading={busy} onClick={() => void run()}>
            {when === 'now' ? now : 'Schedule'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem === undefined ? null : <Notice tone="danger">{problem}</Notice>}
        {advice}
        {now === undefined ? null : (
          <ChoiceGroup label={question}>
            <RadioChoice name={name} value="now" chosen={when} onChoose={setWhen} label="Now" />
            <RadioChoice name={name} value="later" chosen={when} onChoose={setWhen} label="Schedule for later" />
          </ChoiceGroup>
        )}
        {when === 'later' ? (
          <Field label="Date and time" help={`Your time zone: ${zoneName()}`} error={error}>
            <Input
              type="datetime-local"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setError(undefined)
              }}
            />
          </Field>
        ) : null}
      </div>
    </Dialog>
  )
}

const HOUR_MS = 3_600_000

/** The next full hour that is not too near. */
const inAnHour = (): string => new Date(Math.ceil((Date.now() + HOUR_MS) / HOUR_MS) * HOUR_MS).toISOString()

/** More pictures are not asked about one by one. */
const MAX_ASKED = 50

/** Warns about pictures without alternative text. It blocks nothing. */
const MissingAlt = () => {
  const { type, state } = useEditor()
  const ids = linksOf(type.fields, state.values.data).media.slice(0, MAX_ASKED)
  const files = useQueries({ queries: ids.map((id) => mediaQuery(id)) })
  const missing = files.filter(
    ({ data }) => data?.mimeType.startsWith('image/') && data.alt === '' && !data.decorative,
  ).length
  if (missing === 0) return null
  return (
    <Notice tone="warning" title={`${formatCount(missing, 'image has', 'images have')} no alt text`}>
      Screen readers can't describe these images. Add alt text in the media library.
    </Notice>
  )
}
