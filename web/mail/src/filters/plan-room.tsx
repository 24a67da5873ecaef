import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { entitlementQuery } from '../billing/queries.ts'
import { ComparePlans } from '../plan-limit.tsx'

type PlanRoomProps = { of: 'filters' | 'transfers'; words: { full: (limit: number) => string; help: string } }

/** Says that the plan has no room for one more, and where plans are. Nothing while there is room. */
export const PlanRoom = ({ of, words }: PlanRoomProps) => {
  const { data } = useQuery(entitlementQuery)
  const limit = data?.limits[of] ?? null
  if (!data || limit === null) return null
  const used = of === 'filters' ? data.usage.filters : data.usage.transfers_active
  if (used < limit) return null
  return (
    <Notice tone="warning" title={words.full(limit)}>
      {words.help} <ComparePlans />
    </Notice>
  )
}
