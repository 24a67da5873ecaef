import { Search, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { IconButton } from '../button/button.tsx'
import { Kbd } from '../shortcuts/kbd.tsx'
import { useShortcut } from '../shortcuts/shortcuts.ts'
import { cx } from '../theme/cx.ts'
import { Input } from './input.tsx'

type SearchInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'leading' | 'trailing'> & {
  label: string
  value: string
  onSearch: (value: string) => void
  /** A key that leads here: `/` for the list of a screen. */
  shortcut?: string | undefined
}

/** Narrows a list while typing; Esc empties it first. */
export const SearchInput = ({ label, value, onSearch, shortcut, className, ...rest }: SearchInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  useShortcut({
    keys: shortcut ?? '/',
    description: label,
    group: 'This screen',
    enabled: shortcut !== undefined,
    onPress: () => {
      input.current?.focus()
      input.current?.select()
    },
  })
  const clear = () => {
    onSearch('')
    input.current?.focus()
  }
  return (
    <Input
      placeholder={label}
      {...rest}
      className={cx('flex-1 text-sm', className)}
      ref={input}
      role="searchbox"
      aria-label={label}
      value={value}
      onChange={(event) => onSearch(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return
        event.stopPropagation()
        clear()
      }}
      leading={<Search aria-hidden />}
      trailing={
        value ? (
          <IconButton size="sm" label="Clear search" icon={<X />} onClick={clear} className="size-6 touch:size-8" />
        ) : shortcut === undefined ? null : (
          <Kbd keys={shortcut} className="mr-1 phone:hidden" />
        )
      }
    />
  )
}
