import { useDraggable } from '@dnd-kit/core'
import { Button } from '@stoa/ui/button/button.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { CalendarPlus, FileText } from 'lucide-react'
import { NetworkMarks } from '../network-mark.tsx'
import { postPath } from '../paths.ts'
import { nameOfPost, networksOf } from '../posts/post-text.ts'
import { useLabels } from '../use-labels.ts'
import type { SocialPost } from '../wire.ts'

type DraftsTrayProps = {
  drafts: readonly SocialPost[]
  /** Without it they wait for an editor. */
  onSchedule?: ((draft: SocialPost) => void) | undefined
}

/** Posts without a time, to be dragged onto a day. */
export const DraftsTray = ({ drafts, onSchedule }: DraftsTrayProps) => (
  <section aria-label="Unscheduled" className="flex min-w-0 flex-col gap-2">
    <h2 className="flex items-baseline justify-between font-medium text-ink text-sm">
      Unscheduled
      <span className="font-normal text-faint text-xs tabular-nums">{drafts.length}</span>
    </h2>
    {drafts.length === 0 ? (
      <p className="flex items-center gap-2 rounded-lg border border-line-strong border-dashed px-3 py-4 text-faint text-xs">
        <FileText aria-hidden className="size-4 shrink-0" />
        Drafts without a time wait here.
      </p>
    ) : (
      <ul className="flex flex-col gap-1.5">
        {drafts.map((draft) => (
          <DraftCard key={draft.id} draft={draft} onSchedule={onSchedule} />
        ))}
      </ul>
    )}
    {drafts.length > 0 && onSchedule ? (
      <p className="text-faint text-xs phone:hidden">Drag a draft onto a day to schedule it.</p>
    ) : null}
  </section>
)

type DraftCardProps = { draft: SocialPost; onSchedule: DraftsTrayProps['onSchedule'] }

const DraftCard = ({ draft, onSchedule }: DraftCardProps) => {
  const labelOf = useLabels()
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: `draft ${draft.id}`,
    data: { draft },
    disabled: !onSchedule,
  })
  const name = nameOfPost(draft)
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      data-draft={draft.id}
      className={cx(
        'flex min-w-0 flex-col gap-1 rounded-lg border border-line bg-surface p-2 shadow-sm',
        onSchedule && 'cursor-grab',
        isDragging && 'opacity-40',
      )}
    >
      <AppLink to={postPath(draft.id)} className="wrap-anywhere line-clamp-2 text-ink text-xs hover:underline">
        {name}
      </AppLink>
      <span className="flex items-center justify-between gap-2">
        <NetworkMarks networks={networksOf(draft)} labelOf={labelOf} />
        {onSchedule ? (
          <Button
            size="sm"
            variant="ghost"
            icon={<CalendarPlus />}
            aria-label={`Schedule ${name}`}
            onClick={() => onSchedule(draft)}
          >
            Schedule
          </Button>
        ) : null}
      </span>
    </li>
  )
}
