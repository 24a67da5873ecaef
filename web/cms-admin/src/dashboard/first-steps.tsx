import type { Me } from '@stoa/cms-model/accounts.ts'
import { useStored } from '@stoa/ui/browser/stored.ts'
import { Checklist } from '@stoa/ui/feedback/checklist.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keysQuery } from '../keys/queries.ts'
import { settingsQuery } from '../settings/queries.ts'
import { typesQuery } from '../types/queries.ts'
import { totalsOf } from './needs.ts'
import { dashboardQuery } from './queries.ts'
import { type SetupStep, stepsOf } from './steps.ts'

/** The first read comes from outside: it is looked for while the list waits for it. */
const LOOK_MS = 5000

/** The way to the first live page, until it is gone or someone closes it. */
export const FirstSteps = ({ me }: { me: Me }) => {
  const [closed, setClosed] = useStored(`${me.id}:first-steps-closed`, (stored) => stored === true)
  return closed ? null : <Steps mayTakeDemo={me.role === 'owner'} onClose={() => setClosed(true)} />
}

type StepsProps = { mayTakeDemo: boolean; onClose: () => void }

const Steps = ({ mayTakeDemo, onClose }: StepsProps) => {
  const steps = useSteps()
  const isDone = steps?.every(({ done }) => done) === true
  // A finished checklist is closed for good: the next visit sends no requests for it
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])
  // While it is not known whether there is anything to do, nothing jumps in and out
  if (!steps || isDone) return null
  return (
    <Checklist description="From an empty site to your first live page" steps={steps} onClose={onClose}>
      {mayTakeDemo && steps.some(({ id, done: isMade }) => id === 'type' && !isMade) ? (
        <p className="border-line border-t px-5 py-3 text-muted text-sm">
          Want to explore first? <TextLink to="/welcome">Create the demo site</TextLink>, with pages, images and a
          website.
        </p>
      ) : null}
    </Checklist>
  )
}

const NO_TOTALS = { entries: undefined, published: undefined }

const useSteps = (): readonly SetupStep[] | undefined => {
  const { data: settings } = useQuery(settingsQuery)
  const { data: types } = useQuery(typesQuery)
  const { data: dashboard } = useQuery(dashboardQuery)
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
    ...(dashboard ? totalsOf(dashboard) : NO_TOTALS),
    keys: keys?.items,
  })
}
