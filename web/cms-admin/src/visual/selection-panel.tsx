import { TITLE_KEY, type VisualDefinition, type VisualSection } from '@stoa/cms-model/visual.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { ChevronRight, Library } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { FieldOfEntry, useFieldActionScope } from '../entries/editor/entry-form.tsx'
import { EntryPanels } from '../entries/editor/panels/entry-panels.tsx'
import { TitleInput } from '../entries/editor/title-input.tsx'
import { FieldActionScope } from '../fields/field-action-scope.ts'
import type { Target } from './canvas/protocol.ts'
import { CollectionDrawer } from './collection-drawer.tsx'

type SelectionPanelProps = {
  definition: VisualDefinition
  target: Target | null
  path: readonly Target[]
  onSelect: (target: Target) => void
  /** Grows when the field that is chosen wants the keyboard. */
  wantsFocus: number
  /** Entries that the page shows may have changed. */
  onStale: () => void
}

/** What is chosen on the page, with the fields that it shows. */
export const SelectionPanel = (props: SelectionPanelProps) => {
  const { definition, target, path, onSelect, wantsFocus, onStale } = props
  const panel = useRef<HTMLElement>(null)
  const collection = collectionOf(definition, path)
  const keys = keysOf(definition, target)
  const focus = useEffectEvent(() => panel.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus())
  useEffect(() => {
    if (wantsFocus > 0) focus()
  }, [wantsFocus])
  return (
    <aside
      ref={panel}
      aria-label="Selection"
      className="flex w-88 shrink-0 flex-col overflow-y-auto border-line border-l"
    >
      <Path definition={definition} path={path} onSelect={onSelect} />
      <div className="flex flex-col gap-6 p-4">
        {target === null ? (
          <>
            <p className="text-muted text-sm">
              Click any text or image on the page to edit it. Reorder or hide sections in the list on the left.
            </p>
            <EntryPanels />
          </>
        ) : keys.length === 0 && !collection ? (
          <p className="text-muted text-sm">This section has no fields to edit.</p>
        ) : (
          <Fields keys={keys} />
        )}
        {collection ? <CollectionLink key={collection.type} collection={collection} onClosed={onStale} /> : null}
      </div>
    </aside>
  )
}

const FOCUSABLE = '[data-path] :is(input, textarea, button, [contenteditable=true], [tabindex="0"])'

const Fields = ({ keys }: { keys: readonly string[] }) => {
  const { type, session, state, rights } = useEditor()
  const scope = useFieldActionScope()
  return (
    <FieldActionScope value={scope}>
      {keys.includes(TITLE_KEY) ? <TitleInput disabled={!rights.edit} /> : null}
      {type.fields
        .filter(({ key }) => keys.includes(key))
        .map((field) => (
          <FieldOfEntry
            key={field.key}
            field={field}
            value={state.values.data[field.key]}
            problems={state.problems}
            disabled={!rights.edit}
            session={session}
          />
        ))}
    </FieldActionScope>
  )
}

/** The fields that a choice is about: a field's own, or those of its section. */
const keysOf = (definition: VisualDefinition, target: Target | null): readonly string[] => {
  if (target === null || target.kind === 'part') return []
  if (target.kind === 'field') return target.keys ?? [target.id]
  return definition.sections.find(({ id }) => id === target.id)?.fields ?? []
}

/** The entries that the chosen section shows, or the one around what is chosen. */
const collectionOf = (definition: VisualDefinition, path: readonly Target[]): VisualSection['collection'] => {
  const id = path.findLast(({ kind }) => kind === 'section')?.id
  return definition.sections.find((section) => section.id === id)?.collection
}

type CollectionLinkProps = { collection: NonNullable<VisualSection['collection']>; onClosed: () => void }

const CollectionLink = ({ collection, onClosed }: CollectionLinkProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
    onClosed()
  }
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button icon={<Library />} onClick={() => setIsOpen(true)}>{`Edit ${collection.label}`}</Button>
      <p className="text-faint text-xs">This section lists entries. Each has a page of its own.</p>
      {isOpen ? <CollectionDrawer collection={collection} onClose={close} /> : null}
    </div>
  )
}

type PathProps = Pick<SelectionPanelProps, 'definition' | 'path' | 'onSelect'>

const Path = ({ definition, path, onSelect }: PathProps) => {
  const { type } = useEditor()
  const labelOf = ({ kind, id }: Target): string => {
    if (kind === 'section') return definition.sections.find((section) => section.id === id)?.label ?? id
    return id === TITLE_KEY ? 'Title' : (type.fields.find(({ key }) => key === id)?.label ?? id)
  }
  return (
    <nav
      aria-label="Breadcrumb"
      className="flex h-10 shrink-0 items-center gap-1 overflow-x-auto border-line border-b px-4 text-sm"
    >
      <span className={path.length === 0 ? 'font-medium' : 'text-muted'}>Page</span>
      {path.map((step, index) => (
        <span key={`${step.kind}:${step.id}:${step.index}`} className="flex shrink-0 items-center gap-1">
          <ChevronRight aria-hidden className="size-3 text-faint" />
          <button
            type="button"
            aria-current={index === path.length - 1 ? 'true' : undefined}
            onClick={() => onSelect(step)}
            className="rounded-sm text-muted hover:text-ink aria-current:font-medium aria-current:text-ink"
          >
            {labelOf(step)}
          </button>
        </span>
      ))}
    </nav>
  )
}
