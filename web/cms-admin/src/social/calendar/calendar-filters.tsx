import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { may } from '../../allowed.tsx'
import { everybodyQuery } from '../../people/queries.ts'
import { meQuery } from '../../queries.ts'
import { networksQuery } from '../queries.ts'
import { postStates } from '../statuses.tsx'
import type { CalendarFilter } from './filters.ts'

type CalendarFiltersProps = { filter: CalendarFilter; onFilter: (changes: Partial<CalendarFilter>) => void }

/** The filters of the calendar. */
export const CalendarFilters = ({ filter, onFilter }: CalendarFiltersProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: networks } = useQuery(networksQuery)
  // Only those who manage people may see all of them
  const { data: people } = useQuery({ ...everybodyQuery, enabled: may(me, 'users.manage') })
  const used = networks?.items.filter(({ accounts }) => accounts.length > 0) ?? []
  const others = people?.items.filter(({ id }) => id !== me.id) ?? []
  const choose = (name: keyof CalendarFilter, all: string, options: readonly SelectOption[]) => (
    <Select
      aria-label={all}
      className="max-w-40 phone:w-[calc(50%-var(--spacing))] phone:max-w-none"
      value={filter[name]}
      options={[{ value: '', label: all }, ...options]}
      onValue={(value) => onFilter({ [name]: value })}
    />
  )
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      {choose(
        'network',
        'All networks',
        used.map(({ network, label }) => ({ value: network, label })),
      )}
      {choose(
        'account',
        'All accounts',
        used.flatMap(({ label, accounts }) =>
          accounts.map(({ id, name }) => ({ value: id, label: name, group: label })),
        ),
      )}
      {choose(
        'status',
        'Any status',
        Object.entries(postStates).map(([value, { label }]) => ({ value, label })),
      )}
      {choose('author', 'All authors', [
        { value: me.id, label: 'Me' },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ])}
    </div>
  )
}
