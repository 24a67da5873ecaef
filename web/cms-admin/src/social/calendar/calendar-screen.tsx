import { DndContext, type DragEndEvent, DragOverlay, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { may } from '../../allowed.tsx'
import { meQuery } from '../../queries.ts'
import { CALENDAR_PATH } from '../paths.ts'
import { nameOfPost, networksOf } from '../posts/post-text.ts'
import { ScheduleDialog } from '../posts/schedule-dialog.tsx'
import { usePostActions } from '../posts/use-post-actions.ts'
import { calendarQuery, draftsQuery, useSiteZone } from '../queries.ts'
import { SocialFrame } from '../social-frame.tsx'
import type { CalendarItem, SocialPost } from '../wire.ts'
import { CalendarFilters } from './calendar-filters.tsx'
import { byDay, type Day, dayIn, daysOf, firstDayHere, isDay, stepFrom, titleOf, type View, views } from './days.ts'
import { DraftsTray } from './drafts-tray.tsx'
import { type CalendarFilter, matches } from './filters.ts'
import { movedBy, movedTo, offeredTime, PAST_DAY } from './move.ts'
import { useMove } from './use-move.ts'
import { ListView, MonthView, type ViewProps, WeekView } from './views.tsx'

const viewNames: Record<View, string> = { month: 'Month', week: 'Week', list: 'List' }
const viewOf = (text: string): View => views.find((view) => view === text) ?? 'month'

// A press that moves less is a click
const DRAG_DISTANCE = 6

/** When posts go out, and when they did. */
export const CalendarScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const url = useUrlState()
  const zone = useSiteZone()
  const today = dayIn(zone, new Date().toISOString())
  const view = viewOf(url.get('view'))
  const day = isDay(url.get('day')) ? url.get('day') : today
  const firstDay = firstDayHere(navigator.language)
  const days = useMemo(() => daysOf(view, day, firstDay), [view, day, firstDay])
  const range = { from: days[0] ?? day, days: days.length }
  const filter = filterOf(url.get)
  const calendar = useQuery(calendarQuery(range))
  const drafts = useQuery(draftsQuery)
  const move = useMove(range)
  const [asked, setAsked] = useState<{ draft: SocialPost; day: Day }>()
  const publishes = may(me, 'social.publish')
  const shownDrafts = (drafts.data?.items ?? []).filter((draft) =>
    matches({ ...draft, networks: networksOf(draft) }, { ...filter, status: '' }),
  )
  const dropDraft = (draft: SocialPost, on: Day) => {
    if (on >= today) return setAsked({ draft, day: on })
    toast({ tone: 'danger', title: "Posts can't be scheduled in the past", description: PAST_DAY, durationMs: 8000 })
  }
  const go = (next: Day) => url.set({ day: next === today ? '' : next })
  return (
    <SocialFrame current={CALENDAR_PATH}>
      <div className="flex min-w-0 flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <div className="flex items-center gap-1">
            <IconButton label="Earlier" icon={<ChevronLeft />} onClick={() => go(stepFrom(view, day, -1))} />
            <IconButton label="Later" icon={<ChevronRight />} onClick={() => go(stepFrom(view, day, 1))} />
            <Button size="sm" onClick={() => go(today)}>
              Today
            </Button>
          </div>
          <h2 aria-live="polite" className="font-semibold text-ink text-md">
            {titleOf(view, day, firstDay)}
          </h2>
          <span className="text-faint text-xs">{zone.replaceAll('_', ' ')}</span>
          <ViewSwitch view={view} onView={(next) => url.set({ view: next === 'month' ? '' : next })} />
        </div>
        <CalendarFilters filter={filter} onFilter={(changes) => url.set(changes)} />
        <Board
          isLoading={calendar.data === undefined && !calendar.error}
          error={calendar.data ? null : calendar.error}
          onRetry={() => void calendar.refetch()}
          view={view}
          drafts={shownDrafts}
          onDropDraft={publishes ? (draft, on) => dropDraft(draft, on) : undefined}
          onDropItem={(item, on) => void move(item, movedTo(item.at, on, zone))}
          grid={{
            days,
            items: byDay(
              (calendar.data?.items ?? []).filter((item) => matches(item, filter)),
              zone,
            ),
            day,
            today,
            zone,
            ...(publishes
              ? { onMoveBy: (item: CalendarItem, count: number) => void move(item, movedBy(item.at, count, zone)) }
              : {}),
          }}
        />
      </div>
      {asked ? <ScheduleDraft {...asked} zone={zone} onClose={() => setAsked(undefined)} /> : null}
    </SocialFrame>
  )
}

