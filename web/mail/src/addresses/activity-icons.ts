import type { ActivityType } from '@stoa/mail-model/activity.ts'
import { Ban, Clock, Filter, Inbox, KeyRound, type LucideIcon, MailX, Send, ShieldAlert, ShieldX } from 'lucide-react'

export const activityIcons: Record<ActivityType, LucideIcon> = {
  received: Inbox,
  sent: Send,
  rejected: Ban,
  bounced: MailX,
  deferred: Clock,
  spam: ShieldAlert,
  login: KeyRound,
  login_failed: ShieldX,
  filter_error: Filter,
}
