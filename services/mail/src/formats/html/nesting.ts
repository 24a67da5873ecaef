import { TABLE_PARENTS } from './policy.ts'

/**
 * Whether a parser that reads this element where it is written puts it there too. What it would move follows from the
 * rules of the HTML standard (13.2.6.4.7 and following) for the elements that we write.
 */
export const staysInPlace = (name: string, open: readonly string[]): boolean => {
  const parent = open.at(-1) ?? ''
  if (TABLE_INNER.has(parent) && !TABLE_PARENTS.get(name)?.includes(parent)) return false
  if (CLOSES_P.has(name) && isOpen(open, 'p', P_SCOPE)) return false
  if (HEADINGS.has(name) && HEADINGS.has(parent)) return false
  if (name === 'a' && isOpen(open, 'a', CELLS)) return false
  if (name === 'li') return !endsItem(open, LI)
  return name === 'dd' || name === 'dt' ? !endsItem(open, DD) : true
}

/** Whether text would stay here when parsed: a parser moves it out of tables. */
export const isTextInPlace = (text: string, open: readonly string[]): boolean =>
  !TABLE_INNER.has(open.at(-1) ?? '') || /^[ \t\n]*$/.test(text)

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Elements that may contain only the parts of a table. */
const TABLE_INNER = setOf('table thead tbody tfoot tr colgroup')
const CELLS = setOf('td th caption')
const P_SCOPE = setOf('table td th caption')
const HEADINGS = setOf('h1 h2 h3 h4 h5 h6')
const CLOSES_P = setOf(
  'address article aside blockquote center details div dl dd dt figcaption figure footer header hr h1 h2 h3 h4 h5 h6 li ' +
    'main nav ol p pre section summary table ul',
)
/** Where the search for an open item ends. */
const SPECIAL = setOf(
  'article aside blockquote caption center col colgroup dd details dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 ' +
    'header hr img li main nav ol pre section summary table tbody td tfoot th thead tr ul',
)
const LI = setOf('li')
const DD = setOf('dd dt')

const isOpen = (open: readonly string[], name: string, scope: ReadonlySet<string>): boolean => {
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const each = open[index] ?? ''
    if (each === name) return true
    if (scope.has(each)) return false
  }
  return false
}

const endsItem = (open: readonly string[], items: ReadonlySet<string>): boolean => {
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const each = open[index] ?? ''
    if (items.has(each)) return true
    if (SPECIAL.has(each)) return false
  }
  return false
}
