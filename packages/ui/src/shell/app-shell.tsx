import { CircleHelp, ExternalLink, LogOut, Menu as MenuIcon, Search, UserRound, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsPhone } from '../browser/use-media-query.ts'
import { IconButton } from '../button/button.tsx'
import { Avatar } from '../display/avatar.tsx'
import { useLayer } from '../layer/layers.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../layer/menu.tsx'
import { AppLink, useNavigateTo } from '../navigation/link.tsx'
import { isCurrent, type NavGroup, type NavItem } from '../navigation/navigation.ts'
import { Kbd } from '../shortcuts/kbd.tsx'
import { openShortcutsHelp } from '../shortcuts/shortcuts-help.tsx'
import { formatNumber } from '../text/format.ts'
import { cx } from '../theme/cx.ts'
import { ThemeChoice } from '../theme/theme-switch.tsx'
import { Brand } from './brand.tsx'
import { SIDE_PANEL } from './side-panel-mark.ts'

type AppShellProps = {
  product: string
  /** The path inside the app, to mark where one is. */
  path: string
  navigation: readonly NavGroup[]
  /** `person` is the id or address that the colour of the avatar comes from. */
  user: { person: string; name: string; email: string; picture?: string | undefined; accountPath: string }
  /** What can be opened at the side of every screen. */
  tools?: readonly ShellTool[]
  /** A `SidePanel` that is open. */
  side?: ReactNode
  onSearch: () => void
  onSignOut: () => void
  children: ReactNode
}

export type ShellTool = {
  id: string
  label: string
  icon: ReactNode
  shortcut?: string
  isOpen: boolean
  onPress: () => void
}

/** The frame of an app: navigation at the left (a drawer on a phone), the screen at the right. */
export const AppShell = (props: AppShellProps) => {
  const phone = useIsPhone()
  const main = useRef<HTMLElement>(null)
  useFocusOnScreenChange(main, props.path)
  return (
    <div
      data-page="surface"
      className={cx(
        'min-h-dvh bg-canvas desk:grid',
        props.side
          ? 'desk:grid-cols-[var(--container-sidebar)_1fr_auto_auto]'
          : 'desk:grid-cols-[var(--container-sidebar)_1fr]',
      )}
    >
      <a
        href="#content"
        className="layer-tooltip sr-only top-2 left-2 rounded-md bg-inverse px-3 py-2 text-on-inverse text-sm focus:not-sr-only focus:fixed"
      >
        Skip to content
      </a>
      {phone ? <TopBar {...props} /> : <Sidebar {...props} />}
      <main
        ref={main}
        id="content"
        tabIndex={-1}
        className="min-w-0 bg-surface desk:min-h-dvh desk:border-line desk:border-l phone:min-h-[calc(100dvh-3rem)]"
      >
        <div className="mx-auto w-full max-w-page px-4 pt-5 pb-16 desk:px-8 desk:pt-7">{props.children}</div>
      </main>
      {props.side}
    </div>
  )
}

const Sidebar = (props: AppShellProps) => (
  <div className="sticky top-0 flex h-dvh min-h-0 flex-col gap-3 px-3 pt-4 pb-3">
    <AppLink to="/" className="rounded-md px-2 py-0.5">
      <Brand product={props.product} />
    </AppLink>
    <button
      type="button"
      onClick={props.onSearch}
      className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2 text-faint text-sm shadow-sm transition-colors hover:border-line-strong hover:text-muted"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 text-left">Search</span>
      <Kbd keys="mod+k" />
    </button>
    {props.tools && props.tools.length > 0 ? (
      <div className="flex flex-col gap-0.5">
        {props.tools.map((tool) => (
          <ToolButton key={tool.id} tool={tool} />
        ))}
      </div>
    ) : null}
    <Navigation {...props} />
    <UserMenu {...props} />
  </div>
)

const ToolButton = ({ tool }: { tool: ShellTool }) => (
  <button
    type="button"
    aria-expanded={tool.isOpen}
    onClick={tool.onPress}
    className={cx(
      'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm transition-colors [&>svg]:size-4 [&>svg]:shrink-0',
      tool.isOpen ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint',
    )}
  >
    {tool.icon}
    <span className="min-w-0 flex-1 truncate text-left">{tool.label}</span>
    {tool.shortcut === undefined ? null : <Kbd keys={tool.shortcut} />}
  </button>
)

