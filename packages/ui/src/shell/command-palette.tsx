import { Command, defaultFilter } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useFocusReturn } from '../layer/focus-return.ts'
import { useLayer } from '../layer/layers.ts'
import { Kbd } from '../shortcuts/kbd.tsx'
import { useShortcut } from '../shortcuts/shortcuts.ts'

export type PaletteItem = {
  id: string
  label: string
  icon?: ReactNode
  /** Other words that find it. */
  keywords?: readonly string[]
  /** A quiet note at the right: the type of an entry, a folder. */
  hint?: string
  shortcut?: string
  onRun: () => void
}

export type PaletteGroup = {
  heading: string
  items: readonly PaletteItem[]
  /** Found by the server for these words, maybe by words that are not in the label: none is left out. */
  found?: boolean
}

type CommandPaletteProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  groups: readonly PaletteGroup[]
  placeholder?: string
  /** The words typed so far, for results that come from the server. */
  onSearch?: (words: string) => void
  loading?: boolean
}

/** mod+K: go to any screen, open any thing, do any action, by typing. */
export const CommandPalette = ({ open, onOpenChange, ...rest }: CommandPaletteProps) => {
  useShortcut({
    keys: 'mod+k',
    description: 'Open the command menu',
    group: 'General',
    onPress: () => onOpenChange(true),
  })
  const focus = useFocusReturn()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="layer-overlay fixed inset-0 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => focus.remember(event.currentTarget)}
          onCloseAutoFocus={focus.giveBack}
          className="layer-dialog fixed top-[12vh] left-1/2 w-[calc(100vw-1.5rem)] max-w-palette -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-lg outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in"
        >
          <Radix.Title className="sr-only">Command menu</Radix.Title>
          <Palette {...rest} onClose={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type PaletteProps = Omit<CommandPaletteProps, 'open' | 'onOpenChange'> & { onClose: () => void }

const Palette = ({
  groups,
  placeholder = 'Type a command or search…',
  onSearch,
  loading = false,
  onClose,
}: PaletteProps) => {
  useLayer()
  const [words, setWords] = useState('')
  const search = (value: string) => {
    setWords(value)
    onSearch?.(value)
  }
  return (
    <Command label="Command menu" loop filter={score}>
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Command.Input
          value={words}
          onValueChange={search}
          placeholder={placeholder}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
        />
        <Kbd keys="escape" className="phone:hidden" />
      </div>
      <Command.List className="max-h-[min(24rem,60vh)] scroll-py-2 overflow-y-auto overscroll-contain p-1.5">
        {loading ? <Command.Loading className="px-2.5 py-3 text-faint text-sm">Searching…</Command.Loading> : null}
        <Command.Empty className="px-4 py-10 text-center text-muted text-sm">No results for “{words}”.</Command.Empty>
        {rank(groups, words.trim()).map((group) => (
          <Command.Group
            key={group.heading}
            heading={group.heading}
            className="pb-1 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
          >
            {group.items.map((item) => (
              <PaletteRow key={item.id} item={item} found={group.found === true} onClose={onClose} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  )
}

/** Below a label that has the words, above one that has only their letters. */
const FOUND_SCORE = 0.2
/** Letters that are somewhere in a label, far apart, are an accident. */
const WEAKEST_SCORE = 0.02
const FOUND = ' found'

const searchedText = (item: PaletteItem, found: boolean): string => `${item.label} ${item.id}${found ? FOUND : ''}`

const score = (value: string, search: string, keywords: string[] = []): number => {
  if (value.endsWith(FOUND)) return Math.max(FOUND_SCORE, defaultFilter(value, search, []))
  const fit = defaultFilter(value, search, keywords)
  return fit < WEAKEST_SCORE ? 0 : fit
}

/** The group with the best fit first: Enter takes its first item. */
const rank = (groups: readonly PaletteGroup[], words: string): readonly PaletteGroup[] => {
  if (words === '') return groups
  const best = ({ items, found = false }: PaletteGroup): number =>
    Math.max(0, ...items.map((item) => score(searchedText(item, found), words, [...(item.keywords ?? [])])))
  return groups.toSorted((a, b) => best(b) - best(a))
}

type PaletteRowProps = { item: PaletteItem; found: boolean; onClose: () => void }

const PaletteRow = ({ item, found, onClose }: PaletteRowProps) => (
  <Command.Item
    value={searchedText(item, found)}
    keywords={[...(item.keywords ?? [])]}
    onSelect={() => {
      onClose()
      item.onRun()
    }}
    className="flex min-h-9 select-none items-center gap-2.5 rounded-md px-2.5 text-ink text-sm data-[selected=true]:bg-hover touch:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
  >
    {item.icon}
    <span className="min-w-0 flex-1 truncate">{item.label}</span>
    {item.hint === undefined ? null : <span className="max-w-40 truncate text-faint text-xs">{item.hint}</span>}
    {item.shortcut === undefined ? null : <Kbd keys={item.shortcut} />}
  </Command.Item>
)
