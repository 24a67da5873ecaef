import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { MAX_LIST_DEPTH } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { Lock, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { TypeChoice } from '../fields/field-view.ts'
import { viewOf } from '../fields/index.ts'
import { copyField, type FieldDraft, newField } from './draft.ts'
import { FieldList, type FieldListActions, nameOfField } from './field-list.tsx'
import { FieldPanel } from './field-panel.tsx'
import { FieldPicker } from './field-picker.tsx'
import { FieldSide } from './field-side.tsx'
import {
  changeAt,
  changeBelow,
  type FieldPath,
  fieldAt,
  fieldsBelow,
  moveItem,
  problemPrefix,
  problemsIn,
} from './field-tree.ts'

type FieldsBuilderProps = {
  fields: readonly FieldDraft[]
  onFields: (change: (fields: readonly FieldDraft[]) => FieldDraft[]) => void
  title?: string
  /** The fields as they are saved, to bring removed ones back. */
  saved: readonly FieldDraft[]
  problems: readonly FieldProblem[]
  open: FieldPath
  onOpen: (path: FieldPath) => void
  types: readonly TypeChoice[]
  typeLabel: string
  /** Shown while there are no fields. */
  empty: ReactNode
  onSave: () => void
  /** Save and Discard below an open field; null while nothing is changed. */
  saveButtons: ReactNode
}

/** The fields of a type: a list to order them, and the one that is open beside it. */
export const FieldsBuilder = (props: FieldsBuilderProps) => {
  const { fields, onFields, saved, problems, onOpen, types, typeLabel, empty, onSave, saveButtons } = props
  // A field that was discarded is not open any more
  const open = fieldAt(fields, props.open) ? props.open : []
  const [adding, setAdding] = useState<FieldPath>()
  const started = useFocusOnNewField(open)
  const field = fieldAt(fields, open)
  const actionsFor = actionsOf({ fields, onFields, open, onOpen, onAdd: setAdding })
  const listFor = (path: FieldPath, label: string, nothing: ReactNode) => {
    const prefix = path.length === 0 ? '' : problemPrefix(fields, path)
    return (
      <FieldList
        label={label}
        fields={fieldsBelow(fields, path)}
        openId={path.length === 0 ? open[0] : undefined}
        problemCount={(index) => problemsIn(problems, `${prefix}fields.${index}.`).length}
        empty={nothing}
        {...actionsFor(path)}
      />
    )
  }
  const add = (type: FieldType, below: FieldPath) => {
    const made = newField(type)
    onFields((all) => changeBelow(all, below, (list) => [...list, made]))
    setAdding(undefined)
    started(made.id)
    onOpen([...below, made.id])
  }
  const gone = saved.filter(({ id }) => !fields.some((other) => other.id === id))
  return (
    <FieldSide
      open={open}
      names={open.map((_, index) => nameAt(fields, open.slice(0, index + 1)))}
      onOpen={onOpen}
      onSave={onSave}
      footer={saveButtons}
      list={
        <Panel flush {...(props.title === undefined ? {} : { title: props.title })}>
          <Given />
          <ListProblem message={problems.find(({ key }) => key === 'fields')?.message} />
          {listFor([], 'Fields', empty)}
          {gone.map((removed) => (
            <RemovedField
              key={removed.id}
              field={removed}
              onBack={() => onFields((all) => all.toSpliced(saved.indexOf(removed), 0, removed))}
            />
          ))}
        </Panel>
      }
    >
      {field ? (
        <FieldPanel
          key={field.id}
          field={field}
          onField={(next) => onFields((all) => changeAt(all, open, () => next))}
          problems={problemsIn(problems, problemPrefix(fields, open))}
          types={types}
          taken={takenBeside(fields, open)}
          depth={open.length - 1}
          allowList={open.length <= MAX_LIST_DEPTH}
          inner={
            viewOf(field).hasFields ? (
              <InnerFields list={listFor(open, `Fields of ${nameOfField(field)}`, <NoInner />)} />
            ) : null
          }
        />
      ) : null}
      {adding ? (
        <FieldPicker
          of={adding.length === 0 ? typeLabel : nameAt(fields, adding)}
          allowList={adding.length < MAX_LIST_DEPTH}
          onPick={(type) => add(type, adding)}
          onClose={() => setAdding(undefined)}
        />
      ) : null}
    </FieldSide>
  )
}

type ActionsOptions = Pick<FieldsBuilderProps, 'fields' | 'onFields' | 'open' | 'onOpen'> & {
  onAdd: (below: FieldPath) => void
}

/** The button actions for the list of fields at a path. */
const actionsOf =
  ({ fields, onFields, open, onOpen, onAdd }: ActionsOptions) =>
  (below: FieldPath): FieldListActions => ({
    onAdd: () => onAdd(below),
    onOpen: (field) => onOpen([...below, field.id]),
    onMove: (from, to) => onFields((all) => changeBelow(all, below, (list) => moveItem(list, from, to))),
    onDuplicate: (field) => {
      const copy = copyField(field, new Set(fieldsBelow(fields, below).map(({ key }) => key)))
      const insert = (list: readonly FieldDraft[]) =>
        list.flatMap((other) => (other.id === field.id ? [other, copy] : [other]))
      onFields((all) => changeBelow(all, below, insert))
      onOpen([...below, copy.id])
    },
    onRemove: (field) => {
      const index = fieldsBelow(fields, below).findIndex(({ id }) => id === field.id)
      onFields((all) => changeBelow(all, below, (list) => list.filter(({ id }) => id !== field.id)))
      if (open[below.length] === field.id) onOpen(below)
      toast({
        title: `“${nameOfField(field)}” removed`,
        description: field.savedKey === '' ? "It hadn't been saved yet." : "Entries don't change until you save.",
        action: {
          label: 'Undo',
          onAction: () =>
            onFields((all) =>
              changeBelow(all, below, (list) =>
                list.some(({ id }) => id === field.id) ? [...list] : list.toSpliced(index, 0, field),
              ),
            ),
        },
      })
    },
  })

/** A field that has just been made begins with its label. */
const useFocusOnNewField = (open: FieldPath): ((id: string) => void) => {
  const made = useRef<string>(undefined)
  useEffect(() => {
    if (made.current === undefined || made.current !== open.at(-1)) return
    made.current = undefined
    // After the picker, which gives the focus back to its button
    const timer = setTimeout(() => document.querySelector<HTMLElement>('[data-field-label]')?.focus())
    return () => clearTimeout(timer)
  }, [open])
  return (id) => {
    made.current = id
  }
}

const nameAt = (fields: readonly FieldDraft[], path: FieldPath): string => {
  const field = fieldAt(fields, path)
  return field ? nameOfField(field) : ''
}

const takenBeside = (fields: readonly FieldDraft[], path: FieldPath): ReadonlySet<string> =>
  new Set(
    fieldsBelow(fields, path.slice(0, -1))
      .filter(({ id }) => id !== path.at(-1))
      .map(({ key }) => key),
  )

const Given = () => (
  <p className="flex items-center gap-2 border-line border-b bg-canvas px-4 py-2 text-faint text-xs">
    <Lock aria-hidden className="size-3.5 shrink-0" />
    Every entry has a title, a slug and a language. Your fields come after them.
  </p>
)

const ListProblem = ({ message }: { message: string | undefined }) => {
  const id = useId()
  return message === undefined ? null : (
    <div className="px-4 py-2">
      <FieldError id={id}>{message}</FieldError>
    </div>
  )
}

const RemovedField = ({ field, onBack }: { field: FieldDraft; onBack: () => void }) => (
  <p className="flex items-center gap-2 border-line border-t py-2 pr-3 pl-4 text-muted text-sm">
    <span className="min-w-0 flex-1">
      <span className="line-through">{nameOfField(field)}</span> will be removed when you save
    </span>
    <Button size="sm" icon={<Undo2 />} onClick={onBack}>
      Restore
    </Button>
  </p>
)

const InnerFields = ({ list }: { list: ReactNode }) => (
  <div className="flex flex-col gap-1.5">
    <p className="font-medium text-ink text-sm">Fields of each item</p>
    <div className="overflow-clip rounded-lg border border-line">{list}</div>
  </div>
)

const NoInner = () => <p className="px-3 pt-3 text-faint text-xs">List items have no fields yet.</p>
