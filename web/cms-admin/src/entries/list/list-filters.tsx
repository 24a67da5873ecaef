import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { Columns3 } from 'lucide-react'
import { may } from '../../allowed.tsx'
import { everybodyQuery } from '../../people/queries.ts'
import { taxonomiesQuery } from '../../taxonomies/queries.ts'
import { rowsOf } from '../../taxonomies/tree.ts'
import { inSentence } from '../../type-icon.tsx'
import type { ColumnOption } from './column-choice.ts'
import type { ListFilter } from './filter.ts'

type ListFiltersProps = {
  me: Me
  type: ContentType
  filter: ListFilter
  locales: readonly string[]
  /** The rows that are shown: their authors can be chosen. */
  rows: readonly EntryItem[]
  /** Somebody is about to choose: the other people of the site are read then. */
  isInUse: boolean
  onFilter: (changes: Partial<ListFilter>) => void
}

/** Search and filters of a list of entries. */
export const ListFilters = ({ me, type, filter, locales, rows, isInUse, onFilter }: ListFiltersProps) => {
  const { data: taxonomies } = useQuery({ ...taxonomiesQuery, enabled: type.taxonomies.length > 0 })
  const isAsked = isInUse || filter.author !== ''
  const { data: people } = useQuery({ ...everybodyQuery, enabled: isAsked && may(me, 'users.manage') })
  const terms = termOptions(taxonomies?.items.filter(({ name }) => type.taxonomies.includes(name)) ?? [])
  const choose = (name: keyof ListFilter, all: string, options: readonly SelectOption[]) => (
    <Select
      aria-label={all}
      className="max-w-44 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
      value={filter[name]}
      options={[{ value: '', label: all }, ...withChosen(options, filter[name])]}
      onValue={(value) => onFilter({ [name]: value })}
    />
  )
  return (
    <>
      <UrlSearch label={`Search ${inSentence(type.labelPlural)}`} value={filter.q} onSearch={(q) => onFilter({ q })} />
      {terms.length > 0 || filter.term !== '' ? choose('term', 'All terms', terms) : null}
      {choose('author', 'All authors', authorOptions(me, people?.items ?? [], rows))}
      {locales.length > 1 ? choose('locale', 'All languages', locales.map(localeOption)) : null}
    </>
  )
}

/** The terms grouped by taxonomy, child terms indented. */
const termOptions = (taxonomies: readonly Taxonomy[]): SelectOption[] =>
  taxonomies.flatMap((taxonomy) =>
    rowsOf(taxonomy.terms).map(({ term, depth }) => ({
      value: `${taxonomy.name}:${term.slug}`,
      label: `${'\u2003'.repeat(depth)}${term.name}`,
      group: taxonomy.label,
    })),
  )

type Named = { id: string; name: string }

/** Oneself first. Who may not see the people of the site can choose among those whose entries are here. */
const authorOptions = (me: Named, people: readonly Named[], rows: readonly EntryItem[]): SelectOption[] => {
  const seen = rows.flatMap(({ author }) => (author ? [author] : []))
  const others = new Map([...people, ...seen].map(({ id, name }) => [id, name]))
  others.delete(me.id)
  return [
    { value: 'me', label: 'Me' },
    ...[...others].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label)),
  ]
}

const localeOption = (locale: string): SelectOption => ({ value: locale, label: languageName(locale) })

const languageName = (locale: string): string =>
  new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' }).of(locale) ?? locale

/** Adds the value from the URL when it is none of the options. */
const withChosen = (options: readonly SelectOption[], value: string): readonly SelectOption[] =>
  value === '' || options.some((option) => option.value === value) ? options : [...options, { value, label: value }]

type ColumnMenuProps = {
  options: readonly ColumnOption[]
  chosen: readonly string[]
  /** Undefined goes back to what the list shows by itself. */
  onChoose: (columns: readonly string[] | undefined) => void
}

/** Which columns a list shows. */
export const ColumnMenu = ({ options, chosen, onChoose }: ColumnMenuProps) => (
  <Menu
    trigger={
      <Button variant="ghost" icon={<Columns3 />} className="ml-auto phone:hidden">
        Columns
      </Button>
    }
  >
    <MenuLabel>Columns</MenuLabel>
    {options.map(({ id, label }) => (
      <MenuCheck
        key={id}
        checked={chosen.includes(id)}
        onChecked={(checked) =>
          onChoose(
            options.map((option) => option.id).filter((other) => (other === id ? checked : chosen.includes(other))),
          )
        }
      >
        {label}
      </MenuCheck>
    ))}
    <MenuSeparator />
    <MenuItem onSelect={() => onChoose(undefined)}>Reset columns</MenuItem>
  </Menu>
)
