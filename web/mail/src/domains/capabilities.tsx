import type { Domain } from '@stoa/mail-model/domains.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Inbox, Send } from 'lucide-react'

/** Two badges: whether receiving and sending work. */
export const Capabilities = ({ domain: { capabilities } }: { domain: Pick<Domain, 'capabilities'> }) => (
  <span className="inline-flex items-center gap-x-3 gap-y-1 phone:flex-wrap">
    <Mark
      icon={<Inbox aria-hidden />}
      on={capabilities.receiving === 'enabled'}
      yes="Receiving"
      no="Can't receive yet"
    />
    <Mark icon={<Send aria-hidden />} on={capabilities.sending === 'enabled'} yes="Sending" no="Can't send yet" />
  </span>
)

const Mark = ({ icon, on, yes, no }: { icon: React.ReactNode; on: boolean; yes: string; no: string }) => (
  <span
    className={cx(
      'inline-flex items-center gap-1 text-xs [&_svg]:size-3.5',
      on ? 'text-live-ink' : 'text-faint line-through decoration-line-strong',
    )}
  >
    {icon}
    <span className="sr-only">{on ? yes : no}</span>
    <span aria-hidden>{yes}</span>
  </span>
)
