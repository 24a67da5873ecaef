import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { sendMailbox } from '../api.ts'
import { labelsQuery, mailboxQuery } from '../queries.ts'
import { ALL_PARTS } from './changes.ts'
import { noteEvent } from './last-event.ts'
import { applyEvents, readAgain } from './patch-cache.ts'
import { openSharedStream } from './shared-stream.ts'
import type { Stream, StreamState } from './stream.ts'

/** Several things happen at once when mail comes; screens are drawn anew for all of them together. */
const GATHER_MS = 250
/** While a transfer fills the mailbox, lists are asked for again no more often than this. */
const PAUSE_MS = 1500

type Live = { state: StreamState; retry: () => void }

/** Keeps what the webmail shows up to date while it is open. `onFolders` gets the folders that changed. */
export const useLiveMail = (onFolders: (ids: ReadonlySet<string>) => void): Live => {
  const queryClient = useQueryClient()
  const mailboxId = useQuery(mailboxQuery).data?.id
  const [state, setState] = useState<StreamState>('connecting')
  const stream = useRef<Stream>(null)
  const notifyFolders = useEffectEvent(onFolders)
  useEffect(() => {
    if (mailboxId === undefined) return
    const refresher = createRefresher(queryClient, (ids) => notifyFolders(ids))
    stream.current = openSharedStream(mailboxId, {
      onEvent: refresher.note,
      onState: setState,
      onMissed: refresher.everything,
      onRefused: () => void askWhetherSignedIn(queryClient),
    })
    const retry = () => stream.current?.retry()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      stream.current?.close()
      refresher.stop()
    }
  }, [queryClient, mailboxId])
  return { state, retry: () => stream.current?.retry() }
}

type Refresher = { note: (event: MailboxEvent) => void; everything: () => void; stop: () => void }

const createRefresher = (queryClient: QueryClient, onFolders: (ids: ReadonlySet<string>) => void): Refresher => {
  let waiting: MailboxEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const refresh = () => {
    timer = undefined
    last = Date.now()
    const events = waiting
    waiting = []
    applyEvents(queryClient, events)
    noteEvent()
    lookUpLater(queryClient)
    const folders = new Set(events.flatMap((event) => event.folders))
    if (folders.size > 0) onFolders(folders)
  }
  return {
    note: (event) => {
      waiting.push(event)
      // Complete events cost nothing; where lists have to be requested, so many at once wait for each other
      const pause = event.messages === null ? last + PAUSE_MS - Date.now() : 0
      timer ??= setTimeout(refresh, Math.max(GATHER_MS, pause))
    },
    everything: () => {
      readAgain(queryClient, ALL_PARTS)
      lookUpLater(queryClient)
    },
    stop: () => clearTimeout(timer),
  }
}

/** How much room is used, and which labels there are, is looked up when it is next shown: counting takes long. */
const lookUpLater = (queryClient: QueryClient): void => {
  for (const { queryKey } of [mailboxQuery, labelsQuery])
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

/** A refused stream does not say why; this request leads to the sign-in if the session has ended. */
const askWhetherSignedIn = async (queryClient: QueryClient): Promise<void> => {
  try {
    queryClient.setQueryData(mailboxQuery.queryKey, await sendMailbox('GET', '/api/mail/me'))
  } catch {
    // No answer either: the next attempt of the stream decides
  }
}
