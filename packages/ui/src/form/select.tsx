import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '../theme/cx.ts'
import { useFieldWiring } from './field.tsx'

export type SelectOption = {
  value: string
  label: string
  disabled?: boolean
  /** A heading above it; options of one group stand together. */
  group?: string
}

type SelectProps = Omit<ComponentProps<'select'>, 'children' | 'value'> & {
  value: string
  options: readonly SelectOption[]
  onValue: (value: string) => void
  /** Shown while nothing is chosen. */
  placeholder?: string
}

/** One value of a closed list. A native select: it works with every keyboard, reader and phone. */
export const Select = ({ options, value, onValue, placeholder, className, ...rest }: SelectProps) => (
  <span className={cx('relative inline-flex w-full min-w-0', className)}>
    <select
      {...rest}
      {...useFieldWiring(rest)}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      className="control flex h-8 w-full min-w-0 appearance-none items-center truncate py-0 pr-8 pl-2.5 touch:h-11"
    >
      {placeholder === undefined ? null : (
        <option value="" disabled>
          {placeholder}
        </option>
      )}
      {Object.entries(Object.groupBy(options, ({ group = '' }) => group)).map(([group, members = []]) =>
        group === '' ? (
          members.map(optionOf)
        ) : (
          <optgroup key={group} label={group}>
            {members.map(optionOf)}
          </optgroup>
        ),
      )}
    </select>
    <ChevronsUpDown
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-faint"
    />
  </span>
)

const optionOf = (option: SelectOption) => (
  <option key={option.value} value={option.value} disabled={option.disabled}>
    {option.label}
  </option>
)
