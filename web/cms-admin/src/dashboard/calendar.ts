import type { EntryCard } from '@stoa/cms-model/dashboard.ts'
import type { SocialCalendar } from '@stoa/cms-model/social.ts'
import { entryPath } from '../content-path.ts'
import { type Day, daysOf } from '../social/calendar/days.ts'
import { postPath } from '../social/paths.ts'

/** Something that happens by itself at a time. */
export type Planned = {
  id: string
  at: string
  kind: 'publish' | 'unpublish' | 'social'
  title: string
  to: string
}

/** An entry can go live and end: both are planned. */
export const plannedEntries = (
  cards: readonly Pick<EntryCard, 'id' | 'type' | 'title' | 'publishAt' | 'unpublishAt'>[],
): Planned[] =>
  cards.flatMap((card) => {
    const plan = (kind: 'publish' | 'unpublish', at: string | null): Planned[] =>
      at === null
        ? []
        : [
            {
              id: `${card.id} ${kind}`,
              at,
              kind,
              title: card.title === '' ? 'Untitled' : card.title,
              to: entryPath(card),
            },
          ]
    return [...plan('publish', card.publishAt), ...plan('unpublish', card.unpublishAt)]
  })

/** Posts that are still to go out. */
export const plannedPosts = ({ items }: Pick<SocialCalendar, 'items'>): Planned[] =>
  items
    .filter(({ status }) => status === 'scheduled')
    .map(({ postId, at, caption }) => ({
      id: postId,
      at,
      kind: 'social',
      title: caption === '' ? 'Social post' : caption,
      to: postPath(postId),
    }))

/** The weeks that a month is shown with. */
export const weeksOf = (month: Day, firstDay: number): readonly (readonly Day[])[] => {
  const days = daysOf('month', month, firstDay)
  return Array.from({ length: days.length / WEEK }, (_, index) => days.slice(index * WEEK, (index + 1) * WEEK))
}

const WEEK = 7

export const isInMonth = (day: Day, month: Day): boolean => day.slice(0, 7) === month.slice(0, 7)