const filterOf = (get: (name: string) => string): CalendarFilter => ({
  network: get('network'),
  account: get('account'),
  status: get('status'),
  author: get('author'),
})

const ViewSwitch = ({ view, onView }: { view: View; onView: (view: View) => void }) => (
  <fieldset aria-label="View" className="ml-auto flex rounded-md border border-line bg-canvas p-0.5">
    {views.map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={one === view}
        onClick={() => onView(one)}
        className={cx(
          'h-7 rounded-sm px-2.5 font-medium text-xs transition-colors touch:h-9 touch:px-3.5',
          one === view ? 'bg-surface text-ink shadow-sm' : 'text-muted hover:text-ink',
        )}
      >
        {viewNames[one]}
      </button>
    ))}
  </fieldset>
)

/** The dragged post: from the calendar, or from the tray. */
type Dragged = { item?: CalendarItem; draft?: SocialPost }

type BoardProps = {
  view: View
  grid: ViewProps
  drafts: readonly SocialPost[]
  isLoading: boolean
  error: Error | null
  onRetry: () => void
  onDropDraft?: ((draft: SocialPost, day: Day) => void) | undefined
  onDropItem: (item: CalendarItem, day: Day) => void
}

const Board = ({ view, grid, drafts, isLoading, error, onRetry, onDropDraft, onDropItem }: BoardProps) => {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }))
  const [dragged, setDragged] = useState<string>()
  const drop = ({ active, over }: DragEndEvent) => {
    setDragged(undefined)
    if (!over) return
    const { item, draft }: Dragged = active.data.current ?? {}
    if (item) onDropItem(item, String(over.id))
    else if (draft) onDropDraft?.(draft, String(over.id))
  }
  const Shown = { month: MonthView, week: WeekView, list: ListView }[view]
  if (error)
    return (
      <Crash title="Couldn't load the calendar" onRetry={onRetry}>
        {messageOf(error)}
      </Crash>
    )
  return (
    <DndContext
      sensors={sensors}
      onDragStart={({ active }) => {
        const { item, draft }: Dragged = active.data.current ?? {}
        setDragged(nameOfPost(item ?? draft ?? { caption: '' }))
      }}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={drop}
    >
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[1fr_13rem]">
        {isLoading ? <Skeleton className="h-96 w-full rounded-xl" /> : <Shown {...grid} />}
        <DraftsTray
          drafts={drafts}
          {...(onDropDraft ? { onSchedule: (draft: SocialPost) => onDropDraft(draft, grid.today) } : {})}
        />
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged === undefined ? null : (
          <div className="max-w-48 cursor-grabbing truncate rounded-md border border-line-strong bg-raised px-2 py-1 text-ink text-xs shadow-md">
            {dragged}
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

type ScheduleDraftProps = { draft: SocialPost; day: Day; zone: string; onClose: () => void }

const ScheduleDraft = ({ draft, day, zone, onClose }: ScheduleDraftProps) => {
  const actions = usePostActions()
  return (
    <ScheduleDialog
      title={`Schedule “${nameOfPost(draft).slice(0, 60)}”`}
      initial={offeredTime(day, new Date(), zone)}
      onSchedule={async (at) => void (await actions.schedule(draft, at))}
      onClose={onClose}
    />
  )
}
