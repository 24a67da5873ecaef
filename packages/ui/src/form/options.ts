import type { SelectOption } from './select.tsx'

/** Up to this many options fit into a plain list; longer lists get a search. */
const LOOKED_OVER = 7

export const needsSearch = (options: readonly SelectOption[]): boolean => options.length > LOOKED_OVER

/** The options that have all these words; those that begin with them come first. */
export const findOptions = (options: readonly SelectOption[], words: string): readonly SelectOption[] => {
  const text = words.trim().toLowerCase()
  if (text === '') return options
  const wanted = text.split(/\s+/)
  const found = options.filter(
    ({ label, disabled }) => !disabled && wanted.every((word) => label.toLowerCase().includes(word)),
  )
  const isFirst = ({ label }: SelectOption) => (label.toLowerCase().startsWith(text) ? 0 : 1)
  return found.toSorted((a, b) => isFirst(a) - isFirst(b))
}
