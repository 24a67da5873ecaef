import type { VisualSection } from '@stoa/cms-model/visual.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ArrowDown, ArrowUp, Eye, EyeOff, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { arranged, type Layout, movedBy, movedTo, nearestSlot, type PageSection, withHidden } from './layout.ts'

type SectionsPanelProps = {
  /** The sections in the order of the page. */
  sections: readonly PageSection[]
  declared: readonly VisualSection[]
  layout: Layout
  selected: string | null
  disabled: boolean
  /** `byKeyboard`: somebody pressed a key, and wants to go there with it. */
  onSelect: (id: string, byKeyboard: boolean) => void
  /** Another layout, and the section that it is about. */
  onLayout: (layout: Layout, id: string) => void
}

/** The sections of the page as a list: the way to them with the keyboard, and to those that are hidden. */
export const SectionsPanel = (props: SectionsPanelProps) => {
  const { sections, declared, layout, onLayout } = props
  const labelOf = (id: string): string => declared.find((section) => section.id === id)?.label ?? id
  if (sections.length === 0)
    return <p className="px-2 text-faint text-xs">Sections appear here when the page is open.</p>
  return (
    <div className="flex flex-col gap-4">
      {arranged(sections, layout).map((group, index) => (
        <SectionGroup key={group[0]?.group} within={withinOf(group, labelOf)}>
          <SortableRows
            label={withinOf(group, labelOf) ?? (index === 0 ? 'Sections' : `Sections, group ${index + 1}`)}
            items={group}
            announcesMoves={false}
            nameOf={({ id }) => labelOf(id)}
            onMove={(from, to) => {
              const id = group[from]?.id
              if (id !== undefined) onLayout(moved(group, from, to, { sections, layout, id }), id)
            }}
            className={cx('flex flex-col gap-0.5', index > 0 && 'border-line border-l pl-2')}
            row={(section, _, handle) => (
              <SectionRow {...props} section={section} label={labelOf(section.id)} handle={handle} />
            )}
          />
        </SectionGroup>
      ))}
    </div>
  )
}

/** “In The shop”, for sections that stand inside of another; null for those that do not. */
const withinOf = ([first]: readonly PageSection[], labelOf: (id: string) => string): string | null =>
  first && first.within !== null ? `In ${labelOf(first.within)}` : null

const SectionGroup = ({ within, children }: { within: string | null; children: ReactNode }) => (
  <div>
    {within === null ? null : <h3 className="mb-1 truncate px-2 text-faint text-xs">{within}</h3>}
    {children}
  </div>
)

type Moved = { sections: readonly PageSection[]; layout: Layout; id: string }

/** One step goes over a section that keeps its place; further ones end before it. */
const moved = (group: readonly PageSection[], from: number, to: number, { sections, layout, id }: Moved): Layout =>
  Math.abs(to - from) === 1
    ? movedBy(sections, layout, id, to > from ? 1 : -1)
    : movedTo(sections, layout, id, nearestSlot(group, from, to))

type SectionRowProps = SectionsPanelProps & { section: PageSection; label: string; handle: ReactNode }

const SectionRow = (props: SectionRowProps) => {
  const { section, label, handle, sections, layout, selected, disabled, onSelect, onLayout } = props
  const { id, movable } = section
  const isHidden = layout.hidden.includes(id)
  const up = movedBy(sections, layout, id, -1)
  const down = movedBy(sections, layout, id, 1)
  return (
    <div
      data-section-row={id}
      className={cx(
        'group flex h-8 items-center gap-1 rounded-md pr-1 hover:bg-hover',
        selected === id && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <span className="flex w-7 shrink-0 justify-center text-faint">
        {movable && !disabled ? handle : <Lock aria-label="Can't be moved" className="size-3.5" />}
      </span>
      <button
        type="button"
        data-section-name
        aria-current={selected === id ? 'true' : undefined}
        onClick={({ detail }) => onSelect(id, detail === 0)}
        className={cx('min-w-0 flex-1 truncate rounded-sm text-left text-sm', isHidden && 'text-faint')}
      >
        {label}
        {isHidden ? <span className="sr-only">, hidden</span> : null}
      </button>
      {movable && !disabled ? (
        <span className="hidden group-focus-within:flex group-hover:flex">
          <IconButton
            size="sm"
            label={`Move ${label} up`}
            icon={<ArrowUp />}
            disabled={up === layout}
            onClick={() => onLayout(up, id)}
          />
          <IconButton
            size="sm"
            label={`Move ${label} down`}
            icon={<ArrowDown />}
            disabled={down === layout}
            onClick={() => onLayout(down, id)}
          />
        </span>
      ) : null}
      <IconButton
        size="sm"
        label={isHidden ? `Show ${label}` : `Hide ${label}`}
        icon={isHidden ? <EyeOff /> : <Eye />}
        disabled={disabled}
        onClick={() => onLayout(withHidden(layout, id, !isHidden), id)}
      />
    </div>
  )
}
