import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
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
      title={left === 0 ? `You've used all ${limit} addresses in your plan` : `${left} of ${limit} addresses are left`}
    >
      {left === 0 ? "Delete one you don't need, or upgrade your plan. " : ''}
      <TextLink to="/billing/plans">Compare plans</TextLink>
    </Notice>
  )
}

/** Fewer than this many left are worth a word. */
const NEAR = 2
