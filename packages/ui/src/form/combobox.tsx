import { ChevronsUpDown } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react'
import { HangingLayer } from '../layer/hanging-layer.tsx'
import { cx } from '../theme/cx.ts'
import { Input } from './input.tsx'
import { nextOption } from './next-option.ts'
import { findOptions } from './options.ts'
import type { SelectOption } from './select.tsx'

type ComboboxProps = Pick<ComponentProps<'input'>, 'id' | 'disabled' | 'className' | 'aria-label'> & {
  value: string
  options: readonly SelectOption[]
  onValue: (value: string) => void
  /** Shown while nothing is chosen. */
  placeholder?: string
  /** The options are needed now. */
  onOpen?: () => void
  /** More options are on their way. */
  isLoading?: boolean
}

/** One value of a long list, found by typing. While it is open, the input searches; closed, it shows what is chosen. */
export const Combobox = (props: ComboboxProps) => {
  const { value, options, onValue, placeholder = 'Choose…', onOpen, isLoading = false, className, ...rest } = props
  const id = useId()
  const [words, setWords] = useState<string>()
  const [active, setActive] = useState<number>()
  const isOpen = words !== undefined
  const found = findOptions(options, words ?? '')
  const chosen = options.find((option) => option.value === value)
  const open = (typed: string) => {
    if (!isOpen) onOpen?.()
    setWords(typed)
    // Typing looks for one; opening shows where one is
    setActive(typed === '' ? indexOf(options, value) : 0)
  }
  const close = () => {
    setWords(undefined)
    setActive(undefined)
  }
  const choose = (option: SelectOption) => {
    close()
    if (option.value !== value) onValue(option.value)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // The form around it would be saved
      event.preventDefault()
      const option = active === undefined ? undefined : found[active]
      if (isOpen && option) choose(option)
      return
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (isOpen) setActive(nextOption(event.key, active, found.length))
    else open('')
  }
  const input = (
    <Input
      {...rest}
      role="combobox"
      aria-expanded={isOpen}
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={isOpen && active !== undefined ? `${id}-${active}` : undefined}
      autoComplete="off"
      spellCheck={false}
      placeholder={chosen?.label ?? placeholder}
      value={words ?? chosen?.label ?? ''}
      trailing={<ChevronsUpDown aria-hidden className="mr-1.5 size-3.5" />}
      onClick={() => isOpen || open('')}
      onBlur={close}
      onChange={(event) => open(event.target.value)}
      onKeyDown={press}
    />
  )
  return (
    <HangingLayer
      open={isOpen && !rest.disabled}
      onOpenChange={(next) => next || close()}
      anchor={<div className={cx('min-w-0', className)}>{input}</div>}
    >
      <div role="listbox" id={`${id}-list`} aria-label={rest['aria-label'] ?? placeholder}>
        {found.map((option, index) => (
          <Option
            key={option.value}
            id={`${id}-${index}`}
            option={option}
            isActive={index === active}
            isChosen={option.value === value}
            onChoose={() => choose(option)}
          />
        ))}
      </div>
      {found.length > 0 ? null : (
        <p role="status" className="px-2 py-2 text-faint">
          {isLoading ? 'Loading…' : `No results for “${words?.trim() ?? ''}”`}
        </p>
      )}
    </HangingLayer>
  )
}

const indexOf = (options: readonly SelectOption[], value: string): number | undefined => {
  const index = options.findIndex((option) => option.value === value)
  return index === -1 ? undefined : index
}

type OptionProps = { id: string; option: SelectOption; isActive: boolean; isChosen: boolean; onChoose: () => void }

const Option = ({ id, option, isActive, isChosen, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isActive}
    ref={(element) => {
      if (isActive) element?.scrollIntoView({ block: 'nearest' })
    }}
    onClick={onChoose}
    className={cx(
      'flex min-h-8 cursor-default select-none items-center rounded-sm px-2 py-1 text-ink hover:bg-hover touch:min-h-10 aria-selected:bg-hover',
      isChosen && 'font-medium',
    )}
  >
    <span className="min-w-0 flex-1 truncate">{option.label}</span>
  </div>
)
