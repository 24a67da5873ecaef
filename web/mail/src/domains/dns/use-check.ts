import type { DnsRecordSet } from '@stoa/mail-model/dns.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { hasName } from '../../api.ts'
import { checkDomain, dnsQuery, domainsKey } from '../queries.ts'
import { delayOf } from './pace.ts'
import { describeCheck, isTrustedName } from './states.ts'

/** The service looks at a domain once in this time when it is asked to. */
const TURN_SECONDS = 5

export type Check = {
  run: () => void
  /** Somebody asked for it; those that run by themselves are not shown as work. */
  isRunning: boolean
  /** Whether the records are checked again and again, because some are missing and somebody is looking. */
  isWatching: boolean
  /** Seconds until it may be asked for again, after it was asked for too soon. */
  waitSeconds: number
  /** Why the one that was asked for did not happen. */
  problem: string | undefined
}

/**
 * Checks the records when asked, and by itself while `isOpen` says that somebody waits for them. The answer takes ten
 * seconds at most, and what is on the screen changes with it.
 */
export const useCheck = (set: DnsRecordSet, { isOpen }: { isOpen: boolean }): Check => {
  const { domain_id: domainId } = set
  const queryClient = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [wait, setWait] = useState(0)
  useEffect(() => {
    if (wait === 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  const check = useMutation({
    mutationFn: () => checkDomain(domainId),
    onSuccess: (found) => {
      queryClient.setQueryData(dnsQuery(domainId).queryKey, found)
      void queryClient.invalidateQueries({ queryKey: domainsKey })
      if (isAsked) announceResult(found)
    },
    // An automatic check shows no error: it is retried
    onError: (error) => {
      if (!isAsked) return
      if (hasName(error, 'rate_limit_exceeded')) setWait(TURN_SECONDS)
      else setProblem(messageOf(error))
    },
    onSettled: () => setAsked(false),
  })
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const isWatching = isOpen && isVisible && set.status !== 'verified'
  useChecksByItself(isWatching && !check.isPending, set.checked_at, () => check.mutate())
  return {
    run: () => {
      if (wait > 0) return
      setAsked(true)
      setProblem(undefined)
      if (!check.isPending) check.mutate()
    },
    isRunning: check.isPending && isAsked,
    isWatching,
    waitSeconds: wait,
    problem,
  }
}

const announceResult = ({ domain, status, records }: DnsRecordSet): void => {
  toast({
    tone: status === 'verified' ? 'success' : 'neutral',
    title: status === 'verified' ? `${domain} verified` : 'Checked',
    description: isTrustedName(status, records) ? "This domain doesn't need DNS records." : describeCheck(records),
  })
}

/** Runs it at the pace of `delayOf`, counted from the last check: by this screen, the service or somebody else. */
const useChecksByItself = (isOn: boolean, checkedAt: string | null, run: () => void): void => {
  const [began, setBegan] = useState({ rounds: 0, lastAt: 0 })
  const start = useEffectEvent(() => {
    setBegan(({ rounds }) => ({ rounds: rounds + 1, lastAt: Date.now() }))
    run()
  })
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(start, delayOf({ ...began, checkedAt, now: Date.now() }))
    return () => clearTimeout(timer)
  }, [isOn, checkedAt, began])
}

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
