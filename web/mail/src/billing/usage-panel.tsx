import type { Entitlement } from '@stoa/mail-model/plans.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { formatDate } from '@stoa/ui/text/format.ts'
import { isUnlimited, type Limit, limitsOf, overLimits } from './limits.ts'

type UsagePanelProps = { entitlement: Entitlement; isSold: boolean }

/** Usage of the plan's limits, with what to do about everything that is over. */
export const UsagePanel = ({ entitlement, isSold }: UsagePanelProps) => {
  const over = overLimits(entitlement)
  const limits = limitsOf(entitlement)
  const resets = `Daily counts reset at midnight UTC, monthly counts on ${formatDate(nextMonth(), new Date())}.`
  if (isUnlimited(entitlement))
    return (
      <Panel
        title={isSold ? 'Usage' : 'Everything is included'}
        description={isSold ? resets : `All features are on, and nothing is limited. ${resets}`}
      >
        <Figures limits={limits} />
      </Panel>
    )
  return (
    <Panel title="Usage" description={resets}>
      <div className="flex flex-col gap-5">
        {over.length === 0 ? null : <OverNotice over={over} planName={entitlement.plan.name} isSold={isSold} />}
        <ul className="grid gap-x-10 gap-y-4 desk:grid-cols-2">
          {limits.map((limit) => (
            <Usage key={limit.label} limit={limit} isOver={over.some(({ label }) => label === limit.label)} />
          ))}
        </ul>
      </div>
    </Panel>
  )
}

/** Numbers that are near to nothing: they are only to be known. */
const Figures = ({ limits }: { limits: readonly Limit[] }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-5 desk:grid-cols-5">
    {limits.map(({ label, text }) => (
      <div key={label} className="flex min-w-0 flex-col justify-between gap-0.5">
        <dt className="text-muted text-sm">{label}</dt>
        <dd className="truncate font-semibold text-ink text-lg tabular-nums">{text}</dd>
      </div>
    ))}
  </dl>
)

const nextMonth = (): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

type OverNoticeProps = { over: readonly Limit[]; planName: string; isSold: boolean }

const OverNotice = ({ over, planName, isSold }: OverNoticeProps) => (
  <Notice
    tone="warning"
    title={isSold ? `You use more than ${planName} includes` : 'You use more than your limits allow'}
  >
    <p>
      {sentenceOf(over)} Nothing is deleted and mail keeps arriving, but you can't add more until you're back within the
      limit{isSold ? ' or on a larger plan' : ''}.
    </p>
    {isSold ? (
      <LinkButton to="/billing/plans" size="sm" className="mt-2">
        Compare plans
      </LinkButton>
    ) : null}
  </Notice>
)

const sentenceOf = (over: readonly Limit[]): string =>
  `Over the limit: ${over.map(({ label, text }) => `${label === 'API keys' ? label : label.toLowerCase()} (${text})`).join(', ')}.`

const Usage = ({ limit: { label, used, max, text, remedy }, isOver }: { limit: Limit; isOver: boolean }) => (
  <li className="flex min-w-0 flex-col gap-1.5">
    <div className="flex items-baseline justify-between gap-3 text-sm">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-muted">
        {label}
        {isOver && remedy ? (
          <TextLink to={remedy.to} className="text-xs">
            {remedy.label}
          </TextLink>
        ) : null}
      </span>
      <span className={isOver ? 'shrink-0 font-medium text-failed-ink tabular-nums' : 'shrink-0 text-ink tabular-nums'}>
        {text}
      </span>
    </div>
    {max === null ? null : <Meter label={label} value={used} max={max} text={text} />}
  </li>
)
