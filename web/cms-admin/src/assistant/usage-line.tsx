import type { Me } from '@stoa/cms-model/accounts.ts'
import type { TurnEvents } from '@stoa/cms-model/assistant.ts'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { may } from '../allowed.tsx'
import { AI_PATH } from './screens.ts'

type UsageLineProps = { me: Me; usage: TurnEvents['usage'] | null }

/** Today's token usage, as reported by the last answer. */
export const UsageLine = ({ me, usage }: UsageLineProps) => {
  if (!usage) return null
  const text = `${formatNumber(usage.todayUsed)} of ${formatNumber(usage.todayLimit)} tokens today`
  return (
    <div className="flex shrink-0 items-center gap-2 px-3 pb-2 text-2xs text-faint">
      <Meter
        label="Tokens today"
        value={usage.todayUsed}
        max={usage.todayLimit}
        text={text}
        className="w-16 shrink-0"
      />
      <span className="min-w-0 flex-1 truncate tabular-nums">{text}</span>
      {may(me, 'settings.manage') ? <TextLink to={AI_PATH}>Limits</TextLink> : null}
    </div>
  )
}
