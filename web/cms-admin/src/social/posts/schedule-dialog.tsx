import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { problemOf } from '@stoa/ui/request/problem.ts'
import { useState } from 'react'
import { hasCode } from '../../api.ts'
import { offsetName, wallOf } from '../../fields/datetime/zoned-time.ts'
import { momentOf, pastProblem } from '../calendar/move.ts'
import { useSiteZone } from '../queries.ts'

type ScheduleDialogProps = {
  title: string
  /** A moment to begin with. */
  initial: string
  /** The dialog stays open with the problem when this throws. */
  onSchedule: (at: string) => Promise<void>
  onClose: () => void
}

/** Asks when a post goes out, in the time zone of the site. */
export const ScheduleDialog = ({ title, initial, onSchedule, onClose }: ScheduleDialogProps) => {
  const zone = useSiteZone()
  const [wall, setWall] = useState(() => wallOf(initial, zone).slice(0, 16))
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const at = momentOf(wall, zone)
  const run = async () => {
    if (at === undefined) return setError('Choose a date and time.')
    const past = pastProblem(at, new Date(), zone)
    if (past !== undefined) return setError(past)
    setBusy(true)
    setProblem(undefined)
    try {
      await onSchedule(at)
      onClose()
    } catch (thrown) {
      const { message, fields } = problemOf(thrown)
      if (hasCode(thrown, 'SCHEDULE_IN_PAST')) setError(message)
      else setProblem([message, ...fields.map((field) => field.message)].join('\n'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      dismissible={!busy}
      size="sm"
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" loading={busy} onClick={() => void run()}>
            Schedule post
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        {problem === undefined ? null : (
          <Notice tone="danger">
            <span className="whitespace-pre-line">{problem}</span>
          </Notice>
        )}
        <Field label="Date and time" help={<ZoneHelp at={at} zone={zone} />} error={error}>
          <Input
            type="datetime-local"
            max="9999-12-31T23:59"
            value={wall}
            onChange={({ target }) => {
              setWall(target.value)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}

/** Whose clock is meant, and what one's own will show. */
const ZoneHelp = ({ at, zone }: { at: string | undefined; zone: string }) => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const site = `Site time zone: ${zone.replaceAll('_', ' ')}${at === undefined ? '' : ` (${offsetName(at, zone)})`}.`
  if (at === undefined || offsetName(at, own) === offsetName(at, zone)) return site
  const here = new Date(at).toLocaleString(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  return `${site} For you: ${here}.`
}
