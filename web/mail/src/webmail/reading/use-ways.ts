import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { useIsPhone, useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { messageQuery } from '../queries.ts'
import { useNeighbours } from './neighbours.ts'

export type Ways = {
  newer: (() => void) | undefined
  older: (() => void) | undefined
  /** To the next message when this one leaves its list, or back to the list where that is covered. */
  goOn: () => void
  back: () => void
  /** The message covers its list, which has its own way back above it. */
  isOver: boolean
}

// Narrower than this there is no room for a message beside its list
const ROOM = '(width >= 64rem)'

/** The navigation targets of an open message. */
export const useWays = (place: string, messageId: string, settings: MailboxSettings | undefined): Ways => {
  const navigate = useNavigate()
  const { newer, older } = useNeighbours(messageId)
  usePrefetched(older)
  const isPhone = useIsPhone()
  const hasRoom = useMediaQuery(ROOM)
  const pane = settings?.reading_pane ?? 'right'
  const isOver = isPhone || pane === 'none' || (pane === 'right' && !hasRoom)
  const keep = (search: Record<string, unknown>) => search
  const back = () => void navigate({ to: '/webmail/$place', params: { place }, search: keep, replace: !isOver })
  const open = (id: string) =>
    void navigate({ to: '/webmail/$place/$messageId', params: { place, messageId: id }, search: keep, replace: true })
  const wayTo = (id: string | undefined) => (id === undefined ? undefined : () => open(id))
  const next = older ?? newer
  return {
    newer: wayTo(newer),
    older: wayTo(older),
    back,
    goOn: isOver || next === undefined ? back : () => open(next),
    isOver,
  }
}

// Holding a key to run through a list does not read the messages passed
const REST_MS = 400

/** Prefetches the next message for reading on. */
const usePrefetched = (id: string | undefined): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => void queryClient.prefetchQuery(messageQuery(id)), REST_MS)
    return () => clearTimeout(timer)
  }, [queryClient, id])
}
