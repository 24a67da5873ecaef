import type { Permission } from '@stoa/cms-model/permissions.ts'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { may } from './allowed.tsx'
import { meQuery } from './queries.ts'

type Tab = { readonly to: string; readonly label: string; readonly needs?: Permission }

type ScreenTabsProps = { label: string; tabs: readonly Tab[]; current: string }

/** The screens of one part of the admin, below its title. None where the person may see one only. */
export const ScreenTabs = ({ label, tabs, current }: ScreenTabsProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const shown = tabs.filter(({ needs }) => needs === undefined || may(me, needs))
  if (shown.length < 2) return null
  return (
    <nav
      aria-label={label}
      className="mb-5 flex gap-4 overflow-x-auto overflow-y-hidden border-line border-b [scrollbar-width:none]"
    >
      {shown.map(({ to, label: name }) => (
        <AppLink
          key={to}
          to={to}
          aria-current={to === current ? 'page' : undefined}
          className={cx(
            '-mb-px flex h-9 shrink-0 items-center border-b-2 px-0.5 font-medium text-sm outline-offset-[-2px] transition-colors hover:text-ink touch:h-11',
            to === current ? 'border-accent text-ink' : 'border-transparent text-muted',
          )}
        >
          {name}
        </AppLink>
      ))}
    </nav>
  )
}
