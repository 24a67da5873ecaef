import { CommandPalette, type PaletteGroup } from '@stoa/ui/command-palette.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme.ts'
import { CircleHelp, LogOut, Moon, Plus, Sun } from 'lucide-react'
import type { Screen } from './screens.tsx'
import type { Go } from './shell.tsx'

type PaletteProps = {
  shown: readonly Screen[]
  open: boolean
  onOpenChange: (open: boolean) => void
  go: Go
  signOut: () => void
}

/** Screens, what can be begun on them, and what is about the whole app. */
export const Palette = ({ shown, open, onOpenChange, go, signOut }: PaletteProps) => (
  <CommandPalette open={open} onOpenChange={onOpenChange} groups={commands(shown, go, signOut)} />
)

const commands = (shown: readonly Screen[], go: Go, signOut: () => void): readonly PaletteGroup[] => [
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
        create ? [{ ...create, icon: <Plus aria-hidden />, onRun: () => go(to, { new: '1' }) }] : [],
      ),
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
