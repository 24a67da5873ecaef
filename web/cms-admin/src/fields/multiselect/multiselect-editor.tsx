import type { Choice } from '@stoa/cms-model/fields/choices.ts'
import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import { SearchInput } from '@stoa/ui/form/search-input.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useState } from 'react'
import type { EditorProps } from '../editor.ts'
import { findChoices, needsSearch, toggleChoice } from '../select/choices.ts'

/** Several of a set, each a chip to press; a search when there are many. */
export const MultiselectEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'multiselect'>>) => {
  const [words, setWords] = useState('')
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const isLong = needsSearch(field.options)
  const found = findChoices(field.options, words)
  const toggle = (option: string) => onChange(toggleChoice(field.options, chosen, option))
  return (
    <>
      {isLong ? (
        <SearchInput label={`Search ${field.label}`} value={words} onSearch={setWords} className="max-w-field" />
      ) : null}
      <div className={cx('flex flex-wrap gap-1.5', isLong && 'max-h-60 overflow-y-auto p-0.5')}>
        {found.map((option) => (
          <Chip
            key={option.value}
            option={option}
            checked={chosen.includes(option.value)}
            disabled={disabled}
            onToggle={() => toggle(option.value)}
          />
        ))}
        {found.length === 0 ? <p className="text-faint text-sm">No results for “{words}”.</p> : null}
      </div>
    </>
  )
}

type ChipProps = { option: Choice; checked: boolean; disabled: boolean; onToggle: () => void }

const Chip = ({ option, checked, disabled, onToggle }: ChipProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control
  <label
    className={cx(
      'inline-flex min-h-7 max-w-full touch:min-h-10 cursor-pointer select-none items-center gap-2 rounded-md border px-2 py-0.5 text-sm transition-colors',
      checked
        ? 'border-accent-line bg-accent-soft text-ink'
        : 'border-line-strong bg-surface text-muted hover:bg-hover',
    )}
  >
    <Checkbox checked={checked} onChecked={onToggle} disabled={disabled} />
    <span className="min-w-0 [overflow-wrap:anywhere]">{option.label}</span>
  </label>
)
