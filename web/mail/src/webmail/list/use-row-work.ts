import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { Target } from '../actions/target.ts'
import { type MessageActions, useMessageActions } from '../actions/use-message-actions.ts'
import { messageQuery } from '../queries.ts'
import { type Reach, readIds } from './action-rows.ts'
import { actionFilter } from './list-view.ts'
import type { ChosenRow } from './use-chosen.ts'
import type { MailList } from './use-mail-list.ts'

export type RowWork = {
  /** The rows that a key is about: the chosen, else the open message, else the row where the keys are. */
  rows: () => readonly ChosenRow[]
  /** Does something to them, and goes on to the next message when the open one leaves the list by it. */
  run: (action: RowAction) => Promise<void>
  /** Like `run`, for these rows, whatever is chosen. */
  runOn: (rows: readonly ChosenRow[], action: RowAction) => Promise<void>
  /** The rows were moved away by a menu: they are not chosen any more, and one goes on to the next message. */
  leave: () => void
}

export type RowAction = {
  reach: Reach
  /** The messages leave the list by it. */
  isRemoval: boolean
  /** The name of the action in confirmations: "Archive". */
  label?: string
  perform: (actions: MessageActions, target: Target) => Promise<void>
}

type WorkInput = {
  list: MailList
  openId: string | undefined
  /** Opens another message instead of the open one; undefined: closes it. */
  onOpen: (id: string | undefined) => void
  /** Without a pane beside the list one goes back to it. */
  isBeside: boolean
}

/** Actions of keys and of the bar on rows of the list. */
export const useRowWork = ({ list, openId, onOpen, isBeside }: WorkInput): RowWork => {
  const queryClient = useQueryClient()
  const actions = useMessageActions()
  const { chosen, pages, cursor, openIndex } = list
  const rows = (): readonly ChosenRow[] => {
    // Read the current rows: a conversation may have grown since it was chosen
    if (chosen.rows.size > 0) return [...chosen.rows].map(([key, row]) => pages.at(pages.indexOf(key) ?? -1) ?? row)
    const row = pages.at(openId === undefined ? cursor : (openIndex ?? -1))
    if (row) return [row]
    const message = openId === undefined ? undefined : queryClient.getQueryData(messageQuery(openId).queryKey)
    return message ? [message] : []
  }
  const goOn = (about: readonly ChosenRow[]) => {
    const gone = new Set(about.map(pages.keyOf))
    const open = openIndex === undefined ? undefined : pages.at(openIndex)
    const isOpenGone = open ? gone.has(pages.keyOf(open)) : about.some(({ id }) => id === openId)
    chosen.forget([...gone])
    if (isOpenGone) onOpen(isBeside ? afterOpen(list, gone)?.id : undefined)
  }
  const run = async (action: RowAction) => {
    if (!chosen.isAll) return runOn(rows(), action)
    const total = pages.total ?? 0
    chosen.clear()
    return action.perform(actions, { query: actionFilter(list.base, list.view.narrow, chosen.before), total })
  }
  const runOn: RowWork['runOn'] = async (about, { reach, isRemoval, perform }) => {
    if (about.length === 0) return
    try {
      const ids = await readIds(queryClient, about, reach)
      if (isRemoval) goOn(about)
      await perform(actions, { ids })
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't update the messages", description: messageOf(error) })
    }
  }
  const leave = () => {
    goOn(rows())
    chosen.clear()
  }
  return { rows, run, runOn, leave }
}

/** The row that is read next when these go: the one below, else the one above. */
const afterOpen = ({ pages, openIndex: start }: MailList, gone: ReadonlySet<string>): MessageItem | undefined => {
  if (start === undefined) return undefined
  for (let index = start + 1; index < (pages.total ?? 0); index += 1) {
    const item = pages.at(index)
    if (!item) break
    if (!gone.has(pages.keyOf(item))) return item
  }
  for (let index = start - 1; index >= 0; index -= 1) {
    const item = pages.at(index)
    if (item && !gone.has(pages.keyOf(item))) return item
  }
  return undefined
}
