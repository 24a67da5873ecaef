import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { useSingleKeys } from '@stoa/ui/shortcuts/shortcuts.ts'
import { type Theme, useTheme } from '@stoa/ui/theme/theme.ts'
import { turnNotificationsOff, turnNotificationsOn, useNotifyState } from '../live/notify-choice.ts'

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** What holds for this browser only, and at once. */
export const BrowserPanel = () => {
  const [theme, setTheme] = useTheme()
  const [singleKeys, setSingleKeys] = useSingleKeys()
  return (
    <Panel title="This browser" description="These take effect at once and are kept in this browser only.">
      <div className="flex max-w-prose flex-col gap-5">
        <ChoiceGroup label="Theme" className="flex-row! flex-wrap gap-x-6!">
          {themes.map(({ value, label }) => (
            <RadioChoice key={value} name="theme" value={value} chosen={theme} onChoose={setTheme} label={label} />
          ))}
        </ChoiceGroup>
        <NotificationsSwitch />
        <SwitchField
          label="Single-key shortcuts"
          help="Keys such as j, e and r act without Ctrl. Switch them off if you speak to your computer."
          checked={singleKeys}
          onChecked={setSingleKeys}
        />
      </div>
    </Panel>
  )
}

const helps = {
  on: 'You are told of new mail in the inbox while you do something else.',
  off: 'Be told of new mail in the inbox while you do something else. The browser asks you first.',
  blocked: 'The browser blocks notifications of this site. Allow them in its settings for this address.',
  none: 'This browser shows none.',
} as const

const NotificationsSwitch = () => {
  const state = useNotifyState()
  const turn = async (on: boolean) => {
    if (!on) return turnNotificationsOff()
    const now = await turnNotificationsOn()
    if (now !== 'on') toast({ title: 'Notifications stay off', description: 'The browser did not allow them.' })
  }
  return (
    <SwitchField
      label="Desktop notifications"
      help={helps[state]}
      checked={state === 'on'}
      disabled={state === 'blocked' || state === 'none'}
      onChecked={(on) => void turn(on)}
    />
  )
}
