import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { ComparePlans } from '../plan-limit.tsx'
import { addressLimitsQuery } from './queries.ts'

/** How many more addresses the plan has room for, when that is soon over. */
export const AddressesLeft = () => {
  const { data } = useQuery(addressLimitsQuery)
  const limit = data?.limits.addresses ?? null
  if (!data || limit === null) return null
  const left = Math.max(0, limit - data.usage.addresses)
  if (left > NEAR) return null
  return (
    <Notice
      tone={left === 0 ? 'warning' : 'info'}
      title={left === 0 ? `You've used all ${limit} addresses` : `${left} of ${limit} addresses are left`}
    >
      {left === 0 ? "Delete one you don't need to make room. " : ''}
      <ComparePlans />
    </Notice>
  )
}

/** Fewer than this many left are worth a word. */
const NEAR = 2
