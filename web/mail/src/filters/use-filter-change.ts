import type { Filter } from '@stoa/mail-model/filters.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { FILTERS, type FilterChanges, updateFilter } from './queries.ts'

/** Changes a filter of the list: shown at once, and put back when the service refuses. */
export const useFilterChange = () => {
  const queryClient = useQueryClient()
  const queryKey = [...FILTERS, 'list']
  return async (filter: Filter, changes: FilterChanges): Promise<void> => {
    await queryClient.cancelQueries({ queryKey })
    const before = queryClient.getQueriesData<List<Filter>>({ queryKey })
    queryClient.setQueriesData<List<Filter>>({ queryKey }, (list) => list && changedList(list, filter, changes))
    try {
      await updateFilter(filter.id, changes)
    } catch (error) {
      for (const [key, list] of before) queryClient.setQueryData(key, list)
      toast({ tone: 'danger', title: `Couldn't update ${filter.name}`, description: messageOf(error) })
    }
    await queryClient.invalidateQueries({ queryKey: FILTERS })
  }
}

const changedList = (list: List<Filter>, filter: Filter, { position, ...changes }: FilterChanges): List<Filter> => {
  const data = list.data.map((each) => (each.id === filter.id ? withChanges(each, changes) : each))
  return { ...list, data: position === undefined ? data : placed(data, filter, position) }
}

const withChanges = (filter: Filter, { enabled = filter.enabled }: FilterChanges): Filter => ({ ...filter, enabled })

/** Renumbers positions like the service does, for the filters on this page. */
const placed = (filters: readonly Filter[], { id, position: from }: Filter, to: number): Filter[] =>
  filters
    .map((each) => {
      if (each.id === id) return { ...each, position: to }
      if (each.position > from && each.position <= to) return { ...each, position: each.position - 1 }
      return each.position < from && each.position >= to ? { ...each, position: each.position + 1 } : each
    })
    .toSorted((a, b) => a.position - b.position)
