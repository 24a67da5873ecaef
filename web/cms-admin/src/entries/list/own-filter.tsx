import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field as TypeField } from '@stoa/cms-model/fields/field.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { MomentInput } from '@stoa/ui/form/moment-input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { ListFilter as FilterIcon, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { inSentence } from '../../type-icon.tsx'
import {
  type Askable,
  type AskedCondition,
  askables,
  askedBy,
  type Condition,
  conditionOf,
  conditionWords,
  MAX_CONDITIONS,
  questionsFor,
} from './conditions.ts'

type OwnFilterProps = {
  type: Pick<ContentType, 'fields' | 'labelPlural'>
  conditions: readonly Condition[]
  onChange: (conditions: readonly Condition[]) => void
}

/** Opens the conditions on the fields of the type. */
export const OwnFilter = ({ type, conditions, onChange }: OwnFilterProps) => {
  const [open, setOpen] = useState(false)
  if (type.fields.length === 0) return null
  return (
    <>
      <Button icon={<FilterIcon />} onClick={() => setOpen(true)}>
        Filter
      </Button>
      {open ? (
        <OwnFilterDialog type={type} conditions={conditions} onChange={onChange} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

/** The conditions that hold, in words, on a line of their own. */
export const OwnConditions = ({ type, conditions, onChange }: OwnFilterProps) =>
  conditions.length === 0 ? null : (
    <ul aria-label="Conditions" className="flex w-full flex-wrap gap-2">
      {conditions.map((condition) => (
        <li
          key={`${condition.key}:${condition.op}`}
          className="inline-flex h-8 min-w-0 max-w-full items-center gap-1 rounded-md border border-line bg-sunken pl-2.5 text-sm touch:h-11"
        >
          <span className="truncate">{conditionWords(condition, type.fields)}</span>
          <IconButton
            size="sm"
            label={`Remove: ${conditionWords(condition, type.fields)}`}
            icon={<X />}
            onClick={() => onChange(conditions.filter((other) => other !== condition))}
          />
        </li>
      ))}
    </ul>
  )

type Row = { id: number; key: string; question: string; value: string }

const OwnFilterDialog = ({ type, conditions, onChange, onClose }: OwnFilterProps & { onClose: () => void }) => {
  const choices = askables(type.fields)
  const kept = conditions.filter((condition) => askedBy(condition, type.fields) === undefined)
  const [next, setNext] = useState(MAX_CONDITIONS)
  const form = useForm<{ rows: readonly Row[] }>({
    initial: { rows: rowsFrom(conditions, type.fields, choices) },
    guard: false,
    validate: ({ rows }) => {
      const problem = problemIn(rows.map((row) => askedIn(row, choices)))
      return problem === undefined ? {} : { rows: problem }
    },
    onSubmit: async ({ rows }) => {
      const asked = rows.map((row) => askedIn(row, choices)).filter((row) => row !== undefined)
      onChange([...kept, ...asked.map(conditionOf)])
      onClose()
      return undefined
    },
  })
  const { rows } = form.values
  const change = (id: number, changes: Partial<Row>) =>
    form.set({ rows: rows.map((row) => (row.id === id ? { ...row, ...changes } : row)) })
  const add = () => {
    form.set({ rows: [...rows, newRow(next, choices)] })
    setNext(next + 1)
  }
  return (
    <FormDialog
      title={`Filter ${inSentence(type.labelPlural)}`}
      description="Entries must match all conditions. Filters apply to drafts, not to live versions."
      size="lg"
      form={form}
      submitLabel="Apply"
      allowUnchanged
      onClose={onClose}
    >
      <ul className="flex flex-col gap-3">
        {rows.map((row, index) => (
          <li key={row.id}>
            <ConditionRow
              row={row}
              place={index + 1}
              choices={choices}
              onChange={(changes) => change(row.id, changes)}
              onRemove={() => form.set({ rows: rows.filter(({ id }) => id !== row.id) })}
            />
          </li>
        ))}
      </ul>
      {form.errors.rows ? (
        <p role="alert" className="text-failed text-sm">
          {form.errors.rows}
        </p>
      ) : null}
      {rows.length + kept.length < MAX_CONDITIONS ? (
        <div>
          <Button size="sm" icon={<Plus />} onClick={add}>
            Add condition
          </Button>
        </div>
      ) : null}
    </FormDialog>
  )
}

const firstQuestion = (askable: Askable | undefined): string =>
  (askable ? questionsFor(askable.field)[0]?.id : '') ?? ''

const newRow = (id: number, [first]: readonly Askable[]): Row => ({
  id,
  key: first?.key ?? '',
  question: firstQuestion(first),
  value: '',
})

const rowsFrom = (
  conditions: readonly Condition[],
  fields: readonly TypeField[],
  choices: readonly Askable[],
): readonly Row[] => {
  const rows = conditions.flatMap((condition, id): Row[] => {
    const asked = askedBy(condition, fields)
    if (!asked) return []
    const { askable, question, value } = asked
    return [{ id, key: askable.key, question: question.id, value: question.kind === null ? '' : value }]
  })
  return rows.length > 0 ? rows : [newRow(0, choices)]
}

const askedIn = ({ key, question: id, value }: Row, choices: readonly Askable[]): AskedCondition | undefined => {
  const askable = choices.find((choice) => choice.key === key)
  const question = askable && questionsFor(askable.field).find((candidate) => candidate.id === id)
  return askable && question && { askable, question, value }
}

const problemIn = (rows: readonly (AskedCondition | undefined)[]): string | undefined => {
  const asked = rows.filter((row) => row !== undefined)
  const lacking = asked.find(({ question, value }) => question.kind !== null && value.trim() === '')
  if (lacking) return `${lacking.askable.label} ${lacking.question.label} …: enter a value or remove the condition.`
  const names = asked.map(conditionOf).map(({ key, op }) => `${key}:${op}`)
  return new Set(names).size < names.length ? 'Two conditions are the same. Remove one.' : undefined
}

type ConditionRowProps = {
  row: Row
  place: number
  choices: readonly Askable[]
  onChange: (changes: Partial<Row>) => void
  onRemove: () => void
}

const ConditionRow = ({ row, place, choices, onChange, onRemove }: ConditionRowProps) => {
  const askable = choices.find(({ key }) => key === row.key)
  const questions = askable ? questionsFor(askable.field) : []
  const kind = questions.find(({ id }) => id === row.question)?.kind ?? null
  return (
    <fieldset className="grid grid-cols-[1fr_1fr_1fr_auto] items-center gap-2 phone:grid-cols-[1fr_auto]">
      <legend className="sr-only">Condition {place}</legend>
      <Select
        aria-label="Field"
        className="phone:col-span-2"
        value={row.key}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
        onValue={(key) =>
          onChange({ key, question: firstQuestion(choices.find((choice) => choice.key === key)), value: '' })
        }
      />
      <Select
        aria-label="Condition"
        className="phone:col-span-2"
        value={row.question}
        options={questions.map(({ id, label }) => ({ value: id, label }))}
        onValue={(question) => onChange({ question })}
      />
      {askable && kind !== null ? (
        <ValueInput field={askable.field} kind={kind} value={row.value} onValue={(value) => onChange({ value })} />
      ) : (
        <span />
      )}
      <IconButton label={`Remove condition ${place}`} icon={<X />} onClick={onRemove} />
    </fieldset>
  )
}

type ValueInputProps = {
  field: TypeField
  kind: 'text' | 'number' | 'date' | 'moment' | 'choice'
  value: string
  onValue: (value: string) => void
}

const ValueInput = ({ field, kind, value, onValue }: ValueInputProps) => {
  if (kind === 'choice')
    return (
      <Select
        aria-label="Value"
        value={value}
        placeholder="Choose"
        options={'options' in field ? field.options : []}
        onValue={onValue}
      />
    )
  if (kind === 'moment') return <MomentInput aria-label="Value" value={value} onValue={onValue} />
  return (
    <Input
      aria-label="Value"
      type={kind}
      {...(kind === 'number' ? { step: 'any' } : {})}
      value={value}
      maxLength={1000}
      autoComplete="off"
      onChange={({ target }) => onValue(target.value)}
    />
  )
}
