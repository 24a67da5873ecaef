import { compose } from '../compose/compose.ts'
import type { ListHandle } from './message-list.tsx'
import type { MailList } from './use-mail-list.ts'

type Input = {
  list: MailList
  openId: string | undefined
  onOpen: (id: string | undefined, options?: { replace?: boolean }) => void
  handle: { current: ListHandle | null }
}

export type ListSteps = {
  step: (by: 1 | -1) => void
  /** To the first or the last row. */
  jump: (to: 'first' | 'last') => void
  openCursor: () => void
  chooseCursor: () => void
  choosePage: (isChosen: boolean) => void
}

/** Steps of the keys through a list. While a message is open, its neighbor is opened. */
export const useListSteps = ({ list, openId, onOpen, handle }: Input): ListSteps => {
  const { pages, cursor, chosen, openIndex } = list
  const total = pages.total ?? 0
  const at = openId === undefined ? cursor : (openIndex ?? cursor)
  // When reading removed the open row from the list, the next row has its index already
  const isGone = openId !== undefined && openIndex === undefined
  const stepFrom = (from: number, by: 1 | -1) => (from === -1 ? 0 : isGone && by === 1 ? from : from + by)
  const goTo = (index: number) => {
    list.setCursor(index)
    handle.current?.reveal(index)
  }
  return {
    step: (by) => {
      if (total === 0) return
      const index = Math.min(total - 1, Math.max(0, stepFrom(at, by)))
      goTo(index)
      const item = pages.at(index)
      // Its history is that of the message which was opened first
      if (openId !== undefined && item && index !== openIndex) onOpen(item.id, { replace: true })
    },
    jump: (to) => {
      if (total > 0) goTo(to === 'first' ? 0 : total - 1)
    },
    openCursor: () => {
      const item = pages.at(cursor)
      if (!item) return
      if (item.flags.draft) compose({ kind: 'draft', id: item.id })
      else onOpen(item.id)
    },
    chooseCursor: () => {
      const item = pages.at(at)
      if (item) chosen.set([item], !chosen.has(pages.keyOf(item)))
    },
    choosePage: (isChosen) => (isChosen ? chosen.set(pages.inSight(), true) : chosen.clear()),
  }
}
