import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import { MESSAGES_PER_PAGE } from '../queries.ts'
import { markedWords } from '../search/highlight.ts'
import { pagesBetween, type Sight, shiftOf } from './anchor.ts'
import { dayHeaders } from './day-headers.ts'
import { RowSkeleton } from './list-skeleton.tsx'
import { MessageRow, type RowActions } from './message-row.tsx'
import type { Density, RowLayout } from './row-size.ts'
import { type Swipe, swipesOf } from './swipe.ts'
import { SwipeRow } from './swipe-row.tsx'
import type { MailList } from './use-mail-list.ts'

/** The interface of the list for keyboard shortcuts. */
export type ListHandle = {
  /** Brings a row into sight; its link takes the focus if the list may have it. */
  reveal: (index: number) => void
}

type MessageListProps = {
  list: MailList
  total: number
  layout: RowLayout
  density: Density
  rowHeight: number
  /** The height of the day headings; 0 without headings. */
  headerHeight: number
  /** Room below the last row, for what hovers there. */
  paddingEnd: number
  label: string
  isOwn: boolean
  /** Names of folders by their ids, where rows show them. */
  folders: ReadonlyMap<string, string> | undefined
  actions: RowActions
  /** For fingers: what is done to a row that is pushed aside. */
  onSwipe: (item: MessageItem, swipe: Swipe) => void
  /** Steps of the arrow keys while the list has the focus. */
  onStep: (by: 1 | -1) => void
  onJump: (to: 'first' | 'last') => void
  handle: Ref<ListHandle>
}

const OVERSCAN = 6
const DAY_MS = 86_400_000

