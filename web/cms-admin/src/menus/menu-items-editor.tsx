import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { MAX_MENU_DEPTH, MAX_MENU_ITEMS, type MenuItem } from '@stoa/cms-model/menus.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { FileText, Link2, ListTree } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { EntrySearchDialog } from './entry-search-dialog.tsx'
import { ItemForm } from './item-form.tsx'
import { newEntryLink, newLink, problemsAt, toEntry } from './items.ts'
import { MenuRow } from './menu-row.tsx'
import {
  itemsOf,
  type LeafItem,
  type MoveDirection,
  pathsOf,
  type MenuRow as Row,
  rowsOf,
  sizeAt,
  stepOf,
} from './tree.ts'
import { useMenuActions } from './use-menu-actions.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useTreeDrag } from './use-tree-drag.ts'

type MenuItemsEditorProps = {
  items: readonly MenuItem[]
  onChange: (items: MenuItem[]) => void
  /** With the keys of the service: `items.0.children.2.url`. */
  problems: readonly FieldProblem[]
  disabled?: boolean
  /** Without nesting: items move up and down among those beside them, and keep what is below them. */
  flat?: boolean
}

/** For what an entry is searched: a new item, or the target of one that is there. */
type Choosing = { item: LeafItem | undefined }

const steps: readonly MoveDirection[] = ['up', 'down', 'in', 'out']

/** The items of a menu: added, edited in their place, moved and nested by dragging or with Alt and the arrows. */
export const MenuItemsEditor = (props: MenuItemsEditorProps) => {
  const { items, onChange, problems, disabled = false, flat = false } = props
  const rows = rowsOf(items)
  const paths = pathsOf(rows)
  const isFull = rows.length >= MAX_MENU_ITEMS
  const [openId, setOpenId] = useState<string>()
  const [choosing, setChoosing] = useState<Choosing>()
  const focus = useRowFocus()
  const actions = useMenuActions(rows, (next) => {
    if (!disabled) onChange(itemsOf(next))
  })
  const drag = useTreeDrag({ rows, flat, onDrop: actions.drop })
  const addLink = (at: number, depth: number) => {
    const item = newLink()
    actions.add(item, at, depth)
    setOpenId(item.id)
  }
  const pick = (entry: { id: string; title: string; slug: string }) => {
    const named = { id: entry.id, title: entry.title || entry.slug }
    if (choosing?.item) actions.replace(toEntry(choosing.item, named))
    else actions.add(newEntryLink(named.id, named.title), rows.length, 0)
    setChoosing(undefined)
  }
  const rowFor = ({ item, depth }: Row) => {
    const index = rows.findIndex((row) => row.item.id === item.id)
    const own = problemsAt(problems, paths[index] ?? '')
    const isOpen = item.id === openId || own.length > 0
    return (
      <MenuRow
        key={item.id}
        item={item}
        depth={drag.depthOf(item.id) ?? depth}
        isOpen={isOpen}
        problems={own}
        steps={new Set(steps.filter((to) => stepOf(rows, index, to) !== null))}
        canAddBelow={!isFull && depth + 1 < MAX_MENU_DEPTH}
        flat={flat}
        disabled={disabled}
        onToggle={() => setOpenId(isOpen ? undefined : item.id)}
        onStep={(to) => {
          if (actions.step({ item, depth }, index, to)) focus.keep()
        }}
        onAddBelow={() => addLink(index + sizeAt(rows, index), depth + 1)}
        onRemove={() => actions.remove({ item, depth }, index)}
        form={
          <ItemForm
            item={item}
            onItem={actions.replace}
            problems={own}
            takesFocus={item.id === openId}
            onChooseEntry={() => setChoosing({ item })}
            onDone={() => {
              setOpenId(undefined)
              focus.to(item.id)
            }}
          />
        }
      />
    )
  }
  return (
    <div ref={focus.ref} className="flex min-w-0 flex-col">
      {rows.length === 0 ? <NoItems /> : <DragArea drag={drag}>{drag.shown.map(rowFor)}</DragArea>}
      <AddBar
        count={rows.length}
        disabled={disabled || isFull}
        onLink={() => addLink(rows.length, 0)}
        onEntry={() => setChoosing({ item: undefined })}
      />
      <p role="status" className="sr-only">
        {actions.said}
      </p>
      {choosing ? <EntrySearchDialog onPick={pick} onClose={() => setChoosing(undefined)} /> : null}
    </div>
  )
}

const INSTRUCTIONS = {
  draggable: 'Press Alt and the up or down arrow to reorder, and Alt and the right or left arrow to nest or un-nest.',
}

type DragAreaProps = { drag: ReturnType<typeof useTreeDrag>; children: ReactNode }

const DragArea = ({ drag, children }: DragAreaProps) => {
  // A press that does not move stays a press
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ screenReaderInstructions: INSTRUCTIONS }}
      {...drag.handlers}
    >
      <SortableContext items={drag.shown.map(({ item }) => item.id)} strategy={verticalListSortingStrategy}>
        <ul aria-label="Items" className="divide-y divide-line">
          {children}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

const NoItems = () => (
  <EmptyState icon={<ListTree />} title="No links yet" className="py-8">
    Link to an entry, a page of your site, or any URL.
  </EmptyState>
)

type AddBarProps = { count: number; disabled: boolean; onLink: () => void; onEntry: () => void }

const AddBar = ({ count, disabled, onLink, onEntry }: AddBarProps) => (
  <div className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3">
    <Button icon={<Link2 />} disabled={disabled} onClick={onLink}>
      Add link
    </Button>
    <Button icon={<FileText />} disabled={disabled} onClick={onEntry}>
      Add entry
    </Button>
    <span className="ml-auto text-faint text-xs tabular-nums">
      {count >= MAX_MENU_ITEMS ? `A menu can have up to ${MAX_MENU_ITEMS} items.` : formatCount(count, 'item', 'items')}
    </span>
  </div>
)
