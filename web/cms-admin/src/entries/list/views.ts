import { DEFAULT_SORT, NO_FILTER, readQuery, searchOf } from './filter.ts'

/** A filter with its order and columns, and a name; `search` is what stands in the address. */
export type View = { name: string; search: string }

/** More would not be found again. */
export const MAX_VIEWS = 20
export const MAX_VIEW_NAME = 40

const view = (name: string, status: string): View => ({
  name,
  search: searchOf({ ...NO_FILTER, status, sort: DEFAULT_SORT }),
})

/** The views that every list has. */
export const quickViews: readonly View[] = [
  view('All', ''),
  view('Drafts', 'draft'),
  view('Published', 'published'),
  view('Scheduled', 'scheduled'),
  view('Unpublished changes', 'pending'),
]

/** The views out of the browser's storage: whatever is not one is left out. */
export const readViews = (stored: unknown): readonly View[] =>
  Array.isArray(stored) ? stored.filter(isView).map(clean).slice(0, MAX_VIEWS) : []

/** A view of that name goes to the end of the list; one that has the name already is replaced in its place. */
export const withView = (views: readonly View[], added: View): readonly View[] => {
  const next = { name: added.name.trim().slice(0, MAX_VIEW_NAME), search: added.search }
  return views.some(({ name }) => name === next.name)
    ? views.map((other) => (other.name === next.name ? next : other))
    : [...views, next]
}

export const withoutView = (views: readonly View[], name: string): readonly View[] =>
  views.filter((other) => other.name !== name)

/** Why a view cannot be called so. */
export const nameProblem = (name: string, views: readonly View[]): string | undefined => {
  const trimmed = name.trim()
  if (trimmed === '') return 'Enter a name.'
  if (quickViews.some((quick) => quick.name.toLowerCase() === trimmed.toLowerCase()))
    return 'This name is taken by a built-in view. Choose another.'
  const isNew = !views.some((other) => other.name === trimmed)
  return isNew && views.length >= MAX_VIEWS ? `You have ${MAX_VIEWS} views. Delete one first.` : undefined
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  value.name.trim() !== '' &&
  'search' in value &&
  typeof value.search === 'string'

const clean = ({ name, search }: View): View => {
  const params = new URLSearchParams(search)
  const get = (member: string) => params.get(member) ?? ''
  // Its fields may change before it is opened again: what it asks for is read with them then
  const asked = { ...readQuery(get, null), columns: get('columns') }
  return { name: name.slice(0, MAX_VIEW_NAME), search: searchOf(asked) }
}
