import type { LiveStatus } from '@stoa/cms-client/live.ts'
import type { PresentPerson, RealtimeTicket } from '@stoa/cms-model/realtime.ts'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { hasUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { api, sendSignedIn } from '../api.ts'
import { meQuery } from '../queries.ts'
import { typesQuery } from '../types/queries.ts'
import type { Listener, LiveSocket } from './live-socket.ts'
import { firstPosition } from './position.ts'
import { createRefresher, keysOf, type Refresher } from './refresh.ts'
import { frameTopics } from './topics.ts'

/**
 * One socket for everything below it: what changes elsewhere is read again by itself. Around the screens of a signed-in
 * person.
 */
export const LiveProvider = ({ children }: { children: ReactNode }) => {
  const queryClient = useQueryClient()
  const [refresher] = useState(() => createRefresher(queryClient, document.hidden))
  const socket = useLiveSocket(refresher)
  useEffect(() => {
    if (!socket) return
    const look = () => {
      refresher.setHidden(document.hidden)
      if (!document.hidden) socket.wake()
    }
    socket.start()
    window.addEventListener('online', socket.wake)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('online', socket.wake)
      document.removeEventListener('visibilitychange', look)
      socket.stop()
      refresher.stop()
    }
  }, [socket, refresher])
  return (
    <LiveSocketContext value={socket}>
      <FrameTopics />
      {children}
      <LostNotice />
    </LiveSocketContext>
  )
}

/**
 * Subscribes to `site`, `content:<type>` or `entry:<id>`; without a topic nothing. On an entry's topic others see
 * that one is there.
 */
export const useLive = (topic: string | null | undefined, onEvent?: Listener): void => {
  const socket = use(LiveSocketContext)
  const receive = useEffectEvent((...args: Parameters<Listener>) => onEvent?.(...args))
  useEffect(() => (topic ? socket?.listen(topic, (event) => receive(event)) : undefined), [socket, topic])
}

/** The others who have the entry open, oneself left out; nobody for an entry that is not stored yet. */
export const usePresence = (entry: { id: string; type: string } | null | undefined): readonly PresentPerson[] => {
  const socket = use(LiveSocketContext)
  const { data: me } = useSuspenseQuery(meQuery)
  const topic = entry && entry.id !== 'new' ? `entry:${entry.id}` : ''
  useLive(entry && `content:${entry.type}`)
  useLive(topic)
  const people = useSyncExternalStore(socket?.watch ?? watchNothing, () => socket?.people(topic) ?? NOBODY)
  return useMemo(() => people.filter(({ id }) => id !== me.id), [people, me.id])
}

/** The id under which others see this socket at the entry; null while they do not. */
export const useSeat = (entryId: string | undefined): string | null => {
  const socket = use(LiveSocketContext)
  return useSyncExternalStore(socket?.watch ?? watchNothing, () => socket?.seat(`entry:${entryId}`) ?? null)
}

/** Whether events are received now: `open`. In any other state they are read after the next connection. */
const useLiveStatus = (): LiveStatus => {
  const socket = use(LiveSocketContext)
  return useSyncExternalStore(socket?.watch ?? watchNothing, () => socket?.status() ?? 'closed')
}

const LiveSocketContext = createContext<LiveSocket | null>(null)

/** Its code comes after the first screen. Without it screens still read anew when they are gone back to. */
const useLiveSocket = (refresher: Refresher): LiveSocket | null => {
  const [socket, setSocket] = useState<LiveSocket | null>(null)
  useEffect(() => {
    let isOver = false
    const make = ({ createLiveSocket }: typeof import('./live-socket.ts')) => {
      if (isOver) return
      const address = `${location.origin.replace(/^http/, 'ws')}/realtime`
      setSocket(
        createLiveSocket({
          address,
          ticket: takeTicket,
          onEvent: (event) => refresher.add(keysOf(event)),
          since: firstPosition(),
          onMissed: refresher.addAll,
        }),
      )
    }
    import('./live-socket.ts').then(make, () => undefined)
    return () => {
      isOver = true
    }
  }, [refresher])
  return socket
}

const NOBODY: readonly PresentPerson[] = []
const watchNothing = () => () => undefined

/** Each topic by itself: only those that come or go are sent to the server. */
const FrameTopics = () => {
  const { pathname } = useLocation()
  const { data: types } = useQuery(typesQuery)
  const names = types?.items.map(({ name }) => name) ?? []
  return frameTopics(pathname, names).map((topic) => <Topic key={topic} topic={topic} />)
}

const Topic = ({ topic }: { topic: string }) => {
  useLive(topic)
  return null
}

/** Shorter interruptions are nobody's business. */
const LONG_LOST_MS = 6_000

/** Says that what others do is not shown at the moment. */
const LostNotice = () => {
  const status = useLiveStatus()
  const [isShown, setShown] = useState(false)
  const isLost = status === 'waiting' || status === 'connecting'
  useEffect(() => {
    if (!isLost) return
    const timer = setTimeout(() => setShown(true), LONG_LOST_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isLost])
  if (!isShown) return null
  return (
    <p
      role="status"
      className="layer-sticky pointer-events-none fixed right-4 bottom-4 left-4 flex desk:right-auto desk:left-[calc(var(--container-sidebar)+var(--spacing)*4)] items-center gap-2 rounded-lg border border-socket bg-raised px-3 py-2 text-muted text-sm shadow-md"
    >
      <Spinner /> You're offline. Other people's changes will show up when you're back.
    </p>
  )
}

/** An ended session leads to the sign-in, but not away from what is typed and not saved: the next save says it. */
const takeTicket = async (): Promise<string> => {
  const take = hasUnsavedChanges() ? api.realtimeTicket : sendTicket
  return (await take()).ticket
}

const sendTicket = () => sendSignedIn<RealtimeTicket>('POST', '/api/realtime/ticket')
