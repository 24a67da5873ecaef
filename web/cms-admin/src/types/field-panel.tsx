import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { contentFields } from '@stoa/cms-model/fields/field.ts'
import { fieldTypeNames } from '@stoa/cms-model/fields/types/index.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { sentence } from '@stoa/ui/request/request.ts'
import { type KeyboardEvent, type ReactNode, Suspense } from 'react'
import type { AnyFieldView, TypeChoice } from '../fields/field-view.ts'
import { fieldViews, viewOf } from '../fields/index.ts'
import { type FieldDraft, isScalar, retype } from './draft.ts'
import { formOptions } from './field-options.ts'
import { freeKey, keyFromLabel } from './names.ts'

for (const { Options } of Object.values<AnyFieldView>(fieldViews)) void Options?.preload?.()

type FieldPanelProps = {
  field: FieldDraft
  onField: (field: FieldDraft) => void
  /** With keys below the field. */
  problems: readonly FieldProblem[]
  types: readonly TypeChoice[]
  /** Keys of the fields beside this one. */
  taken: ReadonlySet<string>
  /** How many lists the field is in. */
  depth: number
  allowList: boolean
  /** The fields of a list. */
  inner: ReactNode
}

/** Everything about one field. Changes are part of the type that is edited, and saved with it. */
export const FieldPanel = (props: FieldPanelProps) => {
  const { field, onField, problems, types, taken, depth, allowList, inner } = props
  const { Options, Default } = viewOf(field)
  const options = formOptions(field)
  const change = (changes: Partial<FieldDraft>) => onField({ ...field, ...changes })
  const messageAt = (key: string) => problems.find((problem) => problem.key === key)?.message
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in an input must not save the whole type
    <div onKeyDown={keepEnter} className="flex min-w-0 flex-col gap-4">
      <NameInputs field={field} taken={taken} onChange={change} messageAt={messageAt} />
      <Field label="Type" help={typeHelp(field)} error={messageAt('type')}>
        <Select
          value={field.type}
          onValue={(value) => {
            const type = fieldTypeNames.find((name) => name === value)
            if (type) onField(retype(field, type))
          }}
          options={fieldTypeNames
            .filter((type) => allowList || !viewOf({ type }).hasFields || type === field.type)
            .map((type) => ({ value: type, label: viewOf({ type }).label }))}
        />
      </Field>
      <Field label="Help text" optional help="Shown below the input" error={messageAt('help')}>
        <Textarea
          rows={2}
          className="min-h-14!"
          value={field.help}
          onChange={({ target }) => change({ help: target.value })}
        />
      </Field>
      {inner}
      <Suspense>
        {Options ? (
          <Options
            options={options}
            onChange={(changes) => change({ options: { ...field.options, ...changes } })}
            problems={problems}
            types={types}
            isNew={field.savedKey === ''}
          />
        ) : null}
      </Suspense>
      <Rules field={field} onChange={change} messageAt={messageAt} isTop={depth === 0} />
      {Default ? (
        <Default
          options={options}
          value={field.default}
          onValue={(value) => change({ default: value })}
          error={messageAt('default')}
        />
      ) : null}
    </div>
  )
}

const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

const typeHelp = (field: FieldDraft): string =>
  field.savedKey === ''
    ? viewOf(field).line
    : 'Values are converted when nothing would be lost. You can review the effect before saving.'

type PartProps = {
  field: FieldDraft
  onChange: (changes: Partial<FieldDraft>) => void
  messageAt: (key: string) => string | undefined
}

const NameInputs = ({ field, taken, onChange, messageAt }: PartProps & { taken: ReadonlySet<string> }) => {
  const made = (label: string) => freeKey(keyFromLabel(label), taken)
  // The key follows the label until it is typed by hand; a saved one is what websites read
  const follows = field.savedKey === '' && (field.key === '' || field.key === made(field.label))
  return (
    <>
      <Field label="Label" error={messageAt('label')}>
        <Input
          data-field-label
          value={field.label}
          autoComplete="off"
          onChange={({ target: { value } }) =>
            onChange(follows ? { label: value, key: keyFromLabel(value) === '' ? '' : made(value) } : { label: value })
          }
        />
      </Field>
      <Field label="Key" help={keyHelp(field)} error={keyProblem(field.key) ?? messageAt('key')}>
        <Input
          value={field.key}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-xs"
          onChange={({ target }) => onChange({ key: target.value })}
        />
      </Field>
    </>
  )
}

const keyHelp = (field: FieldDraft): ReactNode => {
  if (field.savedKey !== '' && field.key !== field.savedKey)
    return `Renames ${field.savedKey}. Its values move to the new key, and websites need to read that one.`
  return 'The name in the API, in camelCase, such as heroImage'
}

/** Said while typing, with the right spelling where there is one. */
const keyProblem = (key: string): string | undefined => {
  if (key === '') return undefined
  const { error } = contentFields.safeParse([{ key, type: 'text' }], { error: issueText })
  return error ? sentence(error.issues[0]?.message ?? '') : undefined
}

const Rules = ({ field, onChange, messageAt, isTop }: PartProps & { isTop: boolean }) => (
  <ChoiceGroup label="Rules">
    <CheckboxField
      label="Required"
      help="Required to publish; drafts can be incomplete"
      checked={field.required}
      onChecked={(required) => onChange({ required })}
      error={messageAt('required')}
    />
    {isTop && isScalar(field.type) ? (
      <>
        <CheckboxField
          label="Unique"
          help="No two entries can have the same value"
          checked={field.unique}
          onChecked={(unique) => onChange({ unique })}
          error={messageAt('unique')}
        />
        <CheckboxField
          label="Indexed"
          help="Makes sorting and filtering fast, even with many entries"
          checked={field.indexed || field.unique}
          disabled={field.unique}
          onChecked={(indexed) => onChange({ indexed })}
          error={messageAt('indexed')}
        />
      </>
    ) : null}
    <CheckboxField
      label="Hidden from websites"
      help="Only visible to people in the admin"
      checked={field.hidden}
      onChecked={(hidden) => onChange({ hidden })}
      error={messageAt('hidden')}
    />
  </ChoiceGroup>
)
