import type { AiConnection } from '@stoa/cms-model/ai.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { aiUsageQuery } from '../assistant/queries.ts'
import { visitorUsageQuery } from './queries.ts'
import type { VisitorForm } from './values.ts'

type LimitsPanelProps = { form: VisitorForm; ai: AiConnection }

/** Usage limits for visitors, and the data kept about them. */
export const LimitsPanel = ({ form, ai }: LimitsPanelProps) => (
  <Panel title="Limits and privacy" description="Each visitor can ask 6 questions per minute and 40 per hour.">
    <div className="flex max-w-prose flex-col gap-5">
      <Field
        label="Questions per day"
        help="For all visitors together. When it's reached, the bubble asks visitors to try again later. Resets at midnight UTC."
        error={form.errors.dailyLimit}
      >
        <Input {...form.text('dailyLimit')} inputMode="numeric" className="max-w-40" />
      </Field>
      <QuestionsToday />
      {ai.connected ? <TokensToday /> : null}
      <Field
        label="Keep questions for"
        help="In days. Questions that nobody asked again in that time are deleted automatically."
        error={form.errors.retentionDays}
      >
        <Input {...form.text('retentionDays')} inputMode="numeric" className="max-w-40" />
      </Field>
      <section aria-label="What's stored" className="flex flex-col gap-1 text-muted text-sm">
        <p className="font-medium text-ink">What's stored</p>
        <ul className="list-disc space-y-1 pl-5">
          <li>The question, its language, when and how often it was asked, and which entries answered it.</li>
          <li>
            No name, account or cookie. The IP address is kept for counting only, as a hash that changes every day.
          </li>
          <li>Questions and the passages they need are sent to the connected AI provider.</li>
        </ul>
      </section>
    </div>
  </Panel>
)

/** The questions counted toward the daily limit. */
const QuestionsToday = () => {
  const { data } = useQuery(visitorUsageQuery)
  if (!data) return null
  const { questions, dailyLimit } = data
  const text = `${formatNumber(questions)} of ${formatCount(dailyLimit, 'question', 'questions')}`
  return <Used label="Questions today" value={questions} max={dailyLimit} text={text} />
}

const TokensToday = () => {
  const { data } = useQuery({ ...aiUsageQuery(1), staleTime: 0 })
  if (!data) return null
  const mine = data.days.filter(({ feature }) => feature === 'visitor')
  const tokens = mine.reduce((total, { tokensIn, tokensOut }) => total + tokensIn + tokensOut, 0)
  const max = data.limits.visitorTokensPerDay
  return (
    <Used
      label="Tokens for visitors today"
      value={tokens}
      max={max}
      text={`${formatNumber(tokens)} of ${formatCount(max, 'token', 'tokens')}`}
    />
  )
}

type UsedProps = { label: string; value: number; max: number; text: string }

const Used = ({ label, value, max, text }: UsedProps) => (
  <div className="flex flex-col gap-1.5">
    <p className="flex flex-wrap justify-between gap-x-4 text-sm">
      <span className="font-medium text-ink">{label}</span>
      <span className="text-muted tabular-nums">{text}</span>
    </p>
    <Meter label={label} value={value} max={max} text={text} />
  </div>
)
