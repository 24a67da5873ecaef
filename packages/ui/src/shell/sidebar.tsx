import { ExternalLink, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../button/button.tsx'
import { Tooltip } from '../layer/tooltip.tsx'
import { AppLink } from '../navigation/link.tsx'
import { isCurrent, type NavGroup, type NavItem } from '../navigation/navigation.ts'
import { Kbd } from '../shortcuts/kbd.tsx'
import { useShortcut } from '../shortcuts/shortcuts.ts'
import { formatNumber } from '../text/format.ts'
import { cx } from '../theme/cx.ts'
import type { AppShellProps, ShellTool } from './app-shell.tsx'
import { SiteBrand, ViewSite } from './brand.tsx'
import { UserMenu } from './user-menu.tsx'

const TOGGLE_KEYS = '['

type SidebarProps = AppShellProps & { isRail: boolean; onRail: (isRail: boolean) => void }

/** The navigation at the left: whole, or as a rail of icons whose names are tooltips. */
export const Sidebar = ({ isRail, onRail, ...props }: SidebarProps) => {
  const toggle = () => onRail(!isRail)
  const label = isRail ? 'Expand sidebar' : 'Collapse sidebar'
  useShortcut({ keys: TOGGLE_KEYS, description: 'Collapse or expand the sidebar', group: 'General', onPress: toggle })
  return (
    <div className={cx('sticky top-0 flex h-dvh min-h-0 flex-col gap-3 pt-4 pb-3', isRail ? 'px-2' : 'px-3')}>
      <div className={cx('flex gap-1', isRail ? 'flex-col items-center' : 'items-start')}>
        <SiteBrand {...props} isRail={isRail} />
        <IconButton
          size="sm"
          variant="ghost"
          side="right"
          label={label}
          shortcut={TOGGLE_KEYS}
          icon={isRail ? <PanelLeftOpen /> : <PanelLeftClose />}
          onClick={toggle}
        />
        {isRail && props.site?.url ? <ViewSite url={props.site.url} isRail /> : null}
      </div>
      <Named label="Search" isRail={isRail} shortcut="mod+k">
        <button
          type="button"
          onClick={props.onSearch}
          className={cx(
            'flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-surface text-faint text-sm shadow-sm transition-colors hover:border-line-strong hover:text-muted',
            isRail ? 'justify-center' : 'px-2',
          )}
        >
          <Search aria-hidden className="size-4 shrink-0" />
          <span className={isRail ? 'sr-only' : 'flex-1 text-left'}>Search</span>
          {isRail ? null : <Kbd keys="mod+k" />}
        </button>
      </Named>
      {props.tools && props.tools.length > 0 ? (
        <div className="flex flex-col gap-0.5">
          {props.tools.map((tool) => (
            <ToolButton key={tool.id} tool={tool} isRail={isRail} />
          ))}
        </div>
      ) : null}
      <Navigation {...props} isRail={isRail} />
      <UserMenu {...props} shape={isRail ? 'rail' : 'line'} />
    </div>
  )
}

type NamedProps = { label: string; isRail: boolean; shortcut?: string | undefined; children: ReactNode }

/** In a rail the name is a tooltip. */
const Named = ({ label, isRail, shortcut, children }: NamedProps) =>
  isRail ? (
    <Tooltip label={label} shortcut={shortcut} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  )

const ToolButton = ({ tool, isRail }: { tool: ShellTool; isRail: boolean }) => (
  <Named label={tool.label} isRail={isRail} shortcut={tool.shortcut}>
    <button
      type="button"
      aria-expanded={tool.isOpen}
      onClick={tool.onPress}
      className={cx(
        'flex h-8 items-center gap-2.5 rounded-md text-sm transition-colors [&>svg]:size-4 [&>svg]:shrink-0',
        isRail ? 'justify-center' : 'px-2',
        tool.isOpen ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint',
      )}
    >
      {tool.icon}
      <span className={isRail ? 'sr-only' : 'min-w-0 flex-1 truncate text-left'}>{tool.label}</span>
      {tool.shortcut === undefined || isRail ? null : <Kbd keys={tool.shortcut} />}
    </button>
  </Named>
)

type NavigationProps = Pick<AppShellProps, 'navigation' | 'path'> & { isRail?: boolean; onGo?: () => void }

export const Navigation = ({ navigation, path, isRail = false, onGo }: NavigationProps) => (
  <nav
    aria-label="Main"
    className={cx('flex min-h-0 flex-1 flex-col overflow-y-auto', isRail ? 'gap-2 [scrollbar-width:none]' : 'gap-4')}
  >
    {navigation.map((group) => (
      <NavSection key={group.label ?? ''} group={group} path={path} isRail={isRail} onGo={onGo} />
    ))}
  </nav>
)

type NavSectionProps = { group: NavGroup; path: string; isRail: boolean; onGo: (() => void) | undefined }

const NavSection = ({ group, path, isRail, onGo }: NavSectionProps) => (
  <div className={cx('flex flex-col gap-0.5', isRail && group.label !== undefined && 'border-line border-t pt-2')}>
    {group.label === undefined ? null : (
      <h2 className={isRail ? 'sr-only' : 'px-2 pb-1 font-medium text-faint text-xs'}>{group.label}</h2>
    )}
    <ul className="flex flex-col gap-0.5">
      {group.items.map((item) => (
        <li key={item.to}>
          <Named label={item.label} isRail={isRail}>
            <NavLink item={item} current={isCurrent(path, item.to)} isRail={isRail} onGo={onGo} />
          </Named>
        </li>
      ))}
    </ul>
  </div>
)

type NavLinkProps = { item: NavItem; current: boolean; isRail: boolean; onGo: (() => void) | undefined }

/** The ref and listeners that a tooltip adds are passed on to the link. */
const NavLink = ({ item, current, isRail, onGo, ...added }: NavLinkProps) => {
  const className = cx(
    'relative flex h-8 items-center gap-2.5 rounded-md text-sm transition-colors touch:h-11 [&>svg]:size-4 [&>svg]:shrink-0',
    isRail ? 'justify-center' : 'px-2',
    current ? 'bg-pressed font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint',
  )
  const content = (
    <>
      {item.icon}
      <span className={isRail ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{item.label}</span>
      {item.count === undefined ? null : (
        <span
          className={cx(
            'text-xs tabular-nums',
            isRail ? 'absolute top-0 right-0 rounded-full bg-accent px-1 text-on-accent' : 'text-muted',
          )}
        >
          {formatNumber(item.count)}
        </span>
      )}
      {item.external ? (
        <ExternalLink aria-label="Opens in a new tab" className={cx('size-3.5!', isRail && 'sr-only')} />
      ) : null}
    </>
  )
  if (item.external) {
    return (
      <a href={item.to} target="_blank" rel="noreferrer" className={className} {...added}>
        {content}
      </a>
    )
  }
  return (
    <AppLink to={item.to} aria-current={current ? 'page' : undefined} onClick={onGo} className={className} {...added}>
      {content}
    </AppLink>
  )
}
