import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { slugFromTitle } from '@stoa/cms-model/slugs.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { HandleRoom, SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { Plus, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { newDraftId } from '../../types/draft-ids.ts'
import { moveItem } from '../items.ts'
import type { ChoiceDraft } from './choices-draft.ts'

type ChoicesEditorProps = {
  choices: readonly ChoiceDraft[]
  onChoices: (choices: ChoiceDraft[]) => void
  /** With keys below the field: `options.1.value`. */
  problems: readonly FieldProblem[]
  /** No entry holds any of them yet. */
  isNew: boolean
}

/** The choices of a field. Enter adds the next one; several lines that are pasted become several choices. */
export const ChoicesEditor = ({ choices, onChoices, problems, isNew }: ChoicesEditorProps) => {
  const group = useRef<HTMLDivElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    const inputs = group.current?.querySelectorAll<HTMLInputElement>('input[data-choice]')
    inputs?.[inputs.length - 1]?.focus()
  })
  const add = () => {
    added.current = true
    onChoices([...choices, newChoice('')])
  }
  const change = (id: string, changes: Partial<ChoiceDraft>) =>
    onChoices(choices.map((choice) => (choice.id === id ? { ...choice, ...changes } : choice)))
  const messageAt = (key: string) => problems.find((problem) => problem.key === key)?.message
  return (
    <ChoiceGroup label="Choices" help="Editors see the label; the API returns the value" error={messageAt('options')}>
      <div ref={group} className="flex flex-col gap-2">
        <SortableRows
          label="Choices"
          items={choices}
          nameOf={({ label, value }) => label || value || 'New choice'}
          onMove={(from, to) => onChoices(moveItem(choices, from, to))}
          className="flex flex-col gap-1.5"
          rowClassName={() => 'rounded-md'}
          row={(choice, index, handle) => (
            <ChoiceRow
              choice={choice}
              place={index + 1}
              handle={handle ?? <HandleRoom />}
              labelError={messageAt(`options.${index}.label`)}
              valueError={messageAt(`options.${index}.value`)}
              onChange={(changes) => change(choice.id, changes)}
              onLabel={(label) => change(choice.id, labelled(choice, label, isNew))}
              onNext={add}
              onLines={(first, rest) => {
                added.current = true
                onChoices([
                  ...choices.map((other) =>
                    other.id === choice.id ? { ...other, ...labelled(other, first, isNew) } : other,
                  ),
                  ...rest.map(newChoice),
                ])
              }}
              onRemove={() => onChoices(choices.filter(({ id }) => id !== choice.id))}
            />
          )}
        />
        <div>
          <Button size="sm" icon={<Plus />} onClick={add}>
            Add choice
          </Button>
        </div>
      </div>
    </ChoiceGroup>
  )
}

type ChoiceRowProps = {
  choice: ChoiceDraft
  place: number
  handle: React.ReactNode
  labelError: string | undefined
  valueError: string | undefined
  onChange: (changes: Partial<ChoiceDraft>) => void
  onLabel: (label: string) => void
  onNext: () => void
  /** Several lines were pasted: the first for this choice, the rest for new ones. */
  onLines: (first: string, rest: readonly string[]) => void
  onRemove: () => void
}

const ChoiceRow = ({
  choice,
  place,
  handle,
  labelError,
  valueError,
  onChange,
  onLabel,
  ...actions
}: ChoiceRowProps) => {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    actions.onNext()
  }
  const paste = (event: ClipboardEvent) => {
    const [first = '', ...rest] = linesOf(event.clipboardData.getData('text'))
    if (rest.length === 0) return
    event.preventDefault()
    actions.onLines(first, rest)
  }
  return (
    <div className="flex items-start gap-1.5">
      <span className="pt-0.5">{handle}</span>
      <Field label={`Label of choice ${place}`} hideLabel optional error={labelError} className="flex-1">
        <Input
          data-choice
          value={choice.label}
          placeholder="Label"
          autoComplete="off"
          onKeyDown={press}
          onPaste={paste}
          onChange={({ target }) => onLabel(target.value)}
        />
      </Field>
      <Field label={`Value of choice ${place}`} hideLabel error={valueError} className="flex-1">
        <Input
          value={choice.value}
          placeholder="value"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-xs"
          onKeyDown={press}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      </Field>
      <IconButton
        size="sm"
        label={`Remove ${choice.label || `choice ${place}`}`}
        icon={<X />}
        onClick={actions.onRemove}
      />
    </div>
  )
}

const newChoice = (label: string): ChoiceDraft => ({ id: newDraftId(), label, value: valueFrom(label) })

/** The value of a choice that is new follows its label; entries hold that of an older one. */
const labelled = (choice: ChoiceDraft, label: string, isNewField: boolean): Partial<ChoiceDraft> => {
  const isNew = isNewField || choice.id.startsWith('new ')
  const follows = choice.value === '' || (isNew && choice.value === valueFrom(choice.label))
  return follows ? { label, value: valueFrom(label) } : { label }
}

const valueFrom = (label: string): string => slugFromTitle(label) || label.trim()

const MAX_PASTED = 500

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MAX_PASTED)
