import { useEffect, useState } from 'react'
import { SwitchField } from '../form/switch.tsx'
import { Dialog } from '../layer/dialog.tsx'
import { Kbd } from './kbd.tsx'
import { type Shortcut, useShortcut, useShortcutList, useSingleKeys } from './shortcuts.ts'

const OPEN_EVENT = 'stoa:shortcuts'

/** Every layer handles this by itself. */
const CLOSE: Shortcut = { keys: 'escape', description: 'Close dialog', group: 'General' }

/** Opens the list from a menu or the command palette. */
export const openShortcutsHelp = (): void => void window.dispatchEvent(new Event(OPEN_EVENT))

/** `?` opens the list of the keys that work on this screen; rendered once by the app. */
export const ShortcutsHelp = () => {
  const [open, setOpen] = useState(false)
  const list = [...useShortcutList(), CLOSE]
  useEffect(() => {
    const show = () => setOpen(true)
    window.addEventListener(OPEN_EVENT, show)
    return () => window.removeEventListener(OPEN_EVENT, show)
  }, [])
  useShortcut({ keys: '?', description: 'Show keyboard shortcuts', group: 'General', onPress: () => setOpen(true) })
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts">
      <div className="flex flex-col gap-5 pb-2">
        {Object.entries(Object.groupBy(list, (shortcut) => shortcut.group)).map(([group, shortcuts]) => (
          <ShortcutGroup key={group} group={group} shortcuts={shortcuts ?? []} />
        ))}
        <SingleKeysSwitch />
      </div>
    </Dialog>
  )
}

const ShortcutGroup = ({ group, shortcuts }: { group: string; shortcuts: readonly Shortcut[] }) => (
  <section className="flex flex-col gap-1">
    <h3 className="font-medium text-faint text-xs">{group}</h3>
    <ul className="divide-y divide-line">
      {shortcuts.map((shortcut) => (
        <li key={shortcut.keys} className="flex items-center justify-between gap-4 py-1.5">
          <span className="min-w-0">{shortcut.description}</span>
          <Kbd keys={shortcut.keys} />
        </li>
      ))}
    </ul>
  </section>
)

const SingleKeysSwitch = () => {
  const [on, setOn] = useSingleKeys()
  return (
    <SwitchField
      checked={on}
      onChecked={setOn}
      label="Single-key shortcuts"
      help="Turn these off if voice control or another tool triggers them by accident. You can still open this dialog from the command menu."
    />
  )
}
