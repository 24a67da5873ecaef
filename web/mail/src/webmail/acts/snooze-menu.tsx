import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@stoa/ui/menu.tsx'
import { localZone, MomentInput } from '@stoa/ui/moment-input.tsx'
import { useForm } from '@stoa/ui/use-form.ts'
import { AlarmClock, AlarmClockOff, CalendarClock } from 'lucide-react'
import { useState } from 'react'
import type { ActMenuProps } from './menu-props.ts'
import { formatMoment, snoozeTimes } from './snooze-times.ts'
import { useMessageActs } from './use-message-acts.ts'

type SnoozeMenuProps = ActMenuProps & {
  /** Some of them are put away: they can be brought back. */
  snoozed?: boolean | undefined
}

/** Puts messages away until a moment. */
export const SnoozeMenu = ({ target, snoozed = false, onDone, ...menu }: SnoozeMenuProps) => {
  const acts = useMessageActs()
  const [picking, setPicking] = useState(false)
  const snooze = (until: Date | null) => {
    void acts.snooze(target, until)
    onDone?.()
  }
  return (
    <>
      <Menu {...menu} className="w-72">
        <MenuLabel>Snooze until</MenuLabel>
        {snoozeTimes(new Date()).map(({ id, label, at }) => (
          <MenuItem key={id} icon={<AlarmClock />} onSelect={() => snooze(at)}>
            <span className="flex justify-between gap-3">
              <span>{label}</span>
              <span className="text-faint text-xs leading-5 tabular-nums">{formatMoment(at)}</span>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<CalendarClock />} onSelect={() => setPicking(true)}>
          Pick date and time…
        </MenuItem>
        {snoozed ? (
          <MenuItem icon={<AlarmClockOff />} onSelect={() => snooze(null)}>
            Bring back now
          </MenuItem>
        ) : null}
      </Menu>
      {picking ? <SnoozeDialog onSnooze={snooze} onClose={() => setPicking(false)} /> : null}
    </>
  )
}

type SnoozeDialogProps = { onSnooze: (until: Date) => void; onClose: () => void }

const SnoozeDialog = ({ onSnooze, onClose }: SnoozeDialogProps) => {
  const form = useForm({
    initial: {
      until:
        snoozeTimes(new Date())
          .find(({ id }) => id === 'tomorrow')
          ?.at.toISOString() ?? '',
    },
    validate: ({ until }) => {
      if (until === '') return { until: 'Choose a moment.' }
      return Date.parse(until) > Date.now() ? {} : { until: 'Choose a moment that is still to come.' }
    },
    onSubmit: async (values) => {
      onSnooze(new Date(values.until))
      onClose()
      return values
    },
    guard: false,
  })
  return (
    <FormDialog
      title="Snooze until"
      description="The messages go to Snoozed and come back as unread."
      size="sm"
      form={form}
      submitLabel="Snooze"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Date and time" help={localZone()} error={form.errors.until}>
        <MomentInput value={form.values.until} min={new Date()} onValue={(until) => form.set({ until })} />
      </Field>
    </FormDialog>
  )
}
