import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { ImageField } from '../../settings/image-field.tsx'
import { NetworkMark } from '../network-mark.tsx'
import type { NetworkOption, PickableAccount } from '../wire.ts'
import {
  type Draft,
  isChosen,
  isOfAccount,
  optionKey,
  optionValue,
  type selectedNetworks,
  withOption,
} from './draft.ts'

type Selected = ReturnType<typeof selectedNetworks>[number]

type NetworkOptionsProps = {
  draft: Draft
  selected: readonly Selected[]
  /** The error of `options.<key>.<name>`. */
  errorAt: (key: string) => string | undefined
  onDraft: (draft: Draft) => void
}

/** What the chosen networks let people choose beside text and pictures, folded away where nothing has to be chosen. */
export const NetworkOptions = ({ draft, selected, errorAt, onDraft }: NetworkOptionsProps) => {
  const shown = selected.filter(({ network }) => network.options.length > 0 || network.warnings.length > 0)
  if (shown.length === 0) return null
  return (
    <Panel title="Network options" flush>
      <ul className="divide-y divide-line">
        {shown.map((one) => (
          <li key={one.network.network} className="min-w-0">
            <OptionsOf draft={draft} selected={one} errorAt={errorAt} onDraft={onDraft} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type OptionsOfProps = Omit<NetworkOptionsProps, 'selected'> & { selected: Selected }

const OptionsOf = ({ draft, selected, errorAt, onDraft }: OptionsOfProps) => {
  const { network, accounts } = selected
  const fields = network.options.flatMap((option) =>
    ownersOf(option, accounts).map((account) => {
      const key = optionKey(option, network.network, account.id)
      return {
        option,
        account,
        key,
        value: optionValue(draft, key, network.network, option.key),
        error: errorAt(`options.${key}.${option.key}`) ?? errorAt(`options.${network.network}.${option.key}`),
      }
    }),
  )
  const chosen = fields.filter(({ value }) => isChosen(value) && value !== false).length
  const missing = fields.filter(({ option, value }) => option.required && !isChosen(value)).length
  const isWanted = network.options.some(({ required }) => required) || fields.some(({ error }) => error !== undefined)
  // A section that was opened for a problem stays open while it is being fixed
  const [isOpen, setOpen] = useState(isWanted)
  if (isWanted && !isOpen) setOpen(true)
  return (
    <Disclosure
      open={isOpen || undefined}
      className="px-5 py-2.5"
      summary={
        <span className="flex min-w-0 flex-1 items-center gap-2">
          <NetworkMark network={network.network} />
          <span className="truncate font-medium text-ink">{network.label}</span>
          {network.warnings.length > 0 ? (
            <TriangleAlert aria-label="Has a warning" className="size-3.5 shrink-0 text-draft-mark" />
          ) : null}
          <span className={cx('ml-auto shrink-0 text-xs', missing > 0 ? 'text-draft-ink' : 'text-faint')}>
            {missing > 0 ? `${missing} required` : chosen > 0 ? `${chosen} set` : 'Optional'}
          </span>
        </span>
      }
    >
      <div className="flex min-w-0 flex-col gap-4 pt-3 pb-2">
        {network.warnings.map((warning) => (
          <Notice key={warning} tone="warning">
            {warning}
          </Notice>
        ))}
        {fields.map(({ option, account, key, value, error }) => (
          <OptionField
            key={`${key} ${option.key}`}
            option={option}
            label={isOfAccount(option) && accounts.length > 1 ? `${option.label} (${account.name})` : option.label}
            account={account}
            value={value}
            error={error}
            onValue={(next) => onDraft(withOption(draft, key, option.key, next))}
          />
        ))}
      </div>
    </Disclosure>
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

/** A question that has to be answered, which an empty box would not show. */
const yesOrNo = [
  { value: '', label: 'Choose…' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const OptionField = ({ option, label, account, value, error, onValue }: OptionFieldProps) => {
  const { type, help, required } = option
  if (type === 'boolean' && !required)
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
  if (type === 'boolean')
    return (
      <Field {...field}>
        <Select
          value={value === true ? 'yes' : value === false ? 'no' : ''}
          options={yesOrNo}
          onValue={(next) => onValue(next === '' ? undefined : next === 'yes')}
        />
      </Field>
    )
  if (type === 'select' || type === 'board')
    return (
      <Field {...field} help={noChoices(option, account) ?? field.help}>
        {/* No preselected option: some networks require an explicit choice */}
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

/** Text that is not a number stays as it was typed, and is refused with an error. */
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
  if (max === undefined || text === '') return help
  const count = `${formatNumber(text.length)} of ${formatCount(max, 'character', 'characters')}`
  return help === undefined ? count : `${help} · ${count}`
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
