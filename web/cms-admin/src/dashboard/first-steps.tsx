import type { Me } from '@stoa/cms-model/accounts.ts'
import { IconButton } from '@stoa/ui/button.tsx'
import { cx } from '@stoa/ui/cx.ts'
import { AppLink, TextLink } from '@stoa/ui/link.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { useStored } from '@stoa/ui/stored.ts'
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronRight, X } from 'lucide-react'
import { keysQuery } from '../keys/queries.ts'
import { settingsQuery } from '../settings/queries.ts'
import { typesQuery } from '../types/queries.ts'
import { allEntriesQuery, publishedQuery } from './queries.ts'
import { type Step, stepsOf } from './steps.ts'

/** The first read comes from outside: it is looked for while the list waits for it. */
const LOOK_MS = 5000

/** The way to the first live page, until it is gone or someone closes it. */
export const FirstSteps = ({ me }: { me: Me }) => {
  const [closed, setClosed] = useStored(`${me.id}:first-steps-closed`, (stored) => stored === true)
  return closed ? null : <Checklist mayTakeDemo={me.role === 'owner'} onClose={() => setClosed(true)} />
}

type ChecklistProps = { mayTakeDemo: boolean; onClose: () => void }

const Checklist = ({ mayTakeDemo, onClose }: ChecklistProps) => {
  const steps = useSteps()
  // While it is not known whether there is anything to do, nothing jumps in and out
  if (!steps || steps.every(({ done }) => done)) return null
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)
  return (
    <Panel
      title="First steps"
      description="From here to the first page that reads from this site."
      flush
      actions={
        <>
          <span className="text-muted text-xs tabular-nums">
            {done} of {steps.length} done
          </span>
          <IconButton size="sm" label="Close the first steps" icon={<X />} onClick={onClose} />
        </>
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <li key={step.id}>
            <StepLine step={step} isNext={step === next} />
          </li>
        ))}
      </ol>
      {mayTakeDemo && steps.some(({ id, done: isMade }) => id === 'type' && !isMade) ? (
        <p className="border-line border-t px-5 py-3 text-muted text-sm">
          Or look around first: <TextLink to="/welcome">take the demo site</TextLink>, with pages, pictures and a
          website.
        </p>
      ) : null}
    </Panel>
  )
}

const useSteps = (): readonly Step[] | undefined => {
  const { data: settings } = useQuery(settingsQuery)
  const { data: types } = useQuery(typesQuery)
  const { data: entries } = useQuery(allEntriesQuery)
  const { data: published } = useQuery(publishedQuery)
  const { data: keys } = useQuery({
    ...keysQuery,
    refetchInterval: (query) => {
      const items = query.state.data?.items ?? []
      return items.length > 0 && items.every(({ lastUsedAt }) => lastUsedAt === null) ? LOOK_MS : false
    },
  })
  return stepsOf({
    title: settings?.title,
    types: types?.items,
    entries: entries?.meta.total,
    published: published?.meta.total,
    keys: keys?.items,
  })
}

const StepLine = ({ step, isNext }: { step: Step; isNext: boolean }) => (
  <AppLink
    to={step.to}
    className="flex min-h-12 items-center gap-3 px-5 py-2 text-sm outline-offset-[-2px] hover:bg-hover"
  >
    <span
      aria-hidden
      className={cx(
        'flex size-5 shrink-0 items-center justify-center rounded-full border',
        step.done ? 'border-live-mark bg-live-mark text-surface' : isNext ? 'border-accent' : 'border-line-strong',
      )}
    >
      {step.done ? <Check className="size-3" strokeWidth={3} /> : null}
    </span>
    <span className="flex min-w-0 flex-1 flex-col">
      <span className={step.done ? 'text-muted line-through' : 'font-medium text-ink'}>
        {step.label}
        <span className="sr-only">{step.done ? ' (done)' : ' (to do)'}</span>
      </span>
      {step.done ? null : <span className="text-muted">{step.help}</span>}
    </span>
    <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
  </AppLink>
)
