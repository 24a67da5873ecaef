import type { PaletteGroup } from '@stoa/ui/command-palette.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme.ts'
import { Bot, CircleHelp, LogOut, Moon, Sun } from 'lucide-react'
import type { Screen } from './screens.tsx'

export type Go = (to: string, search?: Record<string, string>) => void

/** What the command palette offers: the screens, and what can be begun on them. */
export const commands = (shown: readonly Screen[], go: Go, signOut: () => void): readonly PaletteGroup[] => [
  {
    heading: 'Go to',
    items: shown.map((screen) => ({
      id: screen.to,
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
      ...shown.flatMap(({ to, create }) =>
        create ? [{ ...create, onRun: () => (create.to ? go(create.to) : go(to, { new: '1' })) }] : [],
      ),
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
