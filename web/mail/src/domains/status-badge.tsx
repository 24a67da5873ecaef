import type { DomainStatus } from '@stoa/mail-model/dns.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { CircleAlert, CircleCheck, CircleDashed, CircleX, Clock } from 'lucide-react'
import { domainLook, type Look } from './dns/states.ts'

const icons = { good: CircleCheck, waiting: Clock, warning: CircleAlert, bad: CircleX, unknown: CircleDashed }

const markClass: Record<Look['tone'], string> = {
  neutral: 'text-neutral-mark',
  draft: 'text-draft-mark',
  live: 'text-live-mark',
  scheduled: 'text-scheduled-mark',
  failed: 'text-failed-mark',
  accent: 'text-accent',
}

/** The icon of a state in its color; a word stands beside it. */
export const LookIcon = ({ look, className }: { look: Look; className?: string }) => {
  const Icon = icons[look.icon]
  return <Icon aria-hidden className={cx('size-4 shrink-0', markClass[look.tone], className)} />
}

export const DomainBadge = ({ status }: { status: DomainStatus }) => {
  const look = domainLook(status)
  const Icon = icons[look.icon]
  return (
    <Badge tone={look.tone} icon={<Icon aria-hidden />}>
      {look.word}
    </Badge>
  )
}
