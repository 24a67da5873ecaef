import { CircleHelp, LogOut, UserRound } from 'lucide-react'
import { IconButton } from '../button/button.tsx'
import { Avatar } from '../display/avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../layer/menu.tsx'
import { useNavigateTo } from '../navigation/link.tsx'
import { openShortcutsHelp } from '../shortcuts/shortcuts-help.tsx'
import { ThemeChoice } from '../theme/theme-switch.tsx'
import type { AppShellProps } from './app-shell.tsx'

/** A line in the sidebar, or the picture alone: in a rail of icons, or at the top of a phone. */
type Shape = 'line' | 'rail' | 'bar'

const places = {
  line: { align: 'start', side: 'top' },
  rail: { align: 'end', side: 'right' },
  bar: { align: 'end', side: 'bottom' },
} as const

type UserMenuProps = Pick<AppShellProps, 'user' | 'onSignOut'> & { shape: Shape }

export const UserMenu = ({ user, onSignOut, shape }: UserMenuProps) => {
  const navigateTo = useNavigateTo()
  const trigger =
    shape === 'line' ? (
      <button
        type="button"
        className="flex w-full min-w-0 items-center gap-2.5 rounded-md px-2 py-1.5 text-left transition-colors hover:bg-hover data-[state=open]:bg-pressed"
      >
        <Avatar name={user.name} person={user.person} src={user.picture} />
        <span className="flex min-w-0 flex-1 flex-col leading-none">
          <span className="truncate font-medium text-ink text-sm">{user.name}</span>
          {user.name === user.email ? null : <span className="truncate text-faint text-xs">{user.email}</span>}
        </span>
      </button>
    ) : (
      <IconButton
        label="Your account"
        side={shape === 'rail' ? 'right' : 'bottom'}
        className="desk:self-center"
        icon={<Avatar name={user.name} person={user.person} src={user.picture} />}
      />
    )
  return (
    <Menu trigger={trigger} {...places[shape]} className="w-54">
      {shape === 'line' ? null : <MenuLabel>{user.email}</MenuLabel>}
      <MenuItem icon={<UserRound />} onSelect={() => navigateTo(user.accountPath)}>
        Account
      </MenuItem>
      <MenuItem icon={<CircleHelp />} shortcut="?" onSelect={openShortcutsHelp}>
        Keyboard shortcuts
      </MenuItem>
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
