import { Command } from 'cmdk'
import { Check, Plus, Search } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'

export type SearchMenuItem = {
  id: string
  label: string
  /** In a tree: how it is called below its parent. Shown while nothing is typed; the label has the whole way. */
  below?: { name: string; depth: number }
  icon?: ReactNode
  /** A quiet note at the right end. */
  hint?: string
  /** For values that are on or off; `mixed`: on for some of the things that it is about. */
  checked?: boolean | 'mixed'
  disabled?: boolean
}

type SearchMenuProps = {
  /** One button of this package. */
  trigger: ReactNode
  /** What is chosen here: "Move to folder". */
  label: string
  placeholder: string
  items: readonly SearchMenuItem[]
  onPick: (item: SearchMenuItem) => void
  /** Offers to make what was typed and is not there; undefined: the words make none. */
  create?: (words: string) => { label: string; onCreate: () => void } | undefined
  /** Stays open so that several can be changed. */
  keepOpen?: boolean
  align?: 'start' | 'center' | 'end'
  /** For a menu that a key opens, too. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** The text shown when there are no items at all. */
  empty?: string
}

/** A menu of many values that is narrowed by typing: folders, labels. */
export const SearchMenu = ({ trigger, label, align = 'end', open, onOpenChange, ...rest }: SearchMenuProps) => {
  const [ownOpen, setOwnOpen] = useState(false)
  const isOpen = open ?? ownOpen
  const change = onOpenChange ?? setOwnOpen
  return (
    <Radix.Root open={isOpen} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="layer-menu w-64 rounded-lg border border-line bg-raised text-sm shadow-md outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in"
        >
          <SearchMenuList {...rest} label={label} onClose={() => change(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ListProps = Omit<SearchMenuProps, 'trigger' | 'align' | 'open' | 'onOpenChange'> & { onClose: () => void }

const SearchMenuList = ({ label, placeholder, items, onPick, create, keepOpen = false, empty, onClose }: ListProps) => {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const shown = items.filter((item) => item.label.toLowerCase().includes(wanted))
  const creation = create?.(words.trim())
  return (
    <Command label={label} loop shouldFilter={false}>
      <div className="flex items-center gap-2 border-line border-b px-2.5">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Command.Input
          value={words}
          onValueChange={setWords}
          placeholder={placeholder}
          className="h-9 min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint touch:h-11"
        />
      </div>
      <Command.List className="max-h-72 overflow-y-auto overscroll-contain p-1">
        <Command.Empty className="px-3 py-4 text-center text-muted text-xs">
          {words.trim() === '' && empty !== undefined ? empty : 'No results'}
        </Command.Empty>
        {shown.map((item) => (
          <Command.Item
            key={item.id}
            value={item.id}
            disabled={item.disabled ?? false}
            onSelect={() => {
              onPick(item)
              if (!keepOpen) onClose()
            }}
            className={row}
          >
            {wanted === '' && item.below && item.below.depth > 0 ? (
              <span aria-hidden style={{ width: `calc(var(--spacing) * ${3 * item.below.depth})` }} />
            ) : null}
            {item.checked === undefined ? null : <CheckMark checked={item.checked} />}
            {item.icon}
            <span dir="auto" title={item.label} className="min-w-0 flex-1 truncate text-left">
              {wanted === '' && item.below ? item.below.name : item.label}
            </span>
            {item.hint === undefined ? null : <span className="max-w-24 truncate text-faint text-xs">{item.hint}</span>}
          </Command.Item>
        ))}
        {creation ? (
          <Command.Item
            value=" create"
            onSelect={() => {
              creation.onCreate()
              setWords('')
              if (!keepOpen) onClose()
            }}
            className={row}
          >
            <Plus aria-hidden />
            <span className="min-w-0 flex-1 truncate">{creation.label}</span>
          </Command.Item>
        ) : null}
      </Command.List>
    </Command>
  )
}

const row =
  'flex min-h-8 touch:min-h-10 select-none items-center gap-2 rounded-sm px-2 py-1 text-ink aria-disabled:text-faint data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint'

const CheckMark = ({ checked }: { checked: boolean | 'mixed' }) => (
  <span className="flex size-4 shrink-0 items-center justify-center text-accent-ink">
    {checked === true ? <Check aria-hidden className="size-3.5" /> : null}
    {checked === 'mixed' ? <span aria-hidden className="h-0.5 w-2 rounded-full bg-accent" /> : null}
    <span className="sr-only">{checked === true ? 'On: ' : checked === 'mixed' ? 'On for some: ' : 'Off: '}</span>
  </span>
)
