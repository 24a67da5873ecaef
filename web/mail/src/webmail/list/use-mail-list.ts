import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Place, placeFilter } from '../places.ts'
import { type MessagesFilter, messageQuery, messagesQuery } from '../queries.ts'
import { type ListView, listFilter, readView } from './list-view.ts'
import { type Choosing, useChosen } from './use-chosen.ts'
import { type MessagePages, useMessagePages, usePagesInSight } from './use-message-pages.ts'

/** The list on the screen: what it is of, its rows, and which of them is where the keys are. */
export type MailList = {
  place: Place
  /** The word of the address. */
  placeWord: string
  q: string
  /** The filter of the place, before it is narrowed. */
  base: MessagesFilter
  view: ListView
  filter: MessagesFilter
  /** Changes when it is another list. */
  listKey: string
  /** Rows of the last search are shown until those of this one are there. */
  isWaiting: boolean
  pages: MessagePages
  chosen: Choosing
  /** The row of the open message, if it is here. */
  openIndex: number | undefined
  /** The row that keys are about; -1: none yet. */
  cursor: number
  setCursor: (index: number) => void
  /** Sets which pages are in view. */
  see: (pages: readonly number[]) => void
}

type ListInput = {
  place: Place
  placeWord: string
  settings: Pick<MailboxSettings, 'conversations'>
  openId: string | undefined
}

const FIRST_PAGE: readonly number[] = [1]

export const useMailList = ({ place, placeWord, settings, openId }: ListInput): MailList => {
  const url = useUrlState()
  const q = url.get('q')
  const view = readView(url.get, settings)
  const asked = listFilter(placeFilter(place, q), view)
  const { filter, isWaiting } = useShownFilter(asked, q !== '')
  const listKey = keyOf(filter)
  const [sight, setSight] = useState({ listKey, pages: FIRST_PAGE })
  const wanted = sight.listKey === listKey ? sight.pages : FIRST_PAGE
  const pages = useMessagePages(filter, usePagesInSight(filter, wanted))
  const chosen = useChosen(listKey, pages.keyOf)
  const { cursor, setCursor } = useCursor(listKey, pages)
  return {
    place,
    placeWord,
    q,
    base: placeFilter(place, q),
    view,
    filter,
    listKey,
    isWaiting,
    pages,
    chosen,
    openIndex: useOpenIndex(pages, openId),
    cursor,
    setCursor,
    see: (next) => setSight((before) => (isSame(before, { listKey, pages: next }) ? before : { listKey, pages: next })),
  }
}

const keyOf = (filter: MessagesFilter): string => JSON.stringify(filter)

type Seen = { listKey: string; pages: readonly number[] }

const isSame = (a: Seen, b: Seen): boolean => a.listKey === b.listKey && a.pages.join() === b.pages.join()

/** While somebody types a search, what was found before stays until there is more to show than gray lines. */
const useShownFilter = (asked: MessagesFilter, keepsLast: boolean): { filter: MessagesFilter; isWaiting: boolean } => {
  const key = keyOf(asked)
  const wanted = useMemo((): MessagesFilter => JSON.parse(key), [key])
  const [shown, setShown] = useState(wanted)
  const first = useQuery(messagesQuery(wanted, 1))
  const isReady = !keepsLast || first.data !== undefined || first.error !== null
  if (shown !== wanted && isReady) setShown(wanted)
  return isReady ? { filter: wanted, isWaiting: false } : { filter: shown, isWaiting: true }
}

/** Another message of a conversation may have come to its top since it was opened. */
const useOpenIndex = (pages: MessagePages, openId = ''): number | undefined => {
  // Fetched by the component that shows it
  const { data } = useQuery({ ...messageQuery(openId), enabled: false })
  return pages.indexOf(openId) ?? (data && pages.indexOf(pages.keyOf(data)))
}

type Cursor = { listKey: string; key: string | undefined; index: number }

/** Follows its row when rows come and go; when that one goes, it is at the row that takes its place. */
const useCursor = (listKey: string, pages: MessagePages) => {
  const [cursor, setState] = useState<Cursor>({ listKey, key: undefined, index: -1 })
  const here = cursor.listKey === listKey ? cursor : { listKey, key: undefined, index: -1 }
  const found = here.key === undefined ? undefined : pages.indexOf(here.key)
  const index = Math.min(found ?? here.index, (pages.total ?? 0) - 1)
  const keyAt = (place: number) => {
    const item = pages.at(place)
    return item && pages.keyOf(item)
  }
  const key = keyAt(index)
  const hasMoved = index !== here.index || (key !== undefined && key !== here.key)
  if (here.index !== -1 && hasMoved && pages.total !== undefined) setState({ listKey, key: key ?? here.key, index })
  return {
    cursor: index,
    setCursor: (next: number) => setState({ listKey, key: keyAt(next), index: next }),
  }
}
