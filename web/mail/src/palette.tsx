import { CommandPalette, type PaletteGroup } from '@stoa/ui/shell/command-palette.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme/theme.ts'
import { useQuery } from '@tanstack/react-query'
import { AtSign, CircleHelp, Globe, LogOut, Moon, Plus, Sun } from 'lucide-react'
import { useState } from 'react'
import { type AllAddresses, allAddressesQuery } from './addresses/queries.ts'
import type { Screen } from './screens.tsx'
import type { Go } from './shell.tsx'

type PaletteProps = {
  shown: readonly Screen[]
  open: boolean
  onOpenChange: (open: boolean) => void
  go: Go
  signOut: () => void
}

/** Screens, domains and addresses, what can be begun, and what is about the whole app. */
export const Palette = ({ shown, open, onOpenChange, go, signOut }: PaletteProps) => {
  const [words, setWords] = useState('')
  const search = words.trim().toLowerCase()
  const { data, isLoading } = useQuery({ ...allAddressesQuery, enabled: open && search.length >= MIN_WORDS })
  return (
    <CommandPalette
      open={open}
      onOpenChange={(next) => {
        setWords('')
        onOpenChange(next)
      }}
      onSearch={setWords}
      loading={isLoading}
      groups={[...commands(shown, go, signOut), ...(search === '' || !data ? [] : found(data, search, go))]}
    />
  )
}

/** A single letter fits nearly everything. */
const MIN_WORDS = 2
const MAX_FOUND = 8

const found = ({ domains, addresses }: AllAddresses, search: string, go: Go): readonly PaletteGroup[] => [
  {
    heading: 'Domains',
    items: domains
      .filter(({ name, unicode_name: label }) => `${label} ${name}`.includes(search))
      .slice(0, MAX_FOUND)
      .map(({ id, name, unicode_name: label }) => ({
        id,
        label,
        keywords: [name],
        icon: <Globe aria-hidden />,
        onRun: () => go(`/domains/${id}`),
      })),
  },
  {
    heading: 'Addresses',
    items: addresses
      .filter(({ email, name }) => `${email} ${name ?? ''}`.toLowerCase().includes(search))
      .slice(0, MAX_FOUND)
      .map(({ id, email, name }) => ({
        id,
        label: email,
        icon: <AtSign aria-hidden />,
        ...(name === null ? {} : { hint: name, keywords: [name] }),
        onRun: () => go(`/addresses/${id}`),
      })),
  },
]

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
