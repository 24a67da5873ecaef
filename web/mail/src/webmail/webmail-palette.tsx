import { CommandPalette, type PaletteGroup } from '@stoa/ui/shell/command-palette.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme/theme.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CalendarClock, CircleHelp, Clock, LogOut, Moon, PenLine, Search, Settings, Sun } from 'lucide-react'
import { useState } from 'react'
import { useLabels } from './actions/known-labels.ts'
import { compose } from './compose/compose.ts'
import { FolderSign } from './folders/folder-icon.tsx'
import { goKeys } from './folders/go-keys.tsx'
import { LabelDot } from './folders/label-chip.tsx'
import { folderName, folderPath, placeOfFolder, placeOfLabel, SCHEDULED_PLACE, SEARCH_PLACE } from './places.ts'
import { foldersQuery, mailboxQuery } from './queries.ts'
import { recentSearches, rememberSearch } from './search/recent-searches.ts'

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void; onSignOut: () => void }

/** Folders, labels, searches and what is about the whole mailbox, by typing. */
export const WebmailPalette = ({ open, onOpenChange, onSignOut }: PaletteProps) => {
  const [words, setWords] = useState('')
  const places = usePlaces()
  const searches = useSearches(words)
  const actions = useActions(onSignOut)
  return (
    <CommandPalette
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next)
        setWords('')
      }}
      onSearch={setWords}
      placeholder="Search mail, folders and commands…"
      groups={[places, actions, ...searches]}
    />
  )
}

const useGo = () => {
  const navigate = useNavigate()
  return (place: string, q = '') =>
    void navigate({ to: '/webmail/$place', params: { place }, search: q === '' ? {} : { q } })
}

const usePlaces = (): PaletteGroup => {
  const { data: folders } = useQuery(foldersQuery)
  const labels = useLabels()
  const go = useGo()
  return {
    heading: 'Go to',
    items: [
      ...(folders?.data ?? []).map((folder) => {
        const shortcut = goKeys.find(({ place }) => place === folder.role)?.keys
        return {
          id: folder.id,
          label: folder.role === null ? folderPath(folder) : folderName(folder),
          icon: <FolderSign role={folder.role} />,
          ...(shortcut === undefined ? {} : { shortcut }),
          onRun: () => go(placeOfFolder(folder)),
        }
      }),
      {
        id: SCHEDULED_PLACE,
        label: 'Scheduled',
        icon: <CalendarClock aria-hidden />,
        onRun: () => go(SCHEDULED_PLACE),
      },
      ...labels.map(({ name, display_name: label }) => ({
        id: placeOfLabel(name),
        label,
        hint: 'Label',
        icon: <LabelDot label={name} />,
        onRun: () => go(placeOfLabel(name)),
      })),
    ],
  }
}

const useSearches = (words: string): readonly PaletteGroup[] => {
  const { data: mailbox } = useQuery(mailboxQuery)
  const go = useGo()
  const recent = mailbox ? recentSearches(mailbox.id) : []
  const search = (q: string) => {
    if (mailbox) rememberSearch(mailbox.id, q)
    go(SEARCH_PLACE, q)
  }
  return [
    {
      heading: 'Recent searches',
      items: recent.map((q) => ({ id: `recent ${q}`, label: q, icon: <Clock aria-hidden />, onRun: () => search(q) })),
    },
    {
      heading: 'Search',
      found: true,
      items:
        words.trim() === ''
          ? []
          : [
              {
                id: 'search',
                label: `Search mail for “${words.trim()}”`,
                icon: <Search aria-hidden />,
                onRun: () => search(words.trim()),
              },
            ],
    },
  ].filter(({ items }) => items.length > 0)
}

const useActions = (onSignOut: () => void): PaletteGroup => {
  const navigate = useNavigate()
  return {
    heading: 'Actions',
    items: [
      {
        id: 'compose',
        label: 'Write a message',
        icon: <PenLine aria-hidden />,
        shortcut: 'c',
        keywords: ['compose', 'new mail'],
        onRun: () => compose({ kind: 'new' }),
      },
      {
        id: 'settings',
        label: 'Settings',
        icon: <Settings aria-hidden />,
        keywords: ['signature', 'vacation', 'filters', 'password', 'identities'],
        onRun: () => void navigate({ to: '/webmail/settings' }),
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
      { id: 'sign-out', label: 'Sign out', icon: <LogOut aria-hidden />, keywords: ['log out'], onRun: onSignOut },
    ],
  }
}
