import { Menu as MenuIcon, Search, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { useStored } from '../browser/stored.ts'
import { useIsPhone } from '../browser/use-media-query.ts'
import { IconButton } from '../button/button.tsx'
import { useLayer } from '../layer/layers.ts'
import { AppLink } from '../navigation/link.tsx'
import type { NavGroup } from '../navigation/navigation.ts'
import { cx } from '../theme/cx.ts'
import { type ShellSite, SiteName, ViewSite } from './brand.tsx'
import { SIDE_PANEL } from './side-panel-mark.ts'
import { Navigation, Sidebar } from './sidebar.tsx'
import { UserMenu } from './user-menu.tsx'

export type AppShellProps = {
  product: string
  /** Shown in place of the product, once the site has a name. */
  site?: ShellSite | undefined
  /** The path inside the app, to mark where one is. */
  path: string
  navigation: readonly NavGroup[]
  /** `person` is the id or address that the color of the avatar comes from. */
  user: { person: string; name: string; email: string; picture?: string | undefined; accountPath: string }
  /** Panels that can be opened beside every screen. */
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

const isTrue = (stored: unknown): boolean => stored === true

/** The frame of an app: navigation at the left (a drawer on a phone), the screen at the right. */
export const AppShell = (props: AppShellProps) => {
  const phone = useIsPhone()
  const [isRail, setRail] = useStored('sidebar-collapsed', isTrue)
  const main = useRef<HTMLElement>(null)
  useFocusOnScreenChange(main, props.path)
  return (
    <div
      data-page="surface"
      style={{ '--shell-sidebar': `var(--container-${isRail ? 'rail' : 'sidebar'})` } as CSSProperties}
      className={cx(
        'min-h-dvh bg-canvas desk:grid',
        props.side
          ? 'desk:grid-cols-[var(--shell-sidebar)_1fr_auto_auto]'
          : 'desk:grid-cols-[var(--shell-sidebar)_1fr]',
      )}
    >
      <a
        href="#content"
        className="layer-tooltip sr-only top-2 left-2 rounded-md bg-inverse px-3 py-2 text-on-inverse text-sm focus:not-sr-only focus:fixed"
      >
        Skip to content
      </a>
      {phone ? <TopBar {...props} /> : <Sidebar {...props} isRail={isRail} onRail={setRail} />}
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
        <SiteName product={props.product} site={props.site} />
      </AppLink>
      {props.tools?.map(({ id, label, icon, isOpen, onPress }) => (
        <IconButton key={id} label={label} icon={icon} aria-expanded={isOpen} onClick={onPress} />
      ))}
      <IconButton label="Search" icon={<Search />} onClick={props.onSearch} />
      <UserMenu {...props} shape="bar" />
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
      {props.site?.url ? <ViewSite url={props.site.url} /> : null}
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
