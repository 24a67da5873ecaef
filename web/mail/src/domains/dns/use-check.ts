import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasName } from '../../api.ts'
import { checkDomain, dnsQuery, domainsKey } from '../queries.ts'
import { describeTally, isTrustedName, tallyOf } from './states.ts'

/** The service looks at a domain once in this time when it is asked to. */
const TURN_SECONDS = 5

export type Check = {
  run: () => void
  isRunning: boolean
  /** Seconds until it may be asked for again, after it was asked for too soon. */
  waitSeconds: number
  problem: string | undefined
}

/** Looks at the records now. The answer takes ten seconds at most, and what is on the screen changes with it. */
export const useCheck = (domainId: string): Check => {
  const queryClient = useQueryClient()
  const [wait, setWait] = useState(0)
  useEffect(() => {
    if (wait === 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  const check = useMutation({
    mutationFn: () => checkDomain(domainId),
    onSuccess: (set) => {
      queryClient.setQueryData(dnsQuery(domainId).queryKey, set)
      void queryClient.invalidateQueries({ queryKey: domainsKey })
      toast({
        tone: set.status === 'verified' ? 'success' : 'neutral',
        title: set.status === 'verified' ? `${set.domain} verified` : 'Checked',
        description: isTrustedName(set.status, set.records)
          ? "This domain doesn't need DNS records."
          : describeTally(tallyOf(set.records)),
      })
    },
    onError: (error) => {
      if (hasName(error, 'rate_limit_exceeded')) setWait(TURN_SECONDS)
    },
  })
  const isHurry = hasName(check.error, 'rate_limit_exceeded')
  return {
    run: () => {
      if (wait === 0 && !check.isPending) check.mutate()
    },
    isRunning: check.isPending,
    waitSeconds: wait,
    problem: check.error && !isHurry ? messageOf(check.error) : undefined,
  }
}
