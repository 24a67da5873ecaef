import { Button } from '@stoa/ui/button.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { type FormEvent, useId, useState } from 'react'
import { laterMoments, localInput, MAX_AHEAD_MS, problemOfMoment } from './schedule.ts'

/** Asks when a message is to be sent, in the zone of who writes. */
export const SendLaterDialog = ({ onChoose, onClose }: { onChoose: (at: Date) => void; onClose: () => void }) => {
  const id = useId()
  const [now] = useState(() => new Date())
  const [value, setValue] = useState(() => localInput(laterMoments(now)[0]?.at ?? now))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const at = new Date(value)
    const wrong = problemOfMoment(at, new Date())
    if (wrong === null) onChoose(at)
    else setProblem(wrong)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Send later"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            Schedule
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate>
        <Field
          label="Day and time"
          help={`In your zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}. At most 30 days ahead.`}
          error={problem}
        >
          <Input
            type="datetime-local"
            value={value}
            min={localInput(now)}
            max={localInput(new Date(now.getTime() + MAX_AHEAD_MS))}
            onChange={(event) => {
              setValue(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
