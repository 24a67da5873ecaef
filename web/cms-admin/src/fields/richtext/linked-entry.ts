import { useQuery } from '@tanstack/react-query'
import { hasCode } from '../../api.ts'
import { entryItemQuery } from '../../entries/queries.ts'

type LinkedEntry = { title: string | undefined; isGone: boolean }

/** The entry that a link leads to, whatever its address is now. */
export const useLinkedEntry = (id: string | null): LinkedEntry => {
  const { data, error } = useQuery({ ...entryItemQuery(id ?? ''), enabled: id !== null })
  if (id === null) return { title: undefined, isGone: false }
  return { title: data && (data.title || data.slug), isGone: hasCode(error, 'NOT_FOUND') }
}
