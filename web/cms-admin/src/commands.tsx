import type { Me } from '@stoa/cms-model/accounts.ts'
import type { PaletteGroup } from '@stoa/ui/shell/command-palette.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme/theme.ts'
import { CircleHelp, LogOut, Moon, Sun } from 'lucide-react'
import { may } from './allowed.tsx'
import type { NavigationItem } from './registry/navigation.ts'
import type { SidePanel } from './registry/side-panels.ts'

/** Goes to a screen, with whatever its address holds. */
export type Go = (to: string) => void

export type Commands = {
  me: Me
  shown: readonly NavigationItem[]
  panels: readonly SidePanel[]
  go: Go
  openPanel: (id: string) => void
  signOut: () => void
}

/** The commands of the palette: screens to open, and actions to start on them. */
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
      ...shown.flatMap(({ to, actions = [] }) =>
        actions
          .filter(({ needs }) => needs === undefined || may(me, needs))
          .map(({ to: own, needs: _, ...words }) => ({ ...words, onRun: () => go(own ?? `${to}?new=1`) })),
      ),
      ...panels.map(({ id, label, icon, shortcut }) => ({
        id: `panel ${id}`,
        label: `Open ${label}`,
        icon,
        ...(shortcut === undefined ? {} : { shortcut }),
        onRun: () => openPanel(id),
      })),
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