const Navigation = ({ navigation, path, onGo }: AppShellProps & { onGo?: () => void }) => (
  <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto">
    {navigation.map((group) => (
      <div key={group.label ?? ''} className="flex flex-col gap-0.5">
        {group.label === undefined ? null : <h2 className="px-2 pb-1 font-medium text-faint text-xs">{group.label}</h2>}
        <ul className="flex flex-col gap-0.5">
          {group.items.map((item) => (
            <li key={item.to}>
              <NavLink item={item} current={isCurrent(path, item.to)} onGo={onGo} />
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)

const NavLink = ({ item, current, onGo }: { item: NavItem; current: boolean; onGo: (() => void) | undefined }) => {
  const className = cx(
    'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm transition-colors touch:h-11 [&>svg]:size-4 [&>svg]:shrink-0',
    current ? 'bg-pressed font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint',
  )
  const content = (
    <>
      {item.icon}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.count === undefined ? null : (
        <span className="text-muted text-xs tabular-nums">{formatNumber(item.count)}</span>
      )}
      {item.external ? <ExternalLink aria-label="Opens in a new tab" className="size-3.5!" /> : null}
    </>
  )
  if (item.external) {
    return (
      <a href={item.to} target="_blank" rel="noreferrer" className={className}>
        {content}
      </a>
    )
  }
  return (
    <AppLink to={item.to} aria-current={current ? 'page' : undefined} onClick={onGo} className={className}>
      {content}
    </AppLink>
  )
}

const UserMenu = ({ user, onSignOut, compact = false }: AppShellProps & { compact?: boolean }) => {
  const navigateTo = useNavigateTo()
  const trigger = compact ? (
    <IconButton label="Your account" icon={<Avatar name={user.name} person={user.person} src={user.picture} />} />
  ) : (
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
  )
  return (
    <Menu trigger={trigger} align={compact ? 'end' : 'start'} side={compact ? 'bottom' : 'top'} className="w-54">
      {compact ? <MenuLabel>{user.email}</MenuLabel> : null}
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

const TopBar = (props: AppShellProps) => {
  const [open, setOpen] = useState(false)
  return (
    <header className="layer-bar sticky top-0 flex h-12 items-center gap-1 border-line border-b bg-canvas px-2">
      <Radix.Root open={open} onOpenChange={setOpen}>
        <Radix.Trigger asChild>
          <IconButton label="Open navigation" icon={<MenuIcon />} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Overlay className="layer-overlay fixed inset-0 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
          <Radix.Content
            aria-describedby={undefined}
            className="layer-dialog fixed inset-y-0 left-0 flex w-72 max-w-[85vw] flex-col gap-4 border-line border-r bg-canvas px-3 py-3 shadow-lg outline-none data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet-in"
          >
            <Drawer {...props} onClose={() => setOpen(false)} />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      <AppLink to="/" className="flex min-w-0 flex-1 items-center px-1">
        <Brand product={props.product} />
      </AppLink>
      {props.tools?.map(({ id, label, icon, isOpen, onPress }) => (
        <IconButton key={id} label={label} icon={icon} aria-expanded={isOpen} onClick={onPress} />
      ))}
      <IconButton label="Search" icon={<Search />} onClick={props.onSearch} />
      <UserMenu {...props} compact />
    </header>
  )
}

const Drawer = ({ onClose, ...props }: AppShellProps & { onClose: () => void }) => {
  useLayer()
  return (
    <>
      <div className="flex items-center justify-between px-2">
        <Radix.Title className="font-semibold text-md">Navigation</Radix.Title>
        <IconButton label="Close navigation" icon={<X />} onClick={onClose} />
      </div>
      <Navigation {...props} onGo={onClose} />
    </>
  )
}

/**
 * A new screen takes the focus, so that a screen reader starts there; the first screen leaves it alone, and so does one
 * that opens while someone works in the panel beside it.
 */
const useFocusOnScreenChange = (main: { current: HTMLElement | null }, path: string): void => {
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    const focused = document.activeElement
    if (!main.current?.contains(focused) && !focused?.closest(`[${SIDE_PANEL}]`))
      main.current?.focus({ preventScroll: true })
  }, [main, path])
}
