import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { useSingleKeys } from '@stoa/ui/shortcuts/shortcuts.ts'
import { type Theme, useTheme } from '@stoa/ui/theme/theme.ts'
import { turnNotificationsOff, turnNotificationsOn, useNotifyState } from '../live/notify-choice.ts'

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Settings for this browser only, applied at once. */
export const BrowserPanel = () => {
  const [theme, setTheme] = useTheme()
  const [singleKeys, setSingleKeys] = useSingleKeys()
  return (
    <Panel title="This browser" description="Saved immediately, for this browser only.">
      <div className="flex max-w-prose flex-col gap-5">
        <ChoiceGroup label="Theme" className="flex-row! flex-wrap gap-x-6!">
          {themes.map(({ value, label }) => (
            <RadioChoice key={value} name="theme" value={value} chosen={theme} onChoose={setTheme} label={label} />
          ))}
        </ChoiceGroup>
        <NotificationsSwitch />
        <SwitchField
          label="Single-key shortcuts"
          help="Use keys like j, e and r without Ctrl. Turn off if you use voice control."
          checked={singleKeys}
          onChecked={setSingleKeys}
        />
      </div>
    </Panel>
  )
}

const helps = {
  on: "You'll be notified about new mail in your inbox.",
  off: 'Get notified about new mail in your inbox. Your browser will ask for permission.',
  blocked: 'Your browser blocks notifications from this site. Allow them in the browser settings.',
  none: "This browser doesn't support notifications.",
} as const

const NotificationsSwitch = () => {
  const state = useNotifyState()
  const turn = async (on: boolean) => {
    if (!on) return turnNotificationsOff()
    const now = await turnNotificationsOn()
    if (now !== 'on') toast({ title: 'Notifications are off', description: "Your browser didn't allow them." })
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
