import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { AlarmClock, AlarmClockOff, CalendarClock } from 'lucide-react'
import { useState } from 'react'
import type { ActionMenuProps } from './menu-props.ts'
import { MomentDialog } from './moment-dialog.tsx'
import { formatMoment, snoozeTimes, tomorrow } from './snooze-times.ts'
import { useMessageActions } from './use-message-actions.ts'

type SnoozeMenuProps = ActionMenuProps & {
  /** Some of them are put away: they can be brought back. */
  snoozed?: boolean | undefined
}

/** Puts messages away until a moment. */
export const SnoozeMenu = ({ target, snoozed = false, onDone, ...menu }: SnoozeMenuProps) => {
  const actions = useMessageActions()
  const [picking, setPicking] = useState(false)
  const snooze = (until: Date | null) => {
    void actions.snooze(target, until)
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
            Unsnooze
          </MenuItem>
        ) : null}
      </Menu>
      {picking ? (
        <MomentDialog
          title="Snooze until"
          description="Messages move to Snoozed and come back as unread."
          submitLabel="Snooze"
          initial={tomorrow(new Date())}
          onChoose={snooze}
          onClose={() => setPicking(false)}
        />
      ) : null}
    </>
  )
}