/** Rows of a list of any length: only those in sight are there. */
export const MessageList = (props: MessageListProps) => {
  const { list, total, layout, density, rowHeight, headerHeight, paddingEnd, label, isOwn, folders } = props
  const { actions, onSwipe, onStep, onJump, handle } = props
  const { pages, chosen, cursor, listKey, see } = list
  const today = Math.floor(Date.now() / DAY_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new day has other headings
  const headers = useMemo(
    () => (headerHeight === 0 ? NO_HEADERS : dayHeaders(pages.placed(), new Date())),
    [headerHeight, pages, today],
  )
  const marks = useMemo(() => markedWords(list.q), [list.q])
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight + (headers.has(index) ? headerHeight : 0),
    overscan: OVERSCAN,
    paddingEnd,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured again
  useLayoutEffect(() => rows.measure(), [rows, rowHeight, headers])
  const shown = rows.getVirtualItems()
  const wanted = pagesBetween(shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0, MESSAGES_PER_PAGE).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: called again only when other pages come into view
  useEffect(() => see(wanted.split(',').map(Number)), [wanted, listKey])
  useSteadySight(scroller, {
    list,
    rowHeight,
    startOf: (index) => rows.measurementsCache[index]?.start ?? index * rowHeight,
  })
  const focusing = useFocusRow(scroller, { cursor, id: pages.at(cursor)?.id })
  useImperativeHandle(handle, () => ({
    reveal: (index) => {
      rows.scrollToIndex(index, { align: 'auto' })
      focusing.ask(pages.at(index)?.id ?? index)
    },
  }))
  const isTouch = useMediaQuery('(pointer: coarse)')
  const swipes = swipesOf(list.place)
  const tabStop = cursor === -1 ? 0 : cursor
  return (
    <div
      ref={scroller}
      data-message-list
      // The router puts lists back where they were: each one of them only itself
      data-scroll-restoration-id={`list-${encodeURIComponent(list.placeWord)}`}
      aria-busy={pages.isFetching || list.isWaiting}
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain bg-surface [overflow-anchor:none]"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows are placed by hand, and most of them are not there */}
      <div
        role="list"
        aria-label={label}
        className="relative w-full"
        style={{ height: rows.getTotalSize() }}
        onKeyDown={(event) => onArrow(event, onStep, onJump)}
      >
        {shown.map(({ index, start }) => {
          const item = pages.at(index)
          const heading = headers.get(index)
          const row = item && (
            <MessageRow
              item={item}
              index={index}
              total={total}
              layout={layout}
              density={density}
              marks={marks}
              isChoosing={chosen.isAll || chosen.rows.size > 0}
              isOwn={isOwn}
              folder={folders?.get(item.folder_id)}
              label={list.place.kind === 'label' ? list.place.label : undefined}
              isOpen={index === list.openIndex}
              isCursor={index === cursor}
              isTabStop={index === tabStop}
              isChosen={chosen.has(pages.keyOf(item))}
              today={today}
              actions={actions}
            />
          )
          return (
            <div
              key={item ? pages.keyOf(item) : `slot-${index}`}
              className="absolute inset-x-0 top-0"
              style={{
                height: rowHeight + (heading === undefined ? 0 : headerHeight),
                transform: `translateY(${start}px)`,
              }}
            >
              {heading === undefined ? null : <DayHeading height={headerHeight}>{heading}</DayHeading>}
              <div style={{ height: rowHeight }}>
                {item && isTouch ? (
                  <SwipeRow swipes={swipes} onSwipe={(swipe) => onSwipe(item, swipe)}>
                    {row}
                  </SwipeRow>
                ) : item ? (
                  row
                ) : (
                  <RowSkeleton layout={layout} />
                )}
              </div>
            </div>
          )
        })}
      </div>
    </div>
  )
}

const NO_HEADERS: ReadonlyMap<number, string> = new Map()

/** Rows contain their dates: screen readers skip this. */
const DayHeading = ({ height, children }: { height: number; children: string }) => (
  <div
    aria-hidden
    style={{ height }}
    className="flex items-end border-line border-b bg-surface px-3 pb-1 font-medium text-2xs text-muted"
  >
    {children}
  </div>
)

const onArrow = (
  event: KeyboardEvent,
  onStep: MessageListProps['onStep'],
  onJump: MessageListProps['onJump'],
): void => {
  if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') onStep(event.key === 'ArrowDown' ? 1 : -1)
  else if (event.key === 'Home' || event.key === 'End') onJump(event.key === 'Home' ? 'first' : 'last')
  else return
  event.preventDefault()
}

type Steady = { list: MailList; rowHeight: number; startOf: (index: number) => number }

/** Keeps the visible rows in place when rows or headings appear or vanish above them; another list starts at its top. */
const useSteadySight = (scroller: { current: HTMLDivElement | null }, { list, rowHeight, startOf }: Steady): void => {
  const last = useRef<{ listKey: string; sight: Sight; start: number }>(undefined)
  const { pages, listKey } = list
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (last.current && last.current.listKey !== listKey) element.scrollTop = 0
    // At the top, new mail is meant to be seen
    else if (last.current && element.scrollTop > rowHeight / 2) {
      const { sight, start } = last.current
      const moved = startOf(sight.first + shiftOf(sight, pages.indexOf)) - start
      if (moved !== 0) element.scrollTop += moved
    }
    const first = firstInSight(element.scrollTop, startOf, rowHeight)
    const count = Math.ceil(element.clientHeight / rowHeight)
    const keys = Array.from({ length: count }, (_, offset) => {
      const item = pages.at(first + offset)
      return item && pages.keyOf(item)
    })
    last.current = { listKey, sight: { first, keys }, start: startOf(first) }
  })
}

/** Headings only push rows down: the row is at this place or a little before. */
const firstInSight = (top: number, startOf: (index: number) => number, rowHeight: number): number => {
  let index = Math.floor(top / rowHeight)
  while (index > 0 && startOf(index) > top) index -= 1
  return index
}

/** A row that was asked for takes the focus as soon as it is there, unless somebody is busy elsewhere. */
const useFocusRow = (
  scroller: { current: HTMLDivElement | null },
  { cursor, id }: { cursor: number; id: string | undefined },
) => {
  // The row to focus: its index until it is loaded, then its id. Both are compared, as the effect may be of an earlier render
  const asked = useRef<string | number>(undefined)
  useEffect(() => {
    if (id === undefined || (asked.current !== id && asked.current !== cursor)) return
    const link = scroller.current?.querySelector<HTMLElement>(`[data-row="${id}"] a`)
    if (!link) return
    asked.current = undefined
    const focused = document.activeElement
    const isFree =
      !focused || focused === document.body || scroller.current?.contains(focused) || focused.id === 'content'
    if (isFree) link.focus({ preventScroll: true })
  })
  return {
    ask: (row: string | number) => {
      asked.current = row
    },
  }
}
