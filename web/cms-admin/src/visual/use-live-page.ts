import type { VisualPage } from '@stoa/cms-model/visual.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useEffect, useRef, useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { previewEntry } from '../entries/queries.ts'
import { unsavedMembers } from '../entries/session/session-state.ts'
import { changesOf, type Values } from '../entries/session/values.ts'
import { isEndedLink, readPage } from './queries.ts'

/** The delay between the last change and the next rendering. */
const PAUSE_MS = 700

export type LivePage = {
  page: VisualPage | null
  /** Why there is no newer page. */
  problem: string | null
  isLoading: boolean
  reload: () => void
}

/**
 * The real page of the entry with what is not saved yet, rendered again while someone types: one request at a time, and
 * the latest wins. `isHeld`: a person types in the page itself, which must not be taken away.
 */
export const useLivePage = (isHeld: boolean): LivePage => {
  const { session, state } = useEditor()
  const [shown, setShown] = useState<{ page: VisualPage; values: Values; asked: number } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isLoading, setIsLoading] = useState(false)
  const [asked, setAsked] = useState(0)
  const token = useRef<string>(undefined)
  const entryId = state.entry?.id
  const { values } = state
  const isShown = shown !== null && shown.values === values && shown.asked === asked
  const isPatient = shown !== null && shown.asked === asked
  useEffect(() => {
    if (entryId === undefined || isHeld || isShown) return
    const stop = new AbortController()
    const load = async () => {
      setIsLoading(true)
      try {
        const page = await renderedPage(entryId, { session, token, signal: stop.signal })
        if (stop.signal.aborted) return
        setShown({ page, values, asked })
        setProblem(null)
      } catch (error) {
        if (!stop.signal.aborted) setProblem(messageOf(error))
      } finally {
        if (!stop.signal.aborted) setIsLoading(false)
      }
    }
    const timer = setTimeout(() => void load(), isPatient ? PAUSE_MS : 0)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [session, entryId, values, isHeld, isShown, isPatient, asked])
  return { page: shown?.page ?? null, problem, isLoading, reload: () => setAsked((count) => count + 1) }
}

type Rendering = {
  session: ReturnType<typeof useEditor>['session']
  token: { current: string | undefined }
  signal: AbortSignal
}

/** A link that ended, because the service started anew or others needed its place, is made once more. */
const renderedPage = async (entryId: string, { session, token, signal }: Rendering): Promise<VisualPage> => {
  try {
    return await readPage(await link(entryId, session, token), signal)
  } catch (error) {
    if (!isEndedLink(error)) throw error
    token.current = undefined
    return readPage(await link(entryId, session, token), signal)
  }
}

const link = async (entryId: string, session: Rendering['session'], token: Rendering['token']) => {
  const state = session.state()
  const changes = changesOf(state.values, unsavedMembers(state))
  const replaces = token.current === undefined ? {} : { replaces: token.current }
  const made = await previewEntry(entryId, { ...changes, ...replaces })
  token.current = made.token
  if (made.siteUrl === null) throw new ProblemError('The content type has no preview URL.')
  return { entryId, token: made.token, siteUrl: made.siteUrl }
}
