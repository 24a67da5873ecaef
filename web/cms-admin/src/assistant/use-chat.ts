import type { Proposal, TurnEvents } from '@stoa/cms-model/assistant.ts'
import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import {
  aiKey,
  conversationsQuery,
  openProposalsQuery,
  readConversation,
  startConversation,
  stopConversation,
} from './queries.ts'
import { type Conversing, createConversing, type State } from './turn/conversing.ts'
import { followTurn } from './turn/stream.ts'

type Listener = (to: TurnEvents['navigate']) => void

/** One for the person of this page: it goes on while the panel is closed. */
let current: { person: string; conversing: Conversing } | undefined
/** The panel that is open moves the admin; a closed one leaves people where they are. */
let onNavigate: Listener = () => undefined

const storedKey = (person: string): string => `cms:assistant:${person}`

/** A tab that nobody looks at draws no frames. */
const onFrame = (run: () => void): void => {
  if (document.hidden) setTimeout(run, 100)
  else requestAnimationFrame(run)
}

const conversingOf = (person: string, queryClient: QueryClient): Conversing => {
  if (current?.person === person) return current.conversing
  const conversing = createConversing({
    requests: {
      start: startConversation,
      read: readConversation,
      stop: stopConversation,
      follow: followTurn,
    },
    onFrame,
    onEvent: ({ event, data }) => {
      if (event === 'navigate') onNavigate(data)
    },
    onEnded: () => {
      // Which proposals were replaced, and whether a secret was removed
      if (conversing.state().line !== 'lost') void conversing.refresh()
      void queryClient.invalidateQueries({ queryKey: conversationsQuery.queryKey })
      void queryClient.invalidateQueries({ queryKey: openProposalsQuery.queryKey })
      void queryClient.invalidateQueries({ queryKey: [...aiKey, 'usage'] })
    },
  })
  const last = readStored(storedKey(person))
  let stored: unknown = last
  conversing.subscribe(() => {
    const id = conversing.state().id ?? undefined
    if (id !== stored) writeStored(storedKey(person), id)
    stored = id
  })
  if (typeof last === 'string') void conversing.open(last)
  current = { person, conversing }
  return conversing
}

/** The conversation that is open, where it was left last. */
export const useChat = (person: string, navigate: Listener): { state: State; conversing: Conversing } => {
  const queryClient = useQueryClient()
  const conversing = conversingOf(person, queryClient)
  const state = useSyncExternalStore(conversing.subscribe, conversing.state)
  const go = useEffectEvent(navigate)
  useEffect(() => {
    onNavigate = (to) => go(to)
    const pickUp = () => {
      if (conversing.state().line === 'lost') void conversing.refresh()
    }
    window.addEventListener('online', pickUp)
    return () => {
      window.removeEventListener('online', pickUp)
      onNavigate = () => undefined
    }
  }, [conversing])
  return { state, conversing }
}

export const proposalKey = (id: string) => ['assistant', 'proposal', id] as const

/** Proposals already put into the cache: they must not overwrite newer ones. */
const taken = new WeakSet<Proposal>()

/** Keeps what lists and events say about proposals, for their cards. */
export const useKeepProposals = (proposals: readonly Proposal[] | undefined): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    for (const proposal of proposals ?? []) {
      if (taken.has(proposal)) continue
      taken.add(proposal)
      queryClient.setQueryData(proposalKey(proposal.id), proposal)
    }
  }, [queryClient, proposals])
}
