import type { Me } from '@stoa/cms-model/accounts.ts'
import { returnUrl } from '@stoa/ui/navigation/return-path.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { meQuery } from '../queries.ts'
import { forgetPositions } from '../realtime/position.ts'

/** Starts as this person, at the screen that was asked for before signing in. */
export const useEnter = (): ((me: Me, back?: string | undefined) => Promise<void>) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async (me, back) => {
    // The cache must hold no data of the previous user
    queryClient.clear()
    forgetPositions()
    queryClient.setQueryData(meQuery.queryKey, me)
    const { pathname, search, hash } = returnUrl(back, { below: '/', path: '/' }, location.origin)
    await router.navigate({
      to: pathname,
      search: router.options.parseSearch(search),
      hash: hash.slice(1),
    })
  }
}
