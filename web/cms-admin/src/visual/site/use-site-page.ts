import { withVisualToken } from '@stoa/cms-model/preview.ts'
import type { VisualPage } from '@stoa/cms-model/visual.ts'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { previewEntry } from '../../entries/queries.ts'
import { fetchPage, isEndedLink, isSameOrigin, readPage } from '../queries.ts'
import type { Values } from './drafts.ts'
import type { ValuesBySource } from './part-texts.ts'
import { readSitePage } from './queries.ts'
import { entryChanges } from './sources.ts'

/** The delay between the last change and the next rendering. */
const PAUSE_MS = 700

/** The entry whose draft the page shows, with what is not saved of it. */
type Previewed = { entryId: string; changes: Values }

type Wanted = {
  website: WebsiteState
  /** The address of the page that shows the parts; null when the website names none. */
  address: string | null
  previewed: Previewed | null
  /** Another number is another page: something was saved. */
  saves: number
  /** The saved values, which the website renders. */
  saved: () => ValuesBySource
}

export type SitePage = {
  page: VisualPage | null
  /** The saved values at the time of rendering. */
  rendered: ValuesBySource
  problem: string | null
  isLoading: boolean
  /** The draft of the entry cannot be seen: its type has no page, and the website is elsewhere. */
  isDraftHidden: boolean
  reload: () => void
}

type Shown = { key: string; asked: number; page: VisualPage; rendered: ValuesBySource; isDraftHidden: boolean }

/** The page on which parts are edited, with its parts marked; one request at a time, and the latest wins. */
export const useSitePage = ({ website, address, previewed, saves, saved }: Wanted): SitePage => {
  const [shown, setShown] = useState<Shown | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isLoading, setIsLoading] = useState(false)
  const [asked, setAsked] = useState(0)
  const tokens = useRef(new Map<string, string>())
  const key = JSON.stringify([address, previewed, saves])
  const isShown = shown?.key === key && shown.asked === asked
  const isPatient = shown !== null && shown.asked === asked
  const read = useEffectEvent(async (signal: AbortSignal) => {
    if (address === null) return
    setIsLoading(true)
    const rendered = saved()
    try {
      const found = await readMarked(address, { website, previewed, tokens: tokens.current, signal })
      if (signal.aborted) return
      setShown({ key, asked, rendered, ...found })
      setProblem(null)
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error))
    } finally {
      if (!signal.aborted) setIsLoading(false)
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another page
  useEffect(() => {
    if (isShown) return
    const stop = new AbortController()
    const timer = setTimeout(() => void read(stop.signal), isPatient ? PAUSE_MS : 0)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, isShown, isPatient, asked])
  return {
    page: shown?.page ?? null,
    rendered: shown?.rendered ?? NOTHING,
    problem: address === null ? "The website doesn't declare a page for editing its parts." : problem,
    isLoading,
    isDraftHidden: shown?.isDraftHidden ?? false,
    reload: () => setAsked((count) => count + 1),
  }
}

const NOTHING: ValuesBySource = {}

type Reading = {
  website: WebsiteState
  previewed: Previewed | null
  tokens: Map<string, string>
  signal: AbortSignal
}

const readMarked = async (address: string, reading: Reading): Promise<Pick<Shown, 'page' | 'isDraftHidden'>> => {
  const { website, previewed, signal } = reading
  const draft = previewed === null ? null : await readDraft(address, previewed, reading)
  const { html, url } = draft ?? (await readSitePage(address, signal))
  const { renderParts } = await import('@stoa/visual/render.ts')
  return { page: { html: renderParts(html, website), url }, isDraftHidden: previewed !== null && draft === null }
}

/** The page as a preview link of the entry shows it; null where there is no such page. */
const readDraft = async (address: string, previewed: Previewed, reading: Reading): Promise<VisualPage | null> => {
  const { tokens, signal } = reading
  const { entryId, changes } = previewed
  const replaces = tokens.get(entryId)
  const { token, siteUrl } = await previewEntry(entryId, {
    ...entryChanges(changes),
    ...(replaces === undefined ? {} : { replaces }),
  })
  tokens.set(entryId, token)
  try {
    if (siteUrl !== null) return await readPage({ entryId, token, siteUrl }, signal)
    return isSameOrigin(address) ? await fetchPage(withVisualToken(address, token), signal) : null
  } catch (error) {
    if (replaces === undefined || !isEndedLink(error)) throw error
    tokens.delete(entryId)
    return readDraft(address, previewed, reading)
  }
}
