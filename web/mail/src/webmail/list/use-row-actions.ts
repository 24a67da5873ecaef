import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { compose } from '../compose/compose.ts'
import { placePath } from '../places.ts'
import { MESSAGES_PER_PAGE, messagesQuery } from '../queries.ts'
import { readIds } from './action-rows.ts'
import { pagesBetween } from './anchor.ts'
import { startDrag } from './drag.ts'
import type { RowActions } from './message-row.tsx'
import type { MailList } from './use-mail-list.ts'

/** The limit of one action, and therefore of one range. */
const MAX_RANGE = 500

type Input = { list: MailList; onOpen: (id: string | undefined) => void }

/** Callbacks of rows: one object for as long as the address stays, so that rows render only when they change. */
export const useRowActions = ({ list, onOpen }: Input): RowActions => {
  const { searchStr } = useLocation()
  const { placeWord } = list
  const latest = useLatestActions({ list, onOpen })
  return useMemo(
    () => ({
      hrefOf: (id) => placePath(placeWord, id) + searchStr,
      open: (...given) => latest.current?.open(...given),
      choose: (...given) => latest.current?.choose(...given),
      flag: (item) => latest.current?.flag(item),
      drag: (...given) => latest.current?.drag(...given),
      point: (index) => latest.current?.point(index),
    }),
    [latest, placeWord, searchStr],
  )
}

const useLatestActions = ({ list, onOpen }: Input) => {
  const queryClient = useQueryClient()
  const actions = useMessageActions()
  const anchor = useRef<number>(undefined)
  const rowsBetween = async (first: number, last: number): Promise<readonly MessageItem[]> => {
    const pages = pagesBetween(first, last, MESSAGES_PER_PAGE)
    const lists = await Promise.all(pages.map((page) => queryClient.ensureQueryData(messagesQuery(list.filter, page))))
    const start = ((pages[0] ?? 1) - 1) * MESSAGES_PER_PAGE
    return lists.flatMap(({ data }) => data).slice(first - start, last - start + 1)
  }
  const choose = async (item: MessageItem, index: number, isRange: boolean) => {
    const { chosen } = list
    const from = isRange ? anchor.current : undefined
    anchor.current = index
    list.setCursor(index)
    // When everything is chosen, deselecting one row keeps the visible rows chosen
    if (chosen.isAll) {
      const inSight = list.pages.inSight()
      chosen.set(inSight, true)
      return chosen.set([item], false)
    }
    const isChosen = !chosen.has(list.pages.keyOf(item))
    if (from === undefined || Math.abs(from - index) >= MAX_RANGE) return chosen.set([item], isChosen)
    chosen.set(await rowsBetween(Math.min(from, index), Math.max(from, index)), isChosen)
  }
  const latest = useRef<Omit<RowActions, 'hrefOf'>>(undefined)
  useLayoutEffect(() => {
    latest.current = {
      open: (item, index) => {
        anchor.current = index
        list.setCursor(index)
        // A draft is written on, not read
        if (item.flags.draft) compose({ kind: 'draft', id: item.id })
        else onOpen(item.id)
      },
      choose: (...given) => void choose(...given),
      flag: (item) => void actions.flag({ ids: [item.id] }, !item.flags.flagged),
      drag: (item, event) => {
        const rows = list.chosen.rows.has(list.pages.keyOf(item)) ? [...list.chosen.rows.values()] : [item]
        startDrag(event, { count: rows.length, ids: () => readIds(queryClient, rows, 'folder') })
      },
      point: (index) => {
        if (index !== list.cursor) list.setCursor(index)
      },
    }
  })
  return latest
}
