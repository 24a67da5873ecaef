import { type AiCheckId, type AiConnection, type AiTest, aiCheckIds } from '@stoa/cms-model/ai.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { differs } from '@stoa/ui/form/form-errors.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { aiQuery, testAi } from '../queries.ts'
import { type AiValues, testOf } from './values.ts'

const labels: Record<AiCheckId, string> = {
  reach: 'Server reached',
  auth: 'Key accepted',
  model: 'Model found',
  stream: 'Streams text',
  tool_call: 'Calls tools',
  round_trip: 'Reads results',
}

/** Tries the provider as it is typed, without saving anything or reading content. */
export const ConnectionTest = ({ ai, values }: { ai: AiConnection; values: AiValues }) => {
  const queryClient = useQueryClient()
  const test = useMutation({
    mutationFn: testAi,
    // One of the stored connection is kept with it
    onSettled: () => queryClient.invalidateQueries({ queryKey: aiQuery.queryKey, exact: true }),
  })
  const typed = testOf(values)
  // What was found about something else says nothing
  const isOfThis = test.variables !== undefined && !differs(test.variables, typed)
  const isStored = ai.connected && ai.kind === typed.kind && ai.model === typed.model && !('apiKey' in typed)
  const found = isOfThis ? test.data : isStored ? (ai.lastTest ?? undefined) : undefined
  return (
    <div className="flex min-w-0 flex-col gap-3 border-line border-t pt-4">
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <Button loading={test.isPending} disabled={typed.model === ''} onClick={() => test.mutate(typed)}>
          Test connection
        </Button>
        {!isOfThis && isStored && ai.lastTest ? (
          <span className="text-faint text-xs">
            Last tested <RelativeTime at={ai.lastTest.at} />
          </span>
        ) : (
          <span className="text-faint text-xs">Sends a short test message. Your content isn't read.</span>
        )}
      </div>
      {test.error && isOfThis ? <Notice tone="danger">{messageOf(test.error)}</Notice> : null}
      {test.isPending || found ? <Checks found={test.isPending ? undefined : found} /> : null}
      {found && !test.isPending ? <Verdict found={found} /> : null}
    </div>
  )
}

const Checks = ({ found }: { found: AiTest | undefined }) => (
  <ul aria-label="Checks" className="grid min-w-0 gap-x-6 gap-y-2 sm:grid-cols-2">
    {aiCheckIds.map((id) => {
      const check = found?.checks.find((one) => one.id === id)
      return (
        <li key={id} className="flex min-w-0 items-start gap-2 text-sm">
          <CheckIcon isPending={found === undefined} ok={check?.ok} />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="flex min-w-0 items-baseline gap-2">
              <span className={check ? 'text-ink' : 'text-faint'}>{labels[id]}</span>
              <span className="sr-only">
                {found === undefined ? ', waiting' : check ? (check.ok ? ', passed' : ', failed') : ', not run'}
              </span>
              {check ? <span className="text-faint text-xs tabular-nums">{timeOf(check.ms)}</span> : null}
            </span>
            {check?.detail ? <span className="wrap-anywhere text-muted text-xs">{check.detail}</span> : null}
          </span>
        </li>
      )
    })}
  </ul>
)

const timeOf = (ms: number): string => (ms < 1_000 ? `${formatNumber(ms)} ms` : `${formatNumber(ms / 1_000)} s`)

const CheckIcon = ({ isPending, ok }: { isPending: boolean; ok: boolean | undefined }) => {
  if (isPending) return <Spinner />
  if (ok === undefined) return <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
  return ok ? (
    <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-live-mark" />
  ) : (
    <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-failed-mark" />
  )
}

/** What the checks mean for the person. */
const Verdict = ({ found }: { found: AiTest }) => {
  if (found.assistant)
    return (
      <Notice tone="success" title="Works">
        {`${found.model} works for the assistant and the field assistant.`}
      </Notice>
    )
  if (found.fieldAssistant)
    return (
      <Notice tone="warning" title="Works for the field assistant, but can't call tools">
        {found.error?.message ?? 'Choose a model that can call tools to use the assistant.'}
      </Notice>
    )
  return (
    <Notice tone="danger" title="Test failed">
      {found.error?.message ?? 'The provider sent an unexpected response.'}
    </Notice>
  )
}
