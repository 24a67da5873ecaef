import type { Me } from '@stoa/cms-model/accounts.ts'
import type { PaletteGroup } from '@stoa/ui/shell/command-palette.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme/theme.ts'
import { Bot, CircleHelp, LogOut, Moon, Sun } from 'lucide-react'
import { may } from './allowed.tsx'
import type { NavigationItem } from './registry/navigation.ts'
import type { SidePanel } from './registry/side-panels.ts'

export type Go = (to: string, search?: Record<string, string>) => void

export type Commands = {
  me: Me
  shown: readonly NavigationItem[]
  panels: readonly SidePanel[]
  go: Go
  openPanel: (id: string) => void
  signOut: () => void
}

/** What the command palette offers: the screens, and what can be begun on them. */
export const commands = ({ me, shown, panels, go, openPanel, signOut }: Commands): readonly PaletteGroup[] => [
  {
    heading: 'Go to',
    items: shown.map((screen) => ({
      id: screen.id,
      label: screen.label,
      icon: screen.icon,
      ...(screen.keywords ? { keywords: screen.keywords } : {}),
      ...(screen.shortcut ? { shortcut: screen.shortcut } : {}),
      onRun: () => (screen.external ? void open(screen.to, '_blank', 'noreferrer') : go(screen.to)),
    })),
  },
  {
    heading: 'Actions',
    items: [
      ...shown.flatMap(({ to, create }) => {
        if (!create || (create.needs !== undefined && !may(me, create.needs))) return []
        const { to: own, needs: _, ...words } = create
        return [{ ...words, onRun: () => (own === undefined ? go(to, { new: '1' }) : go(own)) }]
      }),
      ...panels.map(({ id, label, icon, shortcut }) => ({
        id: `panel ${id}`,
        label: `Open ${label}`,
        icon,
        ...(shortcut === undefined ? {} : { shortcut }),
        onRun: () => openPanel(id),
      })),
      {
        id: 'new-agent-key',
        label: 'New agent key',
        icon: <Bot aria-hidden />,
        keywords: ['api', 'token', 'program'],
        onRun: () => go('/account', { new: 'agent-key' }),
      },
      { id: 'light', label: 'Use the light theme', icon: <Sun aria-hidden />, onRun: () => setTheme('light') },
      { id: 'dark', label: 'Use the dark theme', icon: <Moon aria-hidden />, onRun: () => setTheme('dark') },
      {
        id: 'shortcuts',
        label: 'Show keyboard shortcuts',
        icon: <CircleHelp aria-hidden />,
        shortcut: '?',
        onRun: openShortcutsHelp,
      },
      { id: 'sign-out', label: 'Sign out', icon: <LogOut aria-hidden />, keywords: ['log out'], onRun: signOut },
    ],
  },
]
