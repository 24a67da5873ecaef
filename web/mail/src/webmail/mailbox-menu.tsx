import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts/shortcuts-help.tsx'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { ThemeChoice } from '@stoa/ui/theme/theme-switch.tsx'
import { useNavigate } from '@tanstack/react-router'
import { CircleHelp, Command, LogOut, Settings } from 'lucide-react'

type MailboxMenuProps = { mailbox: Mailbox; onCommands: () => void; onSignOut: () => void }

/** Whose mailbox it is, how full it is, and the way out. */
export const MailboxMenu = ({ mailbox, onCommands, onSignOut }: MailboxMenuProps) => {
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  return (
    <Menu
      className="w-64"
      trigger={
        <IconButton
          label="Your mailbox"
          side="bottom"
          icon={<Avatar name={mailbox.name ?? mailbox.email} person={mailbox.email} />}
        />
      }
    >
      <div className="flex min-w-0 flex-col px-2 pt-1.5 pb-1">
        {mailbox.name ? <span className="truncate font-medium text-ink">{mailbox.name}</span> : null}
        <span className="truncate text-muted text-xs">{mailbox.email}</span>
      </div>
      <Quota mailbox={mailbox} />
      <MenuSeparator />
      <MenuItem icon={<Settings />} onSelect={() => void navigate({ to: '/webmail/settings' })}>
        Settings
      </MenuItem>
      <MenuItem icon={<Command />} shortcut="mod+k" onSelect={onCommands}>
        Command menu
      </MenuItem>
      {isPhone ? null : (
        <MenuItem icon={<CircleHelp />} shortcut="?" onSelect={openShortcutsHelp}>
          Keyboard shortcuts
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={onSignOut}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

const Quota = ({ mailbox: { used_bytes: used, quota_bytes: quota } }: { mailbox: Mailbox }) => {
  const words = quota === null ? `${formatBytes(used)} used` : `${formatBytes(used)} of ${formatBytes(quota)} used`
  return (
    <div className="flex flex-col gap-1 px-2 pb-1.5">
      {quota === null ? null : <Meter label="Storage" value={used} max={quota} text={words} />}
      <span className="text-muted text-xs tabular-nums">{words}</span>
    </div>
  )
}
