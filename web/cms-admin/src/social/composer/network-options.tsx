import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { Select } from '@stoa/ui/select.tsx'
import { Textarea } from '@stoa/ui/textarea.tsx'
import { ImageField } from '../../settings/image-field.tsx'
import { NetworkMark } from '../network-mark.tsx'
import type { NetworkOption, PickableAccount } from '../wire.ts'
import { type Draft, isOfAccount, optionKey, optionValue, type selectedNetworks, withOption } from './draft.ts'

type Selected = ReturnType<typeof selectedNetworks>[number]

type NetworkOptionsProps = {
  draft: Draft
  selected: Selected
  /** What is wrong with `options.<key>.<name>`. */
  errorAt: (key: string) => string | undefined
  onDraft: (draft: Draft) => void
}

/** What a network lets its people choose beside text and pictures. */
export const NetworkOptions = ({ draft, selected, errorAt, onDraft }: NetworkOptionsProps) => {
  const { network, accounts } = selected
  if (network.options.length === 0 && network.warnings.length === 0) return null
  return (
    <Panel
      title={
        <span className="flex items-center gap-2 text-sm">
          <NetworkMark network={network.network} />
          {network.label}
        </span>
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        {network.warnings.map((warning) => (
          <Notice key={warning} tone="warning">
            {warning}
          </Notice>
        ))}
        {network.options.flatMap((option) =>
          ownersOf(option, accounts).map((account) => {
            const key = optionKey(option, network.network, account.id)
            return (
              <OptionField
                key={`${key} ${option.key}`}
                option={option}
                label={isOfAccount(option) && accounts.length > 1 ? `${option.label} (${account.name})` : option.label}
                account={account}
                value={optionValue(draft, key, network.network, option.key)}
                error={errorAt(`options.${key}.${option.key}`) ?? errorAt(`options.${network.network}.${option.key}`)}
                onValue={(value) => onDraft(withOption(draft, key, option.key, value))}
              />
            )
          }),
        )}
      </div>
    </Panel>
  )
}

const ownersOf = (option: NetworkOption, accounts: readonly PickableAccount[]): readonly PickableAccount[] =>
  isOfAccount(option) ? accounts : accounts.slice(0, 1)

type OptionFieldProps = {
  option: NetworkOption
  label: string
  account: PickableAccount
  value: unknown
  error: string | undefined
  onValue: (value: unknown) => void
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const OptionField = ({ option, label, account, value, error, onValue }: OptionFieldProps) => {
  const { type, help, required } = option
  if (type === 'boolean')
    return (
      <CheckboxField
        label={label}
        help={help}
        error={error}
        checked={value === true}
        onChecked={(checked) => onValue(checked)}
      />
    )
  if (type === 'media')
    return (
      <ImageField label={label} help={help ?? ''} error={error} value={textOf(value)} onValue={(id) => onValue(id)} />
    )
  const max = option.max
  const field = { label, help: helpOf(help, max, textOf(value)), error, optional: !required }
  if (type === 'select' || type === 'board')
    return (
      <Field {...field} help={noChoices(option, account) ?? field.help}>
        {/* Nothing is chosen for the person: some networks demand that */}
        <Select
          value={textOf(value)}
          options={[{ value: '', label: required ? 'Choose…' : 'Default' }, ...choicesOf(option, account)]}
          onValue={(next) => onValue(next)}
        />
      </Field>
    )
  if (type === 'textarea')
    return (
      <Field {...field}>
        <Textarea value={textOf(value)} onChange={({ target }) => onValue(target.value)} />
      </Field>
    )
  if (type === 'tags')
    return (
      <Field {...field} help={help ?? 'Separate tags with commas.'}>
        <TagsInput value={value} onValue={onValue} />
      </Field>
    )
  return (
    <Field {...field}>
      <Input
        value={textOf(value)}
        inputMode={type === 'number' ? 'numeric' : undefined}
        onChange={({ target }) => onValue(type === 'number' ? numberOf(target.value) : target.value)}
      />
    </Field>
  )
}

/** What is no number stays as it was typed, and is refused with words. */
const numberOf = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text)

const TagsInput = ({ value, onValue }: { value: unknown; onValue: (value: unknown) => void }) => (
  <Input
    defaultValue={Array.isArray(value) ? value.join(', ') : ''}
    onChange={({ target }) =>
      onValue(
        target.value
          .split(',')
          .map((tag) => tag.trim())
          .filter(Boolean),
      )
    }
  />
)

const helpOf = (help: string | undefined, max: number | undefined, text: string): string | undefined => {
  if (max === undefined) return help
  const count = `${text.length} of ${max} characters`
  return help === undefined ? count : `${help} ${count}`
}

const choicesOf = ({ type, key, values = [] }: NetworkOption, { capabilities }: PickableAccount) => {
  if (type === 'board') return (capabilities.boards ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const allowed = key === 'privacyLevel' ? capabilities.privacyLevels : undefined
  if (allowed === undefined) return values
  return allowed.map((value) => values.find((one) => one.value === value) ?? { value, label: wordsOf(value) })
}

const noChoices = (option: NetworkOption, account: PickableAccount): string | undefined =>
  option.type === 'board' && choicesOf(option, account).length === 0
    ? `${account.name} has no boards yet. Create one there and reconnect the account.`
    : undefined

/** "SELF_ONLY" is "Self only". */
const wordsOf = (name: string): string => {
  const words = name.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
