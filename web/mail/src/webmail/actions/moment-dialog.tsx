import { Field } from '@stoa/ui/form/field.tsx'
import { localZone, MomentInput } from '@stoa/ui/form/moment-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useState } from 'react'

type MomentDialogProps = {
  title: string
  description: string
  /** The action: "Snooze". */
  submitLabel: string
  initial: Date
  max?: Date
  /** The error of a chosen time; null when it is valid. */
  problemOf?: (at: Date, now: Date) => string | null
  onChoose: (at: Date) => void
  onClose: () => void
}

/** Asks for a moment to come, in the person's time zone. */
export const MomentDialog = (props: MomentDialogProps) => {
  const { title, description, submitLabel, initial, max, problemOf = problemOfPast, onChoose, onClose } = props
  const [now] = useState(() => new Date())
  const form = useForm({
    initial: { at: initial.toISOString() },
    validate: ({ at }) => {
      const problem = at === '' ? 'Choose a date and time.' : problemOf(new Date(at), new Date())
      return problem === null ? {} : { at: problem }
    },
    onSubmit: async (values) => {
      onChoose(new Date(values.at))
      onClose()
      return values
    },
    guard: false,
  })
  return (
    <FormDialog
      title={title}
      description={description}
      size="sm"
      form={form}
      submitLabel={submitLabel}
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Date and time" help={localZone()} error={form.errors.at}>
        <MomentInput
          value={form.values.at}
          min={now}
          {...(max === undefined ? {} : { max })}
          onValue={(at) => form.set({ at })}
        />
      </Field>
    </FormDialog>
  )
}

const problemOfPast = (at: Date, now: Date): string | null => (at > now ? null : 'Choose a time in the future.')
