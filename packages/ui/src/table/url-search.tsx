import { useEffect, useState } from 'react'
import { SearchInput } from '../form/search-input.tsx'

type UrlSearchProps = {
  label: string
  value: string
  onSearch: (value: string) => void
  /** `false` where `/` leads to another search of the screen. */
  shortcut?: false
}

/** Long enough for the next letter, too short to be waited for. */
const PAUSE_MS = 200

/** A search box whose words go to the address when the typing pauses. */
export const UrlSearch = ({ label, value, onSearch, shortcut }: UrlSearchProps) => {
  const [text, setText] = useState(value)
  const [last, setLast] = useState(value)
  // Cleared from outside, or another address
  if (value !== last) {
    setLast(value)
    setText(value)
  }
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onSearch(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <SearchInput
      label={label}
      className="min-w-44 max-w-72 phone:max-w-none phone:basis-full"
      value={text}
      onSearch={setText}
      shortcut={shortcut === false ? undefined : '/'}
    />
  )
}
