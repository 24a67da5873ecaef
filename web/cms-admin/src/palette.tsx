import type { SearchResults } from '@stoa/cms-model/search.ts'
import { CommandPalette, type PaletteGroup } from '@stoa/ui/shell/command-palette.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Clock, Image } from 'lucide-react'
import { useEffect, useState } from 'react'
import { may } from './allowed.tsx'
import { sendSignedIn } from './api.ts'
import { type Commands, commands } from './commands.tsx'
import { entryPath } from './content-path.ts'
import { type Recent, recentsOf, remember } from './recent.ts'
import { screenCommands } from './registry/commands.ts'
import type { TypeHead } from './registry/screens.tsx'
import { TypeIcon } from './type-icon.tsx'

type PaletteProps = Commands & {
  types: readonly TypeHead[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** mod+K: what can be done here, screens, actions, what was opened lately, and entries and files that match words. */
export const Palette = ({ types, open, onOpenChange, ...offered }: PaletteProps) => {
  const { me, go } = offered
  const [words, setWords] = useState('')
  const asked = usePause(words.trim())
  const searches = open && may(me, 'content.read') && asked.length >= MIN_WORDS
  const { data, isFetching } = useQuery({ ...searchQuery(asked), enabled: searches })
  const show = (next: boolean) => {
    if (next) setWords('')
    onOpenChange(next)
  }
  const openThing = (thing: Recent) => {
    remember(me.id, thing)
    go(thing.to)
  }
  const here = open ? screenCommands() : []
  const elsewhere = without(here, commands(offered))
  const groups =
    words.trim() === ''
      ? [...here, ...recentGroup(open ? recentsOf(me.id) : [], openThing), ...elsewhere]
      : [...here, ...elsewhere, ...(searches && data ? foundGroups(data, types, openThing) : [])]
  return (
    <CommandPalette
      open={open}
      onOpenChange={show}
      groups={groups}
      placeholder="Search screens, entries and files, or type a command…"
      onSearch={setWords}
      loading={searches && isFetching}
    />
  )
}

/** Leaves out commands that the screen offers itself. */
const without = (here: readonly PaletteGroup[], groups: readonly PaletteGroup[]): readonly PaletteGroup[] => {
  const known = new Set(here.flatMap(({ items }) => items.map(({ id }) => id)))
  return groups.map((group) => ({ ...group, items: group.items.filter(({ id }) => !known.has(id)) }))
}

/** Fewer letters are in nearly everything. */
const MIN_WORDS = 2
const PAUSE_MS = 150
const FOUND = 6

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) =>
      sendSignedIn<SearchResults>('GET', `/api/search?${new URLSearchParams({ q, limit: String(FOUND) })}`, { signal }),
    staleTime: 0,
    placeholderData: (before) => before,
  })

/** The value, once it has not changed for a moment. */
const usePause = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const recentGroup = (recents: readonly Recent[], open: (thing: Recent) => void): readonly PaletteGroup[] =>
  recents.length === 0
    ? []
    : [
        {
          heading: 'Recent',
          items: recents.map((thing) => ({
            id: `recent ${thing.to}`,
            label: thing.label,
            hint: thing.hint,
            icon: <Clock aria-hidden />,
            onRun: () => open(thing),
          })),
        },
      ]

const foundGroups = (
  { entries, media }: SearchResults,
  types: readonly TypeHead[],
  open: (thing: Recent) => void,
): readonly PaletteGroup[] => [
  {
    heading: 'Entries',
    found: true,
    items: entries.map((entry) => {
      const type = types.find(({ name }) => name === entry.type)
      const hint = `${type?.label ?? entry.type}${entry.status === 'draft' ? ', draft' : ''}`
      const label = entry.title === '' ? 'Untitled' : entry.title
      return {
        id: entry.id,
        label,
        hint,
        icon: <TypeIcon type={type ?? { icon: '', kind: 'collection' }} />,
        onRun: () => open({ to: entryPath(entry), label, hint: type?.label ?? entry.type }),
      }
    }),
  },
  {
    heading: 'Media',
    found: true,
    items: media.map(({ id, filename, folder }) => ({
      id,
      label: filename,
      hint: folder === '' ? 'File' : folder,
      icon: <Image aria-hidden />,
      onRun: () => open({ to: `/media?id=${id}`, label: filename, hint: 'File' }),
    })),
  },
]
