import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/choice-group.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Select } from '@stoa/ui/select.tsx'
import { ChoicesEditor } from './choices-editor.tsx'
import type { FieldDraft } from './draft.ts'
import { MomentInput } from './moment-input.tsx'

export type TypeChoice = { name: string; label: string }

type FieldOptionsProps = {
  field: FieldDraft
  onChange: (changes: Partial<FieldDraft>) => void
  /** With keys below the field. */
  problems: readonly FieldProblem[]
  /** What a reference may point to. */
  types: readonly TypeChoice[]
}

/** What only this type of field can be asked for. */
export const FieldOptions = (props: FieldOptionsProps) => {
  switch (props.field.type) {
    case 'text':
    case 'textarea':
    case 'richtext':
    case 'markdown':
      return <TextOptions {...props} />
    case 'number':
      return <NumberOptions {...props} />
    case 'date':
    case 'datetime':
      return <DateOptions {...props} />
    case 'select':
      return <Choices {...props} />
    case 'multiselect':
      return (
        <>
          <Choices {...props} />
          <CountOptions {...props} />
        </>
      )
    case 'media':
      return <AcceptOptions {...props} />
    case 'gallery':
      return (
        <>
          <AcceptOptions {...props} />
          <CountOptions {...props} />
        </>
      )
    case 'reference':
      return <ReferenceOptions {...props} />
    case 'list':
      return <CountOptions {...props} />
    case 'url':
      return <ProtocolOptions {...props} />
    default:
      return null
  }
}

const messageAt = ({ problems }: FieldOptionsProps, key: string) =>
  problems.find((problem) => problem.key === key)?.message

type TypedOption = 'minLength' | 'maxLength' | 'min' | 'max' | 'step' | 'minItems' | 'maxItems'
type TypedProps = FieldOptionsProps & { name: TypedOption; label: string; numeric?: 'numeric' | 'decimal' }

const NumberInput = ({ name, label, numeric = 'numeric', ...props }: TypedProps) => (
  <Field label={label} optional error={messageAt(props, name)} className="flex-1">
    <Input
      value={props.field[name]}
      inputMode={numeric}
      autoComplete="off"
      onChange={({ target }) => props.onChange({ [name]: target.value })}
    />
  </Field>
)

const Pair = ({ children }: { children: React.ReactNode }) => <div className="flex items-start gap-3">{children}</div>

const TextOptions = (props: FieldOptionsProps) => (
  <>
    <Pair>
      <NumberInput {...props} name="minLength" label="Fewest characters" />
      <NumberInput {...props} name="maxLength" label="Most characters" />
    </Pair>
    <Field
      label="Pattern"
      optional
      help="A regular expression that the whole text has to match, such as [A-Z]{2}-[0-9]+"
      error={messageAt(props, 'pattern')}
    >
      <Input
        value={props.field.pattern}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono text-xs"
        onChange={({ target }) => props.onChange({ pattern: target.value })}
      />
    </Field>
  </>
)

const NumberOptions = (props: FieldOptionsProps) => (
  <>
    <Pair>
      <NumberInput {...props} name="min" label="Lowest" numeric="decimal" />
      <NumberInput {...props} name="max" label="Highest" numeric="decimal" />
      <NumberInput {...props} name="step" label="Step" numeric="decimal" />
    </Pair>
    <CheckboxField
      label="Whole numbers only"
      checked={props.field.integer}
      onChecked={(integer) => props.onChange({ integer })}
      error={messageAt(props, 'integer')}
    />
  </>
)

const DateOptions = (props: FieldOptionsProps) => (
  <Pair>
    <DateBound {...props} name="min" label="Earliest" />
    <DateBound {...props} name="max" label="Latest" />
  </Pair>
)

const DateBound = ({ name, label, ...props }: FieldOptionsProps & { name: 'min' | 'max'; label: string }) => {
  const change = (value: string) => props.onChange({ [name]: value })
  return (
    <Field label={label} optional error={messageAt(props, name)} className="flex-1">
      {props.field.type === 'date' ? (
        <Input type="date" value={props.field[name]} onChange={({ target }) => change(target.value)} />
      ) : (
        <MomentInput value={props.field[name]} onValue={change} />
      )}
    </Field>
  )
}

const CountOptions = (props: FieldOptionsProps) => (
  <Pair>
    <NumberInput {...props} name="minItems" label="Fewest items" />
    <NumberInput {...props} name="maxItems" label="Most items" />
  </Pair>
)

const Choices = ({ field, onChange, problems }: FieldOptionsProps) => (
  <ChoicesEditor choices={field.choices} onChoices={(choices) => onChange({ choices })} problems={problems} />
)

type NamedChoice = { value: string; label: string }

type SetProps = {
  label: string
  known: readonly NamedChoice[]
  value: readonly string[]
  onValue: (value: string[]) => void
  error: string | undefined
}

/** Names to tick; those that only the API knows stay until someone unticks them. */
const NameSet = ({ label, known, value, onValue, error }: SetProps) => {
  const others = value.filter((name) => !known.some((choice) => choice.value === name))
  return (
    <ChoiceGroup label={label} error={error}>
      {[...known, ...others.map((name) => ({ value: name, label: name }))].map((choice) => (
        <CheckboxField
          key={choice.value}
          label={choice.label}
          checked={value.includes(choice.value)}
          onChecked={(on) => onValue(on ? [...value, choice.value] : value.filter((name) => name !== choice.value))}
        />
      ))}
    </ChoiceGroup>
  )
}

const fileKinds: readonly NamedChoice[] = [
  { value: 'image/*', label: 'Images' },
  { value: 'video/*', label: 'Videos' },
  { value: 'audio/*', label: 'Sound' },
  { value: 'application/pdf', label: 'PDF documents' },
]

const AcceptOptions = (props: FieldOptionsProps) => (
  <NameSet
    label="Takes"
    known={fileKinds}
    value={props.field.accept}
    onValue={(accept) => props.onChange({ accept })}
    error={messageAt(props, 'accept')}
  />
)

const linkKinds: readonly NamedChoice[] = [
  { value: 'https', label: 'Web addresses (https)' },
  { value: 'http', label: 'Web addresses without encryption (http)' },
  { value: 'relative', label: 'Pages of this site, such as /about' },
  { value: 'mailto', label: 'E-mail addresses (mailto:)' },
  { value: 'tel', label: 'Phone numbers (tel:)' },
]

const ProtocolOptions = (props: FieldOptionsProps) => (
  <NameSet
    label="Takes"
    known={linkKinds}
    value={props.field.protocols}
    onValue={(protocols) => props.onChange({ protocols })}
    error={messageAt(props, 'protocols')}
  />
)

const ReferenceOptions = (props: FieldOptionsProps) => {
  const { field, onChange, types } = props
  const isGone = field.to !== '' && !types.some(({ name }) => name === field.to)
  const known = [...types, ...(isGone ? [{ name: field.to, label: `${field.to} (deleted)` }] : [])]
  return (
    <>
      <Field label="Points to entries of" error={messageAt(props, 'to')}>
        <Select
          value={field.to}
          placeholder="Choose a type"
          onValue={(to) => onChange({ to })}
          options={known.map(({ name, label }) => ({ value: name, label }))}
        />
      </Field>
      <CheckboxField
        label="Several entries, in an order"
        help="Off, it holds one entry."
        checked={field.multiple}
        onChecked={(multiple) => onChange({ multiple })}
        error={messageAt(props, 'multiple')}
      />
      {field.multiple ? <CountOptions {...props} /> : null}
    </>
  )
}
