import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { compose } from '../compose/compose.ts'
import { catchKeys } from '../compose/type-ahead.ts'
import { messageQuery } from '../queries.ts'

export type WritingKind = 'reply' | 'reply-all' | 'forward'
export type Writing = (kind: WritingKind, messageId: string) => void

/** Answers a message or passes it on, below it, with all of it. */
export const useWriting = (): Writing => {
  const queryClient = useQueryClient()
  return useCallback(
    (kind, messageId) => {
      const start = async () => {
        try {
          catchKeys()
          compose({ kind, message: await queryClient.ensureQueryData(messageQuery(messageId)), isInline: true })
        } catch (error) {
          toast({ tone: 'danger', title: "Couldn't load the message", description: messageOf(error) })
        }
      }
      void start()
    },
    [queryClient],
  )
}
