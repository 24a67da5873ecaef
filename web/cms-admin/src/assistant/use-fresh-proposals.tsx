import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLive } from '../realtime/live.tsx'
import { frameTopics } from '../realtime/topics.ts'
import { typesQuery } from '../types/queries.ts'
import { openProposalsQuery } from './queries.ts'

/** A save makes several events: they are one reading. */
const PAUSE_MS = 400

/** Reads open proposals again when something changes, so that nobody applies what is out of date. To be rendered. */
export const useFreshProposals = (): ReactNode => {
  const queryClient = useQueryClient()
  const { pathname } = useLocation()
  const { data: types } = useQuery(typesQuery)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const read = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: openProposalsQuery.queryKey }),
      PAUSE_MS,
    )
  }
  const names = types?.items.map(({ name }) => name) ?? []
  return frameTopics(pathname, names).map((topic) => <Subscription key={topic} topic={topic} onEvent={read} />)
}

const Subscription = ({ topic, onEvent }: { topic: string; onEvent: () => void }) => {
  useLive(topic, onEvent)
  return null
}
